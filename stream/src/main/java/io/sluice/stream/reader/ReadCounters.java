package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventSource;
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
    private volatile Connection connection = new Connection(EventSource.Passed.NOTHING, 0, null);

    ReadCounters() {}

    /** Notes what is read: what it passes over counts at once, since no chunk has it. */
    void follow(EventSource source) {
        if (connection.source() != source) {
            connection = new Connection(connection.passed(), connection.mostEvents(), source);
        }
    }

    /**
     * Counts an event that was received; it is published with the next chunk. The bytes of the first are published at once: its chunk may wait for a search in the binlog,
     * and the source has sent something.
     */
    void note(int lengthBytes) {
        if (bytesReceived == 0) {
            bytes = lengthBytes;
        }
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

    /** The bytes of all events that were read or passed over; a compressed transaction counts as one event. */
    public long bytes() {
        return bytes + connection.passed().bytes();
    }

    /** The number of events that were read or passed over, without heartbeats. */
    public long events() {
        return events + connection.passed().events();
    }

    /** The number of events that had not been read or passed over before. */
    public long newEvents() {
        return newEvents + connection.mostEvents();
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

    /** What is read, what those before it have passed over, and how many events one of them at most: each begins with the same ones. */
    private record Connection(
            EventSource.Passed before,
            long mostOfOne,
            @Nullable EventSource source) {
        private EventSource.Passed own() {
            return source == null ? EventSource.Passed.NOTHING : source.passed();
        }

        long mostEvents() {
            return Math.max(mostOfOne, own().events());
        }

        EventSource.Passed passed() {
            EventSource.Passed now = own();
            return new EventSource.Passed(before.events() + now.events(), before.bytes() + now.bytes());
        }
    }
}
