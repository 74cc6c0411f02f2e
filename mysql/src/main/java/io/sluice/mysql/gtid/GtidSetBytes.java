package io.sluice.mysql.gtid;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The binary form of a GTID set, as {@code COM_BINLOG_DUMP_GTID} and {@code PREVIOUS_GTIDS_EVENT} have it.
 *
 * <pre>
 *   0          8
 *   +----------+-----------------------------------------------------------------------------+--------
 *   | how many | source    | tag: length × 2 | tag  | intervals | first  | last + 1 | ...     | ...
 *   | u64 LE   | UUID, BE  | u8              |      | u64 LE    | u64 LE | u64 LE   |         |
 *   +----------+-----------------------------------------------------------------------------+--------
 * </pre>
 *
 * <p>Without tags, those fields are missing. With tags (MySQL 8.3 and later), the first and the last byte of the count are
 * 1, the count is in the six between them, and a source is there once for each of its tags. Sources: MySQL's
 * source code documentation, "Previous_gtids_event", and what servers of 8.0 and 9.7 write.
 */
public final class GtidSetBytes {
    private static final int TAGGED = 1;
    private static final int MAX_TAG_LENGTH = 32;

    private GtidSetBytes() {}

    /** Encodes a set; sources in the order of their UUIDs, as servers do. */
    public static byte[] encode(MySqlGtidSet set) {
        record Part(UUID source, String tag, Intervals intervals) {}
        List<Part> parts = new ArrayList<>();
        set.intervals()
                .forEach((source, tag, intervals) -> parts.add(new Part(UUID.fromString(source), tag, intervals)));
        parts.sort((a, b) -> {
            int bySource = a.source.toString().compareTo(b.source.toString());
            return bySource != 0 ? bySource : a.tag.compareTo(b.tag);
        });
        boolean tagged = set.hasTags();
        ByteWriter out = new ByteWriter(8 + parts.size() * 64);
        writeLong(out, tagged ? (long) TAGGED << 56 | (long) parts.size() << 8 | TAGGED : parts.size());
        for (Part part : parts) {
            writeLong(out, Long.reverseBytes(part.source.getMostSignificantBits()));
            writeLong(out, Long.reverseBytes(part.source.getLeastSignificantBits()));
            if (tagged) {
                out.writeByte(part.tag.length() << 1);
                out.writeAscii(part.tag);
            }
            List<Intervals.Interval> intervals = part.intervals.inOrder();
            writeLong(out, intervals.size());
            for (Intervals.Interval interval : intervals) {
                writeLong(out, interval.first());
                writeLong(out, interval.last() + 1);
            }
        }
        return out.toByteArray();
    }

    private static void writeLong(ByteWriter out, long value) {
        for (int shift = 0; shift < 64; shift += 8) {
            out.writeByte((int) (value >>> shift));
        }
    }

    /**
     * Decodes a set.
     *
     * @param bytes the array that holds it
     * @param from where it starts
     * @param length how many bytes it has, all of which are read
     * @throws IllegalArgumentException if they are no set
     */
    public static MySqlGtidSet decode(byte[] bytes, int from, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, from, length).order(ByteOrder.LITTLE_ENDIAN);
        try {
            MySqlGtidSet set = decode(in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException("%d bytes follow the end of a GTID set".formatted(in.remaining()));
            }
            return set;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a GTID set ends within its %d bytes".formatted(length), e);
        }
    }

    private static MySqlGtidSet decode(ByteBuffer in) {
        MySqlGtidSet.Builder set = new MySqlGtidSet.Builder();
        long count = in.getLong();
        boolean tagged = count >>> 56 == TAGGED;
        if (tagged) {
            count = count << 8 >>> 16;
        }
        for (long i = 0; i != count; i++) {
            in.order(ByteOrder.BIG_ENDIAN);
            UUID source = new UUID(in.getLong(), in.getLong());
            in.order(ByteOrder.LITTLE_ENDIAN);
            String tag = tagged ? readTag(in) : "";
            long intervals = in.getLong();
            for (long n = 0; n != intervals; n++) {
                set.add(source, tag, in.getLong(), in.getLong() - 1);
            }
        }
        return set.build();
    }

    private static String readTag(ByteBuffer in) {
        int twice = in.get() & 0xFF;
        if ((twice & 1) != 0 || twice > 2 * MAX_TAG_LENGTH) {
            throw new IllegalArgumentException("a tag of a GTID whose length is written as " + twice);
        }
        byte[] tag = new byte[twice >> 1];
        in.get(tag);
        return new String(tag, StandardCharsets.ISO_8859_1);
    }
}
