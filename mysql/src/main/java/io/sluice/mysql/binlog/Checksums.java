package io.sluice.mysql.binlog;

import java.util.zip.CRC32;

/** Checks the CRC32 at the end of events. For one thread. */
public final class Checksums {
    private final CRC32 crc = new CRC32();

    /**
     * Checks one event.
     *
     * @throws MalformedEventException if the last four bytes are not the CRC32 of those before
     */
    public void verify(byte[] bytes, int from, int length) {
        if (length < EventHeader.LENGTH + FormatDescription.CHECKSUM_LENGTH) {
            throw new MalformedEventException("an event of %d bytes has no room for its checksum".formatted(length));
        }
        int covered = length - FormatDescription.CHECKSUM_LENGTH;
        crc.reset();
        crc.update(bytes, from, covered);
        compare(bytes, from + covered, crc.getValue());
    }

    /** Compares the checksum that is at {@code at} with the one of the bytes before. */
    static void compare(byte[] bytes, int at, long computed) {
        long stated = (bytes[at] & 0xFFL)
                | (bytes[at + 1] & 0xFFL) << 8
                | (bytes[at + 2] & 0xFFL) << 16
                | (bytes[at + 3] & 0xFFL) << 24;
        if (stated != computed) {
            throw new MalformedEventException(
                    "an event's checksum is %08x, its bytes give %08x: the binlog or the way from it is damaged"
                            .formatted(stated, computed));
        }
    }
}
