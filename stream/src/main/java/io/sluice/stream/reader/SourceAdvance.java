package io.sluice.stream.reader;

import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * What the source has sent that was new, neither read again after a broken connection, nor sent at the head of every dump; and whether it has
 * shown that it has nothing new. For one thread.
 */
final class SourceAdvance {
    private boolean hasAdvanced;
    private long newEvents;
    private long heartbeats;
    /** Where the source was idle by its last heartbeat; null if events have come since. */
    private @Nullable BinlogPosition heartbeat;

    /** Whether the source has sent a new event, or has shown that it has none, on the current connection. */
    boolean hasAdvanced() {
        return hasAdvanced;
    }

    /** How many events were new, on all connections. */
    long newEvents() {
        return newEvents;
    }

    /** How many heartbeats were recorded, on all connections. */
    long heartbeats() {
        return heartbeats;
    }

    /**
     * Records a heartbeat. Two in a row of the same position show that the source is alive and has no event. One alone does not: MySQL
     * sends one when it has omitted transactions that are executed, and before events that may fail again.
     */
    void recordHeartbeat(BinlogPosition at) {
        heartbeats++;
        hasAdvanced |= at.equals(heartbeat);
        heartbeat = at;
    }

    /** Records an event of the file. */
    void recordEvent(boolean isNew) {
        heartbeat = null;
        if (isNew) {
            hasAdvanced = true;
            newEvents++;
        }
    }

    /** States that what comes next is of a new connection. */
    void onReconnect() {
        hasAdvanced = false;
        heartbeat = null;
    }
}
