package io.sluice.mysql.binlog;

import java.io.IOException;
import java.util.zip.CRC32;

/**
 * The bytes of a large event that follow those that were read at first, up to its checksum, which is verified before the last of
 * them are returned. For one thread.
 */
public final class EventRemainder {
    private final EventSource source;
    private final CRC32 crc = new CRC32();
    private final byte[] checksum;
    private long left;

    /**
     * @param source the source that returned the first bytes, and returns the rest
     * @param first the first bytes, from the event's header on
     * @param length how long the event is
     * @param checksummed whether it ends with a checksum
     */
    public EventRemainder(EventSource source, byte[] first, int length, boolean checksummed) {
        this.source = source;
        this.checksum = new byte[checksummed ? FormatDescription.CHECKSUM_LENGTH : 0];
        this.left = (long) length - first.length - checksum.length;
        crc.update(first);
        if (left < 0) {
            throw new MalformedEventException("an event of %d bytes was cut".formatted(length));
        }
    }

    /** How many bytes are left. */
    public long left() {
        return left;
    }

    /**
     * Waits for more bytes.
     *
     * @return how many there were, at least 1; −1 at the end
     * @throws MalformedEventException if the checksum does not match, or the event is shorter than its header states
     */
    public int read(byte[] to, int at, int most) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = take(to, at, (int) Math.min(most, left));
        crc.update(to, at, count);
        left -= count;
        if (left == 0) {
            check();
        }
        return count;
    }

    private int take(byte[] to, int at, int most) throws IOException {
        int count = source.rest(to, at, most);
        if (count < 0) {
            throw new MalformedEventException("it ends %d bytes before the end that its header states".formatted(left));
        }
        return count;
    }

    private void check() throws IOException {
        if (checksum.length > 0) {
            for (int got = 0; got < checksum.length; ) {
                got += take(checksum, got, checksum.length - got);
            }
            Checksums.compare(checksum, 0, crc.getValue());
        }
        if (source.hasRest()) {
            throw new MalformedEventException("it continues after the end that its header states");
        }
    }
}
