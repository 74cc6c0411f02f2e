package io.sluice.stream.reader;

import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/** Counters of what a reader has read, on all connections. Written by the thread of the reader; the public methods may be called by any thread. */
public final class ReadCounters {
    private long bytesReceived;
    private long eventsReceived;
    private long newestSeconds;

    private volatile long bytes;
    private volatile long events;
    private volatile long newEvents;
    private volatile boolean advanced;
    private volatile long transactions;
    private volatile long lastEventMillis;
    private volatile @Nullable BinlogPosition readTo;

    ReadCounters() {}

    /** Counts an event that was received; it is published with the next chunk. */
    void note(int lengthBytes) {
        bytesReceived += lengthBytes;
        eventsReceived++;
    }

    /** Notes the time of an event, which is published with the next chunk. */
    void see(long seconds) {
        newestSeconds = Math.max(newestSeconds, seconds);
    }

    /** Publishes whether the source has sent something new on the current connection. */
    void publishAdvance(StreamProgress progress) {
        advanced = progress.hasAdvanced();
    }

    /**
     * Publishes all counters.
     *
     * @param position up to where was read
     */
    void publish(StreamProgress progress, BinlogPosition position) {
        bytes = bytesReceived;
        events = eventsReceived - progress.heartbeats();
        newEvents = progress.newEvents();
        publishAdvance(progress);
        transactions = progress.transactionCount();
        lastEventMillis = newestSeconds * 1000;
        readTo = position;
    }

    /** The bytes of all events that were read; a compressed transaction counts as one event. */
    public long bytes() {
        return bytes;
    }

    /** The number of events that were read, without heartbeats. */
    public long events() {
        return events;
    }

    /** The number of events that had not been read before. */
    public long newEvents() {
        return newEvents;
    }

    /** Whether the source has sent a new event, or has shown that it has none, on the current connection. */
    public boolean hasAdvanced() {
        return advanced;
    }

    /** The number of transactions that were read to their end. */
    public long transactions() {
        return transactions;
    }

    /** The time of the newest event that was read, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        return lastEventMillis;
    }

    /** The position up to which was read; null before the first event. */
    public @Nullable BinlogPosition readTo() {
        return readTo;
    }
}
