package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.util.Arrays;

/**
 * A large event of which the first bytes were read. Whole it gets an array of its own, of just its size.
 *
 * @param first the first bytes, from the header on
 * @param isInside whether it is within a transaction's payload
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LargeEvent(EventHeader header, byte[] first, boolean isInside) {
    /** Gives more bytes of an event, at least one, or −1 at its end. */
    @FunctionalInterface
    interface Rest {
        int read(byte[] to, int at, int most) throws IOException;
    }

    /** Takes the first bytes out of {@code events} again, where they are from {@code from} on. */
    static LargeEvent cut(ByteWriter events, int from, boolean isInside) {
        byte[] first = Arrays.copyOfRange(events.array(), from, events.size());
        events.setSize(from);
        EventHeader header = EventHeader.read(first, 0, first.length);
        if (header.length() <= first.length) {
            throw new MalformedEventException(
                    "its header states %d bytes, it has more than %d".formatted(header.length(), first.length));
        }
        return new LargeEvent(header, first, isInside);
    }

    /** The first bytes of its body. */
    EventBody body() {
        return new EventBody(first, EventHeader.LENGTH, first.length);
    }

    byte[] readWhole(Rest rest) throws IOException {
        byte[] whole = Arrays.copyOf(first, header.length());
        int at = first.length;
        while (at < whole.length) {
            int count = rest.read(whole, at, whole.length - at);
            if (count < 0) {
                throw new MalformedEventException(
                        "its header states %d bytes, it came with %d".formatted(whole.length, at));
            }
            at += count;
        }
        return whole;
    }
}
