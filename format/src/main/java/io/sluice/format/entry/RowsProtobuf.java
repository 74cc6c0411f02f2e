package io.sluice.format.entry;

import io.sluice.format.entry.RowImages.Image;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.util.Arrays;

/**
 * Writes the rows of an event as a protobuf {@code RowChange}.
 *
 * <p>Lengths are before what they measure: room for each is left as long as it will probably be, and what follows is
 * moved in the rare case that it is not. For one thread.
 */
final class RowsProtobuf {
    private static final int TAG_TABLE_ID = 0x08;
    private static final int TAG_EVENT_TYPE = 0x10;
    private static final int TAG_IS_DDL = 0x50;
    private static final int TAG_ROW_DATAS = 0x62;

    /** {@code updated}, {@code isNull} with its tag, and the tag of the value. */
    private static final int FLAG_BYTES = 4;

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
        MappedTable table = entry.table();
        EventType type = entry.eventType();
        images.open(entry);
        if (beforeTexts.length < table.columns.length) {
            beforeTexts = new int[table.columns.length];
            beforeTextLengths = new int[table.columns.length];
            beforeStarts = new int[table.columns.length];
            beforeEnds = new int[table.columns.length];
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
                case INSERT -> writeImage(out, true, table, images.next());
                case DELETE -> writeImage(out, false, table, images.next());
                default -> writeUpdate(out, table);
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

    private void writeImage(ByteWriter out, boolean after, MappedTable table, Image image) {
        byte[] bytes = images.bytes();
        MappedColumn[] columns = table.columns;
        int[] lengths = image.lengths;
        int[] offsets = image.offsets;
        int room = room(table, image);
        out.ensure(room);
        byte[] target = out.array();
        int to = out.size();
        for (int i = 0; i < columns.length; i++) {
            MappedColumn column = columns[i];
            int length = lengths[i];
            if (length >= 0 && length <= RowImages.LARGE && column.bounded) {
                int at = offsets[i];
                byte[] head = after ? column.afterHead : column.beforeHead;
                if (column.mayBeWide && column.type.isWide(bytes, at)) {
                    head = after ? column.wideAfterHead : column.wideBeforeHead;
                }
                to = putColumn(target, to, head, column, bytes, at, length);
            } else if (length == RowImages.NULL) {
                to = putNull(target, to, column, after);
            } else if (length != RowImages.ABSENT) {
                out.setSize(to);
                int tag = after ? MappedColumn.TAG_AFTER_COLUMNS : MappedColumn.TAG_BEFORE_COLUMNS;
                if (length >= 0) {
                    writeColumn(out, tag, column, bytes, offsets[i], length, after ? 1 : 0);
                } else {
                    int ready = RowImages.rebuiltLength(length);
                    writeColumn(out, tag, column.rebuilt, images.rebuilt(), offsets[i], ready, after ? 1 : 0);
                }
                out.ensure(room);
                target = out.array();
                to = out.size();
            }
        }
        out.setSize(to);
    }

    private static int room(MappedTable table, Image image) {
        return table.protobufRoom + 3 * image.smallBytes();
    }

    private void writeUpdate(ByteWriter out, MappedTable table) {
        MappedColumn[] columns = table.columns;
        Image before = images.next();
        writeBefore(out, table, before);
        Image after = images.nextAfter();
        int room = room(table, after);
        out.ensure(room);
        int sameFrom = 0;
        for (int i = 0; i < columns.length; i++) {
            if (images.isSame(i)) {
                continue;
            }
            if (sameFrom < i) {
                copyBefore(out, sameFrom, i);
                out.ensure(room);
            }
            sameFrom = i + 1;
            writeChanged(out, columns[i], i, before, after);
            out.ensure(room);
        }
        if (sameFrom < columns.length) {
            copyBefore(out, sameFrom, columns.length);
        }
    }

    /** Appends a column of the image after whose bytes are not those before. */
    private void writeChanged(ByteWriter out, MappedColumn column, int index, Image before, Image after) {
        int length = after.lengths[index];
        if (length >= 0) {
            int at = after.offsets[index];
            byte[] bytes = images.bytes();
            if (length <= RowImages.LARGE && column.bounded) {
                byte[] head =
                        column.mayBeWide && column.type.isWide(bytes, at) ? column.wideAfterHead : column.afterHead;
                out.setSize(putColumn(out.array(), out.size(), head, column, bytes, at, length));
            } else {
                writeColumn(out, MappedColumn.TAG_AFTER_COLUMNS, column, bytes, at, length, 1);
            }
            if (before.lengths[index] >= 0) {
                markUnchanged(out, index);
            }
        } else if (length == RowImages.NULL) {
            out.setSize(putNull(out.array(), out.size(), column, true));
        } else if (RowImages.isRebuilt(length)) {
            writeRebuilt(out, column, index, before, after);
        }
    }

    /** The image before, and where each of its columns and texts is. */
    private void writeBefore(ByteWriter out, MappedTable table, Image before) {
        byte[] bytes = images.bytes();
        MappedColumn[] columns = table.columns;
        int room = room(table, before);
        out.ensure(room);
        for (int i = 0; i < columns.length; i++) {
            MappedColumn column = columns[i];
            int length = before.lengths[i];
            beforeStarts[i] = out.size();
            if (length >= 0) {
                int at = before.offsets[i];
                if (length <= RowImages.LARGE && column.bounded) {
                    byte[] head = column.mayBeWide && column.type.isWide(bytes, at)
                            ? column.wideBeforeHead
                            : column.beforeHead;
                    out.setSize(putColumn(out.array(), out.size(), head, column, bytes, at, length));
                } else {
                    writeColumn(out, MappedColumn.TAG_BEFORE_COLUMNS, column, bytes, at, length, 0);
                    out.ensure(room);
                }
                beforeTexts[i] = textAt;
                beforeTextLengths[i] = textLength;
            } else if (length == RowImages.NULL) {
                out.setSize(putNull(out.array(), out.size(), column, false));
                out.ensure(room);
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
            target[to + beforeStarts[i] - from] = MappedColumn.TAG_AFTER_COLUMNS;
        }
        out.setSize(to + length);
    }

    /** Puts a column that is NULL where there is room for it; returns where it ends. */
    private static int putNull(byte[] target, int to, MappedColumn column, boolean after) {
        byte[] bytes = column.nullColumn;
        System.arraycopy(bytes, 0, target, to, bytes.length);
        if (after) {
            target[to] = MappedColumn.TAG_AFTER_COLUMNS;
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
            byte[] target, int start, byte[] head, MappedColumn column, byte[] bytes, int at, int length) {
        byte[] suffix = column.typeTexts.protobuf();
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
        System.arraycopy(head, MappedColumn.PREFIX_AT, target, put, head.length - 3);
        ByteWriter.putVarint(target, put + head.length - 3, count);
        return moved + count;
    }

    /** A value that was logged as differences, whose text is ready. */
    private void writeRebuilt(ByteWriter out, MappedColumn column, int index, Image before, Image after) {
        byte[] texts = images.rebuilt();
        int length = RowImages.rebuiltLength(after.lengths[index]);
        writeColumn(out, MappedColumn.TAG_AFTER_COLUMNS, column.rebuilt, texts, after.offsets[index], length, 1);
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
        byte[] head = column.mayBeWide && column.type.isWide(bytes, at) ? column.wideAfterHead : column.afterHead;
        byte[] suffix = column.typeTexts.protobuf();
        int prefixLength = head.length - MappedColumn.PREFIX_AT - MappedColumn.AFTER_PREFIX;
        int valueLengthBytes = varintLength(length);
        int fixed = prefixLength + FLAG_BYTES + suffix.length;
        int columnLengthBytes = varintLength(fixed + valueLengthBytes + length + 4);

        int start = out.size();
        int headLength = 1 + columnLengthBytes + prefixLength + FLAG_BYTES + valueLengthBytes;
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
        System.arraycopy(head, MappedColumn.PREFIX_AT, written, put, prefixLength);
        put += prefixLength;
        written[put++] = (byte) updated;
        written[put++] = MappedColumn.TAG_IS_NULL;
        written[put++] = 0;
        written[put++] = MappedColumn.TAG_VALUE;
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
