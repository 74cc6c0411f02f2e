package io.sluice.connector.api.producer;

import java.util.List;

/**
 * Messages that a {@link MessageProducer} has prepared for sending, such as by encoding and compressing them together. Handed over at most
 * once, to the producer that has made it.
 */
public interface PreparedBatch {
    /** The messages, in the order in which they were given: at least one. */
    List<Message> messages();
}
