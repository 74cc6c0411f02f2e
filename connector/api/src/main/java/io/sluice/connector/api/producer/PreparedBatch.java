package io.sluice.connector.api.producer;

import java.util.List;

/** Messages that a {@link MessageProducer} has prepared for sending, such as by encoding and compressing them together. */
public interface PreparedBatch {
    /** The messages, in the order in which they were given. */
    List<Message> messages();
}
