package io.sluice.format.value;

import io.sluice.mysql.binlog.Inflation;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;

/**
 * MariaDB's {@code COMPRESSED} texts and byte strings: a length of one to four bytes, and as many bytes, of which the first
 * states how the others are packed.
 *
 * <pre>
 *   0             n      n + 1
 *   +-------------+------+-----------------------+-----------------------+
 *   | length      | head | length uncompressed   | data                  |
 *   | u8-u32 LE   |      | head mod 8 bytes, BE  |                       |
 *   +-------------+------+-----------------------+-----------------------+
 *   head: 0x00: the data are the value; 0x8x: zlib data, without header and checksum if 0x08 is set in it too
 * </pre>
 *
 * <p>An empty value has no head. Source: MariaDB's manual, "Storage-Engine Independent Column Compression".
 */
final class CompressedType extends TextType {
    private static final int PLAIN = 0;
    private static final int ZLIB = 0x80;
    private static final int METHOD_BITS = 0xF0;
    private static final int UNWRAPPED = 0x08;
    private static final int LENGTH_BITS = 0x07;
    private static final int LARGEST_KEPT = 1 << 20;

    /** How many bytes of UTF-8 a byte of another character set takes at most. */
    private static final int MOST_TEXT_OF_BYTE = 3;

    private static final ThreadLocal<Workbench> WORKBENCH = ThreadLocal.withInitial(Workbench::new);

    /** How many bytes of a value are at least one byte of its text. */
    private final int mostBytesOfOne;

    /**
     * Makes the type.
     *
     * @param longestCharacter how many bytes a character of the column's character set may take
     */
    CompressedType(int prefixLength, int sqlType, TextDecoder decoder, int longestCharacter) {
        super(prefixLength, sqlType, decoder);
        this.mostBytesOfOne = decoder.isUtf8() ? 1 : longestCharacter;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        int head = at + prefixLength();
        int end = at + length;
        if (head == end) {
            return;
        }
        if (image[head] == PLAIN) {
            decoder().decode(image, head + 1, end - head - 1, out);
            return;
        }
        int from = dataAt(image, head, end);
        long stated = statedLength(image, head, from, end);
        long least = out.size() + stated / mostBytesOfOne;
        if (least > out.limit()) { // before memory is taken for what would not fit
            throw new TooManyBytesException(least, out.limit());
        }
        WORKBENCH.get().decode((image[head] & UNWRAPPED) == 0, image, from, end - from, stated, decoder(), out);
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    @Override
    public long unpackedBytes(byte[] image, int at, int length) {
        int head = at + prefixLength();
        int end = at + length;
        if (head == end || image[head] == PLAIN) {
            return 0;
        }
        long stated = statedLength(image, head, dataAt(image, head, end), end);
        return decoder().isUtf8() ? stated : MOST_TEXT_OF_BYTE * stated;
    }

    /** Where the compressed bytes of a value begin. */
    private static int dataAt(byte[] image, int head, int end) {
        int lengthBytes = image[head] & LENGTH_BITS;
        if ((image[head] & METHOD_BITS) != ZLIB || lengthBytes < 1 || lengthBytes > 4 || head + 1 + lengthBytes > end) {
            throw new MalformedEventException(
                    "a compressed value of %d bytes begins with 0x%02x, which no known method does"
                            .formatted(end - head, image[head] & 0xFF));
        }
        return head + 1 + lengthBytes;
    }

    /** How many bytes a value states to be without compression. */
    private static long statedLength(byte[] image, int head, int dataAt, int end) {
        long stated = Bytes.readBig(image, head + 1, dataAt - head - 1);
        Inflation.requirePossible(end - dataAt, stated);
        return stated;
    }

    /** A thread's tools. */
    private static final class Workbench {
        private final Inflation wrapped = new Inflation(true);
        private final Inflation unwrapped = new Inflation(false);
        private ByteWriter plain = new ByteWriter(1 << 10);

        void decode(
                boolean isWrapped,
                byte[] packed,
                int from,
                int length,
                long stated,
                TextDecoder decoder,
                ByteWriter out) {
            plain.clear();
            plain.limitTo((int) stated);
            try {
                (isWrapped ? wrapped : unwrapped).unpack(packed, from, length, stated, plain);
                decoder.decode(plain.array(), 0, plain.size(), out);
            } finally {
                if (plain.array().length > LARGEST_KEPT) {
                    plain = new ByteWriter(1 << 10);
                }
            }
        }
    }
}
