package io.sluice.server.config.server;

import io.sluice.format.message.MessageFormat;

/**
 * What the messages of all instances are.
 *
 * @param format of the messages
 * @param buildThreads workers that turn entries into messages, shared by all instances
 * @param dropTransactionEntries whether begin and end are left out of protobuf packets
 */
public record MqConfig(MessageFormat format, int buildThreads, boolean dropTransactionEntries) {
    /** Whether messages are protobuf packets. */
    public boolean inPackets() {
        return format.unit() == MessageFormat.Unit.PACKET;
    }
}
