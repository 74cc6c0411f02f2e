package io.sluice.format.debezium;

import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.value.Digits;
import io.sluice.format.value.JsonText;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the messages of {@link DebeziumFormat}. */
final class DebeziumEncoder implements MessageEncoder {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final int SRID_BYTES = 4;
    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(StandardCharsets.US_ASCII);

    private final RowImages images = new RowImages();
    private ByteWriter text = new ByteWriter(256);

    @Override
    public boolean encode(Entry entry, BatchOrigin batch, ByteWriter out) {
        if (entry instanceof UnreadRowsEntry unread) {
            throw unread.tooLarge();
        }
        if (entry instanceof EncodedEntry) {
            throw new IllegalStateException("was encoded ahead in another format: " + entry.changeId());
        }
        if (!(entry instanceof RowsEntry rows)) {
            return false;
        }
        int start = out.size();
        try {
            write(rows, batch, out);
            return true;
        } catch (MalformedEventException e) {
            out.setSize(start);
            throw rows.located(e);
        } catch (RuntimeException e) {
            out.setSize(start);
            throw e;
        } finally {
            images.close();
            if (text.array().length > MAX_KEPT_BYTES) {
                text = new ByteWriter(256);
            }
        }
    }

    private void write(RowsEntry entry, BatchOrigin batch, ByteWriter out) {
        DebeziumTable table = entry.table().prepared(DebeziumTable.class, DebeziumTable::of);
        DebeziumColumn[] columns = table.columns();
        text.limitTo(out.limit());
        entry.open(images);
        RowImage first = images.next();
        switch (entry.eventType()) {
            case INSERT -> {
                out.writeAscii("{\"before\":null,\"after\":");
                writeImage(columns, first, null, out);
            }
            case DELETE -> {
                out.writeAscii("{\"before\":");
                writeImage(columns, first, null, out);
                out.writeAscii(",\"after\":null");
            }
            default -> {
                out.writeAscii("{\"before\":");
                writeImage(columns, first, null, out);
                out.writeAscii(",\"after\":");
                writeImage(columns, images.nextAfterWithDocuments(), first, out);
            }
        }
        if (images.hasNext()) {
            throw new IllegalStateException("several rows for one message: " + entry.changeId());
        }
        entry.counted(1);
        writeSource(entry, table, out);
        out.writeAscii(",\"op\":\"");
        out.writeAscii(
                switch (entry.eventType()) {
                    case INSERT -> "c";
                    case DELETE -> "d";
                    default -> "u";
                });
        out.writeAscii("\",\"ts_ms\":");
        Digits.writeLong(out, batch.builtAtMillis());
        out.writeAscii(",\"transaction\":");
        writeTransaction(entry.origin().gtid(), out);
        out.writeByte('}');
    }

    private static void writeSource(RowsEntry entry, DebeziumTable table, ByteWriter out) {
        Origin origin = entry.origin();
        LogFile file = origin.file();
        out.writeAscii(",\"source\":{\"connector\":\"mysql\",\"name\":");
        JsonText.writeString(out, file.source().host() + ":" + file.source().port());
        out.writeAscii(",\"ts_ms\":");
        Digits.writeLong(out, origin.timeMillis());
        out.writeAscii(",\"snapshot\":\"false\",\"db\":");
        out.write(table.schema());
        out.writeAscii(",\"table\":");
        out.write(table.name());
        out.writeAscii(",\"server_id\":");
        Digits.writeLong(out, origin.serverId());
        out.writeAscii(",\"gtid\":");
        writeText(gtidOf(origin.gtid()), out);
        out.writeAscii(",\"file\":");
        JsonText.writeString(out, file.name());
        out.writeAscii(",\"pos\":");
        Digits.writeLong(out, origin.offset());
        out.writeAscii(",\"row\":");
        Digits.writeLong(out, entry.changeId().row());
        out.writeByte('}');
    }

    private static @Nullable String gtidOf(@Nullable TransactionGtid transaction) {
        return transaction == null ? null : transaction.transaction();
    }

    private static void writeTransaction(@Nullable TransactionGtid transaction, ByteWriter out) {
        String gtid = gtidOf(transaction);
        if (gtid == null) {
            out.write(NULL);
            return;
        }
        out.writeAscii("{\"id\":");
        writeText(gtid, out);
        out.writeByte('}');
    }

    private static void writeText(@Nullable String value, ByteWriter out) {
        if (value == null) {
            out.write(NULL);
        } else {
            JsonText.writeString(out, value);
        }
    }

    /**
     * Writes a row. A document that is logged as the difference to one that the image before lacks is left out: its text is a function
     * there, which readers would take for the document.
     *
     * @param before the image before if {@code image} is the one after an update; else null
     */
    private void writeImage(DebeziumColumn[] columns, RowImage image, @Nullable RowImage before, ByteWriter out) {
        int start = out.size();
        for (int i = 0; i < columns.length; i++) {
            int length = image.lengths()[i];
            if (length == RowImage.ABSENT || RowImage.isRebuilt(length) && before != null && before.lengths()[i] < 0) {
                continue;
            }
            DebeziumColumn column = columns[i];
            out.write(column.start());
            if (length == RowImage.NULL) {
                out.write(NULL);
            } else if (RowImage.isRebuilt(length)) {
                writeQuoted(images.rebuilt(), image.offsets()[i], RowImage.rebuiltLength(length), out);
            } else {
                writeValue(column, image.offsets()[i], length, out);
            }
        }
        JsonText.closeObject(out, start);
    }

    private static void writeQuoted(byte[] utf8, int at, int length, ByteWriter out) {
        out.writeByte('"');
        int from = out.size();
        out.write(utf8, at, length);
        JsonText.escapeFrom(out, from);
        out.writeByte('"');
    }

    private void writeValue(DebeziumColumn column, int at, int length, ByteWriter out) {
        if (column.form() == DebeziumColumn.Form.NUMBER) {
            column.type().writeText(images.bytes(), at, length, out);
            return;
        }
        text.clear();
        column.type().writeText(images.bytes(), at, length, text);
        switch (column.form()) {
            case BOOLEAN -> out.writeAscii(isZero() ? "false" : "true");
            case BYTES -> {
                decodeBytes(column.minBytes());
                writeBytes(0, out);
            }
            case GEOMETRY -> {
                decodeBytes(0);
                writeGeometry(out);
            }
            case ENUM -> writeMember(column.members(), out);
            case SET -> writeMembers(column.members(), out);
            default -> writeQuoted(text.array(), 0, text.size(), out);
        }
    }

    private boolean isZero() {
        return text.size() == 1 && text.array()[0] == '0';
    }

    /** Makes the text, which has a character for each byte, the byte string that it is of, with zero bytes at its end if that is shorter. */
    private void decodeBytes(int min) {
        byte[] bytes = text.array();
        int end = text.size();
        int size = 0;
        for (int at = 0; at < end; size++) {
            int first = bytes[at++];
            bytes[size] = (byte)
                    (first >= 0
                            ? first
                            : first << 6 | bytes[at++] & 0x3F); // a character below U+0100 has two bytes at most
        }
        text.setSize(size);
        while (text.size() < min) {
            text.writeByte(0);
        }
    }

    /** Writes the byte string. */
    private void writeBytes(int from, ByteWriter out) {
        out.writeByte('"');
        writeBase64(text.array(), from, text.size(), out);
        out.writeByte('"');
    }

    private static void writeBase64(byte[] bytes, int from, int end, ByteWriter out) {
        out.ensure((end - from + 2) / 3 * 4);
        byte[] target = out.array();
        int to = out.size();
        int at = from;
        for (; at < end - 2; at += 3) {
            int bits = (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | bytes[at + 2] & 0xFF;
            target[to++] = BASE64[bits >>> 18];
            target[to++] = BASE64[bits >>> 12 & 0x3F];
            target[to++] = BASE64[bits >>> 6 & 0x3F];
            target[to++] = BASE64[bits & 0x3F];
        }
        if (at < end) {
            boolean isTwo = at + 1 < end;
            int bits = (bytes[at] & 0xFF) << 16 | (isTwo ? (bytes[at + 1] & 0xFF) << 8 : 0);
            target[to++] = BASE64[bits >>> 18];
            target[to++] = BASE64[bits >>> 12 & 0x3F];
            target[to++] = isTwo ? BASE64[bits >>> 6 & 0x3F] : (byte) '=';
            target[to++] = '=';
        }
        out.setSize(to);
    }

    /** MySQL stores the SRID, little-endian, before the WKB. */
    private void writeGeometry(ByteWriter out) {
        byte[] bytes = text.array();
        if (text.size() < SRID_BYTES) {
            writeBytes(0, out);
            return;
        }
        long srid = bytes[0] & 0xFF | (bytes[1] & 0xFF) << 8 | (bytes[2] & 0xFF) << 16 | (long) bytes[3] << 24;
        out.writeAscii("{\"wkb\":");
        writeBytes(SRID_BYTES, out);
        out.writeAscii(",\"srid\":");
        Digits.writeLong(out, srid & 0xFFFF_FFFFL);
        out.writeByte('}');
    }

    private long number() {
        return Long.parseUnsignedLong(new String(text.array(), 0, text.size(), StandardCharsets.US_ASCII));
    }

    /** Member 0 is the empty text that MySQL stores for a value that is none. */
    private void writeMember(List<String> members, ByteWriter out) {
        long number = number();
        if (number > members.size()) {
            writeQuoted(text.array(), 0, text.size(), out);
        } else {
            JsonText.writeString(out, number == 0 ? "" : members.get((int) number - 1));
        }
    }

    private void writeMembers(List<String> members, ByteWriter out) {
        long mask = number();
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < members.size(); i++) {
            if ((mask >>> i & 1) != 0) {
                names.append(names.isEmpty() ? "" : ",").append(members.get(i));
            }
        }
        JsonText.writeString(out, names.toString());
    }
}
