package io.sluice.format.protobuf;

import io.sluice.format.entry.RowsEntry;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.value.ColumnType;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.util.Arrays;

/**
 * Writes the rows of an event as a protobuf {@code RowChange}.
 *
 * <p>A length precedes what it measures: as many bytes are reserved for it as it will probably take, and what follows is moved in the
 * rare case that it takes more or fewer. For one thread.
 */
final class RowsProtobuf {
    private static final int TAG_TABLE_ID = 0x08;
    private static final int TAG_EVENT_TYPE = 0x10;
    private static final int TAG_IS_DDL = 0x50;
    private static final int TAG_ROW_DATAS = 0x62;

    /** {@code updated}, {@code isNull} with its tag, and the tag of the value. */
    private static final int FLAG_BYTES = 4;

    /** How many bytes a byte of a value takes at most as text. */
    private static final int BYTES_OF_CHARACTER = 3;

    private final RowImages images = new RowImages();
    private int rowLengthBytes = 2;

    /** Where the columns of the image before are in the output, and their texts. */
    private int[] beforeStarts = {};

    private int[] beforeEnds = {};
    private int[] beforeTexts = {};

    private int[] beforeTextLengths = {};
    private int textAt;
    private int textLength;

    /** Appends the message; returns how many rows it has. */
    int write(RowsEntry entry, ByteWriter out) {
        ProtobufColumns columns = ProtobufTable.of(entry.table()).columns;
        EventType type = entry.eventType();
        entry.open(images);
        fit(columns.all.length);
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
                case INSERT -> writeImage(out, true, columns, images.next());
                case DELETE -> writeImage(out, false, columns, images.next());
                default -> writeUpdate(out, columns);
            }
            rowLengthBytes = ProtobufFields.closeLength(out, lengthAt, rowLengthBytes);
            rows++;
        }
        entry.counted(rows);
        return rows;
    }

    private void fit(int columns) {
        if (beforeTexts.length < columns) {
            beforeTexts = new int[columns];
            beforeTextLengths = new int[columns];
            beforeStarts = new int[columns];
            beforeEnds = new int[columns];
        }
    }

    /** Lets go of the event. */
    void close() {
        images.close();
    }

    private void writeImage(ByteWriter out, boolean after, ProtobufColumns table, RowImage image) {
        int room = room(table, image);
        if (out.tryEnsure(room)) {
            writeColumns(out, after, table.all, 0, table.all.length, image, room);
        } else {
            writeOneByOne(out, after, table.all, 0, image);
        }
    }

    /** Writes columns where there is not as much room as all of them might need, though they probably take less. */
    private void writeOneByOne(ByteWriter out, boolean after, ProtobufColumn[] columns, int from, RowImage image) {
        for (int i = from; i < columns.length; i++) {
            int room = room(columns[i]);
            out.ensure(room);
            writeColumns(out, after, columns, i, i + 1, image, room);
        }
    }

    /**
     * Writes some columns of an image.
     *
     * @param room what those need at most whose values are not large; the output has it
     */
    private void writeColumns(
            ByteWriter out, boolean after, ProtobufColumn[] columns, int from, int end, RowImage image, int room) {
        byte[] bytes = images.bytes();
        int[] lengths = image.lengths();
        int[] offsets = image.offsets();
        byte[] target = out.array();
        int to = out.size();
        for (int i = from; i < end; i++) {
            ProtobufColumn column = columns[i];
            int length = lengths[i];
            if (length >= 0 && length <= RowImage.LARGE && column.bounded) {
                int at = offsets[i];
                byte[] head = after ? column.afterHead : column.beforeHead;
                if (column.mayBeWide && column.type.isWide(bytes, at)) {
                    head = after ? column.wideAfterHead : column.wideBeforeHead;
                }
                to = putColumn(target, to, head, column, bytes, at, length);
            } else if (length == RowImage.NULL) {
                to = putNull(target, to, column, after);
            } else if (length != RowImage.ABSENT) {
                out.setSize(to);
                int tag = after ? ProtobufColumn.TAG_AFTER_COLUMNS : ProtobufColumn.TAG_BEFORE_COLUMNS;
                if (length >= 0) {
                    writeColumn(out, tag, column, bytes, offsets[i], length, after ? 1 : 0);
                } else {
                    int ready = RowImage.rebuiltLength(length);
                    writeReady(out, tag, column, offsets[i], ready, after ? 1 : 0);
                }
                if (i + 1 < end && !out.tryEnsure(room)) {
                    writeOneByOne(out, after, columns, i + 1, image);
                    return;
                }
                target = out.array();
                to = out.size();
            }
        }
        out.setSize(to);
    }

    private static int room(ProtobufColumns table, RowImage image) {
        return table.room + BYTES_OF_CHARACTER * image.smallBytes();
    }

    /** What a column needs at most whose value is not large. */
    private static int room(ProtobufColumn column) {
        return column.room() + BYTES_OF_CHARACTER * RowImage.LARGE;
    }

    private void writeUpdate(ByteWriter out, ProtobufColumns table) {
        ProtobufColumn[] columns = table.all;
        RowImage before = images.next();
        writeBefore(out, table, before);
        RowImage after = images.nextAfter();
        int sameFrom = 0;
        for (int i = 0; i < columns.length; i++) {
            if (images.isSame(i)) {
                continue;
            }
            if (sameFrom < i) {
                copyBefore(out, sameFrom, i);
            }
            sameFrom = i + 1;
            out.ensure(room(columns[i]));
            writeChanged(out, columns[i], i, before, after);
        }
        if (sameFrom < columns.length) {
            copyBefore(out, sameFrom, columns.length);
        }
    }

    /** Appends a column of the image after whose bytes are not those before. */
    private void writeChanged(ByteWriter out, ProtobufColumn column, int index, RowImage before, RowImage after) {
        int length = after.lengths()[index];
        if (length >= 0) {
            int at = after.offsets()[index];
            byte[] bytes = images.bytes();
            if (length <= RowImage.LARGE && column.bounded) {
                byte[] head =
                        column.mayBeWide && column.type.isWide(bytes, at) ? column.wideAfterHead : column.afterHead;
                out.setSize(putColumn(out.array(), out.size(), head, column, bytes, at, length));
            } else {
                writeColumn(out, ProtobufColumn.TAG_AFTER_COLUMNS, column, bytes, at, length, 1);
            }
            if (before.lengths()[index] >= 0) {
                markUnchanged(out, column.type, index, before, after);
            }
        } else if (length == RowImage.NULL) {
            out.setSize(putNull(out.array(), out.size(), column, true));
        } else if (RowImage.isRebuilt(length)) {
            writeRebuilt(out, column, index, before, after);
        }
    }

    /** The image before, and where each of its columns and texts is. */
    private void writeBefore(ByteWriter out, ProtobufColumns table, RowImage before) {
        byte[] bytes = images.bytes();
        ProtobufColumn[] columns = table.all;
        int room = room(table, before);
        boolean isRoomy = out.tryEnsure(room);
        for (int i = 0; i < columns.length; i++) {
            ProtobufColumn column = columns[i];
            if (!isRoomy) {
                out.ensure(room(column));
            }
            int length = before.lengths()[i];
            beforeStarts[i] = out.size();
            if (length >= 0) {
                int at = before.offsets()[i];
                if (length <= RowImage.LARGE && column.bounded) {
                    byte[] head = column.mayBeWide && column.type.isWide(bytes, at)
                            ? column.wideBeforeHead
                            : column.beforeHead;
                    out.setSize(putColumn(out.array(), out.size(), head, column, bytes, at, length));
                } else {
                    writeColumn(out, ProtobufColumn.TAG_BEFORE_COLUMNS, column, bytes, at, length, 0);
                    isRoomy = isRoomy && out.tryEnsure(room);
                }
                beforeTexts[i] = textAt;
                beforeTextLengths[i] = textLength;
            } else if (length == RowImage.NULL) {
                out.setSize(putNull(out.array(), out.size(), column, false));
            }
            beforeEnds[i] = out.size();
        }
    }

    /** Columns that are the same after as before differ in their tags alone. */
    private void copyBefore(ByteWriter out, int first, int end) {
        int to = out.size();
        int from = beforeStarts[first];
        int length = beforeEnds[end - 1] - from;
        out.ensure(length);
        byte[] target = out.array();
        System.arraycopy(target, from, target, to, length);
        for (int i = first; i < end; i++) {
            target[to + beforeStarts[i] - from] = ProtobufColumn.TAG_AFTER_COLUMNS;
        }
        out.setSize(to + length);
    }

    /** Puts a column that is NULL where there is room for it; returns where it ends. */
    private static int putNull(byte[] target, int to, ProtobufColumn column, boolean after) {
        byte[] bytes = column.nullColumn;
        System.arraycopy(bytes, 0, target, to, bytes.length);
        if (after) {
            target[to] = ProtobufColumn.TAG_AFTER_COLUMNS;
            target[to + column.nullUpdatedAt] = 1;
        }
        return to + bytes.length;
    }

    /**
     * Puts a column where there is room for it.
     *
     * @param head all that is in front of the value's text
     * @return where it ends
     */
    private int putColumn(
            byte[] target, int start, byte[] head, ProtobufColumn column, byte[] bytes, int at, int length) {
        byte[] suffix = column.suffix;
        System.arraycopy(head, 0, target, start, head.length);
        int text = start + head.length;
        int end = column.type.put(bytes, at, length, target, text);
        int count = end - text;
        textLength = count;
        int columnLength = head.length - 2 + count + suffix.length;
        if (columnLength < 0x80) {
            target[start + 1] = (byte) columnLength;
            target[text - 1] = (byte) count;
        } else {
            end = lengthen(target, start, head, text, end, suffix.length);
        }
        textAt = end - count;
        System.arraycopy(suffix, 0, target, end, suffix.length);
        return end + suffix.length;
    }

    /** Puts lengths that take more than a byte in front of a text; returns where that ends then. */
    private static int lengthen(byte[] target, int start, byte[] head, int text, int end, int suffixLength) {
        int count = end - text;
        int valueLengthBytes = ByteWriter.varintLength(count);
        int columnLength = head.length - 3 + valueLengthBytes + count + suffixLength;
        int moved = text - 2 + valueLengthBytes + ByteWriter.varintLength(columnLength);
        System.arraycopy(target, text, target, moved, count);
        int put = ByteWriter.putVarint(target, start + 1, columnLength);
        System.arraycopy(head, ProtobufColumn.PREFIX_AT, target, put, head.length - 3);
        ByteWriter.putVarint(target, put + head.length - 3, count);
        return moved + count;
    }

    /** A value that was logged as differences, whose text is ready. */
    private void writeRebuilt(ByteWriter out, ProtobufColumn column, int index, RowImage before, RowImage after) {
        int length = RowImage.rebuiltLength(after.lengths()[index]);
        writeReady(out, ProtobufColumn.TAG_AFTER_COLUMNS, column, after.offsets()[index], length, 1);
        if (before.lengths()[index] >= 0) {
            markUnchanged(out, column.type, index, before, after);
        }
    }

    /** Takes {@code updated} back from the column written last if its text is the one before and no byte of the value is lost in it. */
    private void markUnchanged(ByteWriter out, ColumnType type, int index, RowImage before, RowImage after) {
        if (textLength == beforeTextLengths[index]) {
            byte[] written = out.array();
            int beforeText = beforeTexts[index];
            if (Arrays.equals(written, beforeText, beforeText + textLength, written, textAt, textAt + textLength)
                    && isSameValue(type, index, before, after)) {
                int updatedAt = textAt - ByteWriter.varintLength(textLength) - FLAG_BYTES;
                written[updatedAt] = 0;
            }
        }
    }

    private boolean isSameValue(ColumnType type, int index, RowImage before, RowImage after) {
        int length = after.lengths()[index];
        return length < 0
                ? images.isRebuiltSame(index)
                : type.isSameValue(
                        images.bytes(),
                        before.offsets()[index],
                        before.lengths()[index],
                        after.offsets()[index],
                        length);
    }

    /** A text that is ready in {@link RowImages#rebuilt}. */
    private void writeReady(ByteWriter out, int tag, ProtobufColumn column, int at, int length, int updated) {
        byte[] head = column.afterHead;
        int text = startColumn(out, head, column, length);
        out.write(images.rebuilt(), at, length);
        endColumn(out, tag, head, column, text, length, updated);
    }

    private void writeColumn(
            ByteWriter out, int tag, ProtobufColumn column, byte[] bytes, int at, int length, int updated) {
        byte[] head = column.mayBeWide && column.type.isWide(bytes, at) ? column.wideAfterHead : column.afterHead;
        int text = startColumn(out, head, column, length);
        column.type.writeText(bytes, at, length, out);
        endColumn(out, tag, head, column, text, length, updated);
    }

    /** Leaves room for what is in front of a text that is probably as long as its value; returns where the text starts. */
    private static int startColumn(ByteWriter out, byte[] head, ProtobufColumn column, int length) {
        int headLength = headLength(head, column, length);
        out.ensure(headLength + length + column.suffix.length);
        out.setSize(out.size() + headLength);
        return out.size();
    }

    /** How long all in front of the text is, if that is as long as its value. */
    private static int headLength(byte[] head, ProtobufColumn column, int length) {
        int prefixLength = head.length - ProtobufColumn.PREFIX_AT - ProtobufColumn.AFTER_PREFIX;
        int valueLengthBytes = varintLength(length);
        int fixed = prefixLength + FLAG_BYTES + column.suffix.length;
        return 1 + varintLength(fixed + valueLengthBytes + length + 4) + prefixLength + FLAG_BYTES + valueLengthBytes;
    }

    /** Writes what is in front of the text that was written from {@code from} on, moving it if need be, and what follows it. */
    private void endColumn(
            ByteWriter out, int tag, byte[] head, ProtobufColumn column, int from, int length, int updated) {
        byte[] suffix = column.suffix;
        int prefixLength = head.length - ProtobufColumn.PREFIX_AT - ProtobufColumn.AFTER_PREFIX;
        int text = out.size() - from;
        int valueLengthBytes = varintLength(text);
        int columnLength = prefixLength + FLAG_BYTES + suffix.length + valueLengthBytes + text;
        int reserved = headLength(head, column, length);
        int needed = 1 + varintLength(columnLength) + prefixLength + FLAG_BYTES + valueLengthBytes;
        int start = from - reserved;
        if (needed != reserved) {
            out.ensure(Math.max(0, needed - reserved));
            byte[] written = out.array();
            System.arraycopy(written, from, written, start + needed, text);
            out.setSize(out.size() + needed - reserved);
        }
        byte[] written = out.array();
        int put = start;
        written[put++] = (byte) tag;
        put = putVarint(written, put, columnLength);
        System.arraycopy(head, ProtobufColumn.PREFIX_AT, written, put, prefixLength);
        put += prefixLength;
        written[put++] = (byte) updated;
        written[put++] = ProtobufColumn.TAG_IS_NULL;
        written[put++] = 0;
        written[put++] = ProtobufColumn.TAG_VALUE;
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
}
