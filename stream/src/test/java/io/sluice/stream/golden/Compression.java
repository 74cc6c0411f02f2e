package io.sluice.stream.golden;

import com.github.luben.zstd.Zstd;
import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Packs recorded transactions as a source with {@code binlog_transaction_compression=ON} does. */
final class Compression {
    private static final int ZSTD = 0;
    private static final int NONE = 255;

    private Compression() {}

    /** The events of a case, without checksums and without its format description, which would ask for them. */
    static List<byte[]> events(GoldenCase golden) throws IOException {
        List<byte[]> events = new ArrayList<>();
        for (String name : golden.binlogs()) {
            long from = name.equals(golden.start().file()) ? golden.start().offset() : 4;
            long to = name.equals(golden.end().file()) ? golden.end().offset() : Long.MAX_VALUE;
            try (BinlogFile file = BinlogFile.open(golden.binlog(name), from, to)) {
                ByteWriter out = new ByteWriter(1 << 12);
                while (file.next(out) >= 0) {
                    byte[] event = Arrays.copyOf(out.array(), out.size() - 4);
                    setLength(event);
                    if (event[4] != EventCode.FORMAT_DESCRIPTION) {
                        events.add(event);
                    }
                    out.clear();
                }
            }
        }
        return events;
    }

    /** Packs the events from each BEGIN to its end into one; the others are as they were. */
    static List<byte[]> packed(List<byte[]> events, Random random) {
        List<byte[]> packed = new ArrayList<>();
        List<byte[]> open = null;
        for (byte[] event : events) {
            if (open == null && isStatement(event, "BEGIN")) {
                open = new ArrayList<>();
            }
            if (open == null) {
                packed.add(event);
                continue;
            }
            open.add(event);
            if (event[4] == EventCode.XID || isStatement(event, "COMMIT")) {
                packed.add(random.nextInt(4) == 0 ? payload(NONE, open) : payload(ZSTD, open));
                open = null;
            }
        }
        if (open != null) {
            packed.addAll(open);
        }
        return packed;
    }

    /** All but DDL in one payload, as if they were one transaction over all their tables. */
    static List<byte[]> inOne(List<byte[]> events, Random random) {
        List<byte[]> open = events.stream()
                .filter(event -> EventCode.isOfPayload(event[4]))
                .filter(event -> event[4] != EventCode.QUERY || isStatement(event, "BEGIN"))
                .toList();
        return List.of(payload(random.nextBoolean() ? NONE : ZSTD, open));
    }

    private static boolean isStatement(byte[] event, String sql) {
        String text = new String(event, StandardCharsets.ISO_8859_1);
        return event[4] == EventCode.QUERY && text.endsWith("\0" + sql);
    }

    private static byte[] payload(int compression, List<byte[]> events) {
        ByteWriter all = new ByteWriter(1 << 12);
        events.forEach(all::write);
        byte[] plain = all.toByteArray();
        byte[] content = compression == ZSTD ? Zstd.compress(plain, 3) : plain;
        byte[] last = events.get(events.size() - 1);
        return payload(last, compression, plain.length, content);
    }

    /** A payload event that ends where {@code last} does. */
    static byte[] payload(byte[] last, int compression, long unpackedBytes, byte[] content) {
        ByteWriter out = new ByteWriter(content.length + 64);
        out.write(Arrays.copyOf(last, EventHeader.LENGTH));
        out.array()[4] = EventCode.TRANSACTION_PAYLOAD;
        field(out, 2, compression);
        if (compression == ZSTD) {
            field(out, 3, unpackedBytes);
        }
        field(out, 1, content.length);
        out.writeByte(0);
        out.write(content);
        byte[] event = out.toByteArray();
        setLength(event);
        return event;
    }

    private static void field(ByteWriter out, int type, long value) {
        out.writeByte(type);
        out.writeByte(9);
        out.writeByte(254);
        for (int shift = 0; shift < 64; shift += 8) {
            out.writeByte((int) (value >> shift));
        }
    }

    private static void setLength(byte[] event) {
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(9, event.length);
    }
}
