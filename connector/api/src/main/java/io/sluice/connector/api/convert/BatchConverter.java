package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.format.entry.Entry;
import java.util.List;
import java.util.Map;

/** Converts batches to messages. Called by several threads at once, each with a batch of its own. */
public interface BatchConverter {
    /**
     * Converts a batch.
     *
     * @param batchId the batch's id, from 1
     * @param entries its entries, oldest first
     * @return the messages in the order in which they must be sent; empty if no entry has a form to be sent in
     * @throws PartitionsUnknownException if the partitions of a topic are not known now; the batch is to be converted again later
     * @throws io.sluice.connector.api.route.PartitionsAwaitedException if they are being asked for; the batch is to be converted again by the same
     *     converter when the answer is there
     */
    List<OutgoingMessage> convert(long batchId, List<Entry> entries);

    /**
     * A converter for one batch: it sends each entry to the same partition, however often the batch is converted, also when the broker
     * changes the number of partitions meanwhile. For one thread at a time.
     */
    default BatchConverter forBatch() {
        return this;
    }

    /**
     * The topics that were unavailable when this converter needed their partitions. Their messages are as the rules state without the broker,
     * and must not be sent.
     *
     * @return by topic, what its messages are rejected with; none for a converter that is not for one batch
     */
    default Map<String, PartitionsUnknownException> unavailable() {
        return Map.of();
    }

    /**
     * A converter that makes the same of the entries, in the same order within a partition, but messages as small as can be: of one
     * entry each, or of one row where entries can be cut. For what is too large for the broker.
     */
    default BatchConverter singly() {
        return this;
    }
}
