package io.sluice.parse.entry;

import io.sluice.parse.entry.RowImages.Image;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.util.Arrays;

/**
 * Writes the rows of an event as a protobuf {@code RowChange}.
 *
 * <p>Lengths stand before what they measure: room for each is left as long as it will probably be, and what follows is
 * moved in the rare case that it is not. For one thread.
 */
final class RowsProtobuf {
    private static final int TAG_TABLE_ID = 0x08;
    private static final int TAG_EVENT_TYPE = 0x10;
    private static final int TAG_IS_DDL = 0x50;
    private static final int TAG_ROW_DATAS = 0x62;
    private static final int TAG_BEFORE_COLUMNS = 0x0A;
    private static final int TAG_AFTER_COLUMNS = 0x12;
    private static final int TAG_IS_NULL = 0x30;
    private static final int TAG_VALUE = 0x42;

    /** {@code updated}, {@code isNull} with its tag, and the tag of the value. */
    private static final int FLAG_BYTES = 4;

    private final RowImages images = new RowImages();
    private int rowLengthBytes = 2;

    /** Where the texts of the image before stand in the output. */
    private int[] beforeTexts = {};

    private int[] beforeTextLengths = {};
    private int textAt;
    private int textLength;

    /** Appends the message; returns how many rows it has. */
    int write(RowsEntry entry, ByteWriter out) {
        MappedTable table = entry.table();
        EventType type = entry.eventType();
        images.open(entry);
        if (beforeTexts.length < table.columns.length) {
            beforeTexts = new int[table.columns.length];
            beforeTextLengths = new int[table.columns.length];
        }
        ProtobufFields.writeNumber(out, TAG_TABLE_ID, entry.tableId());
        ProtobufFields.writeNumber(out, TAG_EVENT_TYPE, type.getNumber());
        ProtobufFields.writeNumber(out, TAG_IS_DDL, 0);
        int rows = 0;
        while (images.hasNext()) {
            out.writeByte(TAG_ROW_DATAS);
            int lengthAt = out.size();
            out.ensure(rowLengthBytes);
            out.setSize(lengthAt + rowLengthBytes);
            switch (type) {
                case INSERT -> writeImage(out, TAG_AFTER_COLUMNS, table.columns, images.next(), 1);
                case DELETE -> writeImage(out, TAG_BEFORE_COLUMNS, table.columns, images.next(), 0);
                default -> writeUpdate(out, table.columns);
            }
            rowLengthBytes = ProtobufFields.closeLength(out, lengthAt, rowLengthBytes);
            rows++;
        }
        entry.counted(rows);
        return rows;
    }

    /** Lets go of the event. */
    void close() {
        images.close();
    }

    private void writeImage(ByteWriter out, int tag, MappedColumn[] columns, Image image, int updated) {
        byte[] bytes = images.bytes();
        for (int i = 0; i < columns.length; i++) {
            int length = image.lengths[i];
            if (length >= 0) {
                writeColumn(out, tag, columns[i], bytes, image.offsets[i], length, updated);
            } else if (length == RowImages.NULL) {
                writeNull(out, tag, columns[i], updated);
            } else if (RowImages.isRebuilt(length)) {
                int textLength = RowImages.rebuiltLength(length);
                writeColumn(out, tag, columns[i].rebuilt, images.rebuilt(), image.offsets[i], textLength, updated);
            }
        }
    }

    private void writeUpdate(ByteWriter out, MappedColumn[] columns) {
        byte[] bytes = images.bytes();
        Image before = images.next();
        for (int i = 0; i < columns.length; i++) {
            int length = before.lengths[i];
            if (length >= 0) {
                writeColumn(out, TAG_BEFORE_COLUMNS, columns[i], bytes, before.offsets[i], length, 0);
                beforeTexts[i] = textAt;
                beforeTextLengths[i] = textLength;
            } else if (length == RowImages.NULL) {
                writeNull(out, TAG_BEFORE_COLUMNS, columns[i], 0);
            }
        }
        Image after = images.nextAfter();
        for (int i = 0; i < columns.length; i++) {
            int length = after.lengths[i];
            if (length >= 0) {
                writeAfter(out, columns[i], i, before, after);
            } else if (length == RowImages.NULL) {
                writeNull(out, TAG_AFTER_COLUMNS, columns[i], before.lengths[i] == RowImages.NULL ? 0 : 1);
            } else if (RowImages.isRebuilt(length)) {
                writeRebuilt(out, columns[i], i, before, after);
            }
        }
    }

    private void writeAfter(ByteWriter out, MappedColumn column, int index, Image before, Image after) {
        byte[] bytes = images.bytes();
        int at = after.offsets[index];
        int length = after.lengths[index];
        int beforeAt = before.offsets[index];
        int beforeLength = before.lengths[index];
        if (beforeLength == length && Arrays.equals(bytes, beforeAt, beforeAt + length, bytes, at, at + length)) {
            writeColumn(out, TAG_AFTER_COLUMNS, column, bytes, at, length, 0);
            return;
        }
        writeColumn(out, TAG_AFTER_COLUMNS, column, bytes, at, length, 1);
        if (beforeLength >= 0) {
            markUnchanged(out, index);
        }
    }

    /** A value that was logged as differences, whose text is ready. */
    private void writeRebuilt(ByteWriter out, MappedColumn column, int index, Image before, Image after) {
        byte[] texts = images.rebuilt();
        int length = RowImages.rebuiltLength(after.lengths[index]);
        writeColumn(out, TAG_AFTER_COLUMNS, column.rebuilt, texts, after.offsets[index], length, 1);
        if (before.lengths[index] >= 0) {
            markUnchanged(out, index);
        }
    }

    /** Takes {@code updated} back from the column written last if its text is the one before. */
    private void markUnchanged(ByteWriter out, int index) {
        if (textLength == beforeTextLengths[index]) {
            byte[] written = out.array();
            int beforeText = beforeTexts[index];
            if (Arrays.equals(written, beforeText, beforeText + textLength, written, textAt, textAt + textLength)) {
                int updatedAt = textAt - ByteWriter.varintLength(textLength) - FLAG_BYTES;
                written[updatedAt] = 0;
            }
        }
    }

    private void writeColumn(
            ByteWriter out, int tag, MappedColumn column, byte[] bytes, int at, int length, int updated) {
        byte[] prefix = column.type.isWide(bytes, at) ? column.widePrefix : column.prefix;
        byte[] suffix = column.suffix;
        int valueLengthBytes = varintLength(length);
        int fixed = prefix.length + FLAG_BYTES + suffix.length;
        int columnLengthBytes = varintLength(fixed + valueLengthBytes + length + 4);

        int start = out.size();
        int headLength = 1 + columnLengthBytes + prefix.length + FLAG_BYTES + valueLengthBytes;
        out.ensure(headLength + length + suffix.length);
        out.setSize(start + headLength);
        column.type.writeText(bytes, at, length, out);
        int text = out.size() - start - headLength;

        int realValueLengthBytes = varintLength(text);
        int columnLength = fixed + realValueLengthBytes + text;
        int realColumnLengthBytes = varintLength(columnLength);
        int move = realValueLengthBytes - valueLengthBytes + realColumnLengthBytes - columnLengthBytes;
        if (move != 0) {
            out.ensure(Math.max(0, move));
            byte[] written = out.array();
            System.arraycopy(written, start + headLength, written, start + headLength + move, text);
            out.setSize(out.size() + move);
        }
        byte[] written = out.array();
        int put = start;
        written[put++] = (byte) tag;
        put = putVarint(written, put, columnLength);
        System.arraycopy(prefix, 0, written, put, prefix.length);
        put += prefix.length;
        written[put++] = (byte) updated;
        written[put++] = TAG_IS_NULL;
        written[put++] = 0;
        written[put++] = TAG_VALUE;
        put = putVarint(written, put, text);
        textAt = put;
        textLength = text;
        out.write(suffix);
    }

    /** Nearly all lengths within a column take one byte. */
    private static int varintLength(int length) {
        return length >= 0 && length < 0x80 ? 1 : ByteWriter.varintLength(length);
    }

    private static int putVarint(byte[] target, int at, int length) {
        if (length < 0x80) {
            target[at] = (byte) length;
            return at + 1;
        }
        return ByteWriter.putVarint(target, at, length);
    }

    private static void writeNull(ByteWriter out, int tag, MappedColumn column, int updated) {
        byte[] prefix = column.nullPrefix;
        byte[] suffix = column.suffix;
        out.ensure(prefix.length + suffix.length + 16);
        out.writeByte(tag);
        out.writeVarint(prefix.length + 3L + suffix.length);
        out.write(prefix);
        out.writeByte(updated);
        out.writeByte(TAG_IS_NULL);
        out.writeByte(1);
        out.write(suffix);
    }
}
