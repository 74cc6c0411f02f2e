package io.sluice.server.config;

import io.sluice.format.message.MessageFormat;
import java.time.Duration;

/**
 * How the instances hand their entries to the queue.
 *
 * @param format of the messages
 * @param batchSize how much a batch may hold, in what {@link StoreConfig#batchMode()} counts
 * @param getTimeout how long to wait for a full batch before one that is not full is sent
 * @param buildThreads workers that turn entries into messages, shared by all instances
 * @param inFlightBatches batches of one instance that may wait for the broker's answer at a time
 * @param dropTransactionEntries whether begin and end are left out of protobuf packets
 */
public record MqConfig(
        MessageFormat format,
        int batchSize,
        Duration getTimeout,
        int buildThreads,
        int inFlightBatches,
        boolean dropTransactionEntries) {
    /** Whether messages are protobuf packets. */
    public boolean inPackets() {
        return format.unit() == MessageFormat.Unit.PACKET;
    }
}
