package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;

/** The events that are contained in, or replayed for, one event of the binlog. For one thread. */
public interface NestedEvents {
    /**
     * Appends the next event, which has no checksum; of one that is larger than {@link EventSource#LARGEST_WHOLE} the first
     * {@link EventSource#FIRST_BYTES}.
     *
     * @return how many bytes were appended, or −1 at the end
     * @throws IOException if they cannot be read
     */
    int next(ByteWriter out) throws IOException;

    /** How many events were left out directly before the one that came last, and count among those before it. */
    default int leftOut() {
        return 0;
    }

    /** Whether the last event was cut and is not read to its end yet. */
    boolean hasRest();

    /**
     * Gives more of an event that was cut.
     *
     * @param to takes the bytes, from {@code at} on
     * @param most how many at most, at least 1
     * @return how many there were, at least 1; −1 at the end of the event
     * @throws IOException if they cannot be read
     */
    int rest(byte[] to, int at, int most) throws IOException;
}
