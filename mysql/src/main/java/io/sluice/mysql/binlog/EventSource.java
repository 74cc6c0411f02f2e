package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.Closeable;
import java.io.IOException;

/** A sequence of binlog events, from a server or from a file. For one thread, but for {@link #close}. */
public interface EventSource extends Closeable {
    /** No event up to this size is cut. */
    int LARGEST_WHOLE = 1 << 18;

    /** How many bytes there are at least of one that is cut: all that is before its rows. */
    int FIRST_BYTES = 1 << 16;

    /**
     * Waits for the next event and appends its bytes, header and checksum included. A large event may be cut: its first bytes
     * are appended alone, and {@link #rest} reads on. What is not read of it is passed over by the next call.
     *
     * @return how many bytes were appended, or −1 at the end, after which there is nothing more
     * @throws IOException if the source broke
     */
    int next(ByteWriter out) throws IOException;

    /** Whether the last event was cut and is not read to its end yet. */
    default boolean hasRest() {
        return false;
    }

    /**
     * Waits for more of an event that was cut.
     *
     * @param to takes the bytes, from {@code at} on
     * @param most how many at most, at least 1
     * @return how many there were, at least 1; −1 at the end of the event
     * @throws IOException if the source broke
     */
    default int rest(byte[] to, int at, int most) throws IOException {
        return -1;
    }

    /** Whether the next event is there already, so that {@link #next} will not wait. */
    boolean hasBuffered();

    /** What {@link #next} has passed over so far, as it is before what was asked for. May be called by any thread, also while one waits for an event. */
    default Passed passed() {
        return Passed.NOTHING;
    }

    /** Events that were received, and not given. */
    record Passed(long events, long bytes) {
        public static final Passed NOTHING = new Passed(0, 0);
    }
}
