package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;

/**
 * Decompresses the body of MariaDB's compressed events ({@code log_bin_compress}): all rows of a rows event, or the text of a
 * statement.
 *
 * <pre>
 *   0       1                    1 + n
 *   +-------+--------------------+-----------+
 *   | 0x8n  | length uncompressed| zlib data |
 *   |       | n bytes, BE        |           |
 *   +-------+--------------------+-----------+
 * </pre>
 *
 * <p>The upper half of the first byte states the algorithm, of which there is one. Source: MariaDB's manual, "Compressing
 * Events to Reduce Size of the Binary Log". For one thread.
 */
public final class MariaDbCompression {
    private static final int ZLIB = 0x80;

    private final Inflation zlib = new Inflation(true);

    /**
     * Returns the uncompressed length of all that is left of an event, in bytes, without unpacking it.
     *
     * @param packed stays where it is; the end may be missing
     * @param length the number of its bytes, with those that are missing
     * @throws MalformedEventException if it is damaged
     */
    public static long unpackedLength(EventBody packed, long length) {
        EventBody head = new EventBody(packed.array(), packed.offset(), packed.end());
        long stated = readLength(head);
        Inflation.requirePossible((int) Math.min(length, Integer.MAX_VALUE), stated);
        return stated;
    }

    /**
     * Unpacks all that is left of an event, and appends it.
     *
     * @throws MalformedEventException if it is damaged
     */
    public void unpack(EventBody packed, ByteWriter out) {
        long stated = readLength(packed);
        zlib.unpack(packed.array(), packed.offset(), packed.remaining(), stated, out);
    }

    /**
     * Unpacks the first bytes of an event of which the end may be missing, and appends them; what follows them is not checked.
     *
     * @param most how many bytes are wanted
     * @throws MalformedEventException if it is damaged
     */
    public void unpackFirst(EventBody packed, int most, ByteWriter out) {
        int wanted = (int) Math.min(most, readLength(packed));
        zlib.unpackFirst(packed.array(), packed.offset(), packed.remaining(), wanted, out);
    }

    private static long readLength(EventBody packed) {
        int head = packed.readByte();
        int lengthBytes = head & 0x07;
        if ((head & 0xF8) != ZLIB || lengthBytes < 1 || lengthBytes > 4) {
            throw new MalformedEventException(
                    "a compressed event begins with 0x%02x, which no known algorithm does".formatted(head));
        }
        long stated = 0;
        for (int i = 0; i < lengthBytes; i++) {
            stated = stated << 8 | packed.readByte();
        }
        return stated;
    }
}
