package io.sluice.format.entry;

import io.sluice.format.entry.ChangeId.Part;
import io.sluice.format.entry.RowImages.Image;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an event as one flat JSON object. For one thread. */
final class RowsFlat {
    static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private static final int LARGEST_KEPT = 1 << 20;

    private final RowImages images = new RowImages();

    /** The {@code old} objects: made beside the data, since they follow it. */
    private ByteWriter old = new ByteWriter(1 << 12);

    private ByteWriter text = new ByteWriter(256);

    /** Per column: whether this row, or an earlier one, changed it; and the {@code sqlType} of the last row. */
    private boolean[] changed = {};

    private int[] sqlTypes = {};

    /** Per column: whether it is in the first row. */
    private boolean[] present = {};

    void write(RowsEntry entry, ByteWriter out, long batchId, long builtAtMillis) {
        MappedTable table = entry.table();
        MappedColumn[] columns = table.columns;
        RowChoice choice = entry.choice();
        old.limitTo(out.limit());
        text.limitTo(out.limit());
        EventSummary summary = choice == null || choice.part() != Part.WHOLE
                ? null
                : choice.of().summary(this);
        open(entry, columns);

        out.writeAscii("{\"data\":");
        int rows = entry.isUpdate() ? writeUpdates(entry, columns, summary, out) : writeImages(table, out);
        boolean[] shown = summary == null ? present : summary.present();
        int[] types = summary == null ? sqlTypes : summary.sqlTypes();
        out.writeAscii(",\"database\":");
        out.write(table.jsonSchema);
        FlatFields.writeTimeAndBatch(out, entry.origin(), batchId);
        out.writeAscii("false,\"mysqlType\":");
        table.flatColumns.writeMysqlTypes(out, shown);
        out.writeAscii(",\"old\":");
        if (entry.isUpdate() && rows > 0) {
            out.writeByte('[');
            out.write(old.array(), 0, old.size());
            out.writeByte(']');
        } else {
            out.write(NULL);
        }
        out.writeAscii(",\"pkNames\":");
        table.flatColumns.writeKeyNames(out, shown);
        out.writeAscii(",\"sql\":\"\",\"sqlType\":");
        table.flatColumns.writeSqlTypes(out, shown, types);
        out.writeAscii(",\"table\":");
        out.write(table.jsonTable);
        out.writeAscii(",\"ts\":");
        Digits.writeLong(out, builtAtMillis);
        out.writeAscii(",\"type\":\"");
        out.writeAscii(entry.eventType().name());
        out.writeAscii("\"}");
        entry.counted(rows);
    }

    /** Lets go of the event, and of what a large one has made large. */
    void close() {
        if (old.array().length > LARGEST_KEPT) {
            old = new ByteWriter(1 << 12);
        }
        if (text.array().length > LARGEST_KEPT) {
            text = new ByteWriter(256);
        }
        images.close();
    }

    private void open(RowsEntry entry, MappedColumn[] columns) {
        images.open(entry);
        if (changed.length < columns.length) {
            changed = new boolean[columns.length];
            present = new boolean[columns.length];
            sqlTypes = new int[columns.length];
        }
        Arrays.fill(changed, 0, columns.length, false);
        Arrays.fill(present, 0, columns.length, false);
        Arrays.fill(sqlTypes, 0, columns.length, 0); // as it stays for columns that are not delivered
        old.clear();
    }

    private int writeImages(MappedTable table, ByteWriter out) {
        int rows = 0;
        out.writeByte('[');
        while (images.hasNext()) {
            if (rows > 0) {
                out.writeByte(',');
            }
            writeRow(table, images.next(), out);
            rows++;
        }
        out.writeByte(']');
        return rows;
    }

    private int writeUpdates(RowsEntry entry, MappedColumn[] columns, @Nullable EventSummary summary, ByteWriter out) {
        RowChoice choice = entry.choice();
        int rows = 0;
        out.writeByte('[');
        while (images.hasNext()) {
            if (rows > 0) {
                out.writeByte(',');
                old.writeByte(',');
            }
            if (!entry.rules().oldAccumulates()) {
                Arrays.fill(changed, 0, columns.length, false);
            } else if (choice != null && summary != null && summary.changedSince() != null) {
                copyChanged(summary.changedSince(), choice.rows()[rows], columns.length);
            }
            Image before = images.next();
            Image after = images.nextAfter();
            writeRow(entry.table(), after, out);
            writeOld(columns, before, after);
            rows++;
        }
        out.writeByte(']');
        return rows;
    }

    private void copyChanged(int[] changedSince, int row, int columns) {
        for (int i = 0; i < columns; i++) {
            changed[i] = changedSince[i] <= row;
        }
    }

    /** What messages of some rows say of all rows of their event. */
    EventSummary summarize(RowsEntry whole, SplitRows rows) {
        MappedColumn[] columns = whole.table().columns;
        open(whole, columns);
        boolean follows = whole.isUpdate() && whole.rules().oldAccumulates();
        int[] changedSince = new int[columns.length];
        Arrays.fill(changedSince, Integer.MAX_VALUE);
        // All rows have the same columns but those with differences of values, and what changed is followed over all.
        int first = follows || whole.partialJson() != null ? 0 : rows.rowCount() - 1;
        for (int row = first; row < rows.rowCount(); row++) {
            images.moveTo(rows.start(row));
            Image before = images.next();
            Image after = whole.isUpdate() ? images.nextAfter() : before;
            for (int i = 0; i < columns.length; i++) {
                if (after.lengths[i] == RowImages.ABSENT) {
                    continue;
                }
                present[i] = true;
                sqlTypes[i] = sqlType(columns[i].type, after, i);
                if (follows && changedSince[i] > row && differs(columns[i].type, i, before, after)) {
                    changedSince[i] = row;
                }
            }
        }
        return new EventSummary(
                Arrays.copyOf(present, columns.length),
                Arrays.copyOf(sqlTypes, columns.length),
                follows ? changedSince : null);
    }

    private int sqlType(ColumnType type, Image image, int index) {
        int length = image.lengths[index];
        if (length == RowImages.NULL) {
            return type.sqlTypeOfNull();
        }
        return length >= 0 && type.isWide(images.bytes(), image.offsets[index]) ? type.sqlTypeOfWide() : type.sqlType();
    }

    private void writeRow(MappedTable table, Image image, ByteWriter out) {
        byte[] bytes = images.bytes();
        MappedColumn[] columns = table.columns;
        int[] lengths = image.lengths;
        int[] offsets = image.offsets;
        int room = table.jsonRoom + 6 * image.smallBytes();
        out.ensure(room);
        byte[] target = out.array();
        int start = out.size();
        int to = start;
        for (int i = 0; i < columns.length; i++) {
            int length = lengths[i];
            if (length == RowImages.ABSENT) {
                continue;
            }
            MappedColumn column = columns[i];
            present[i] = true;
            sqlTypes[i] = column.sqlType;
            if (length == RowImages.NULL) {
                to = putBytes(target, to, column.jsonStart) - 1; // without the quote
                to = putBytes(target, to, NULL);
                sqlTypes[i] = column.sqlTypeOfNull;
                continue;
            }
            int at = offsets[i];
            if (length >= 0 && column.mayBeWide && column.type.isWide(bytes, at)) {
                sqlTypes[i] = column.type.sqlTypeOfWide();
            }
            if (length >= 0 && length <= RowImages.LARGE && column.bounded) {
                to = putBytes(target, to, column.jsonStart);
                to = column.type.putJson(bytes, at, length, target, to);
                target[to++] = '"';
            } else {
                out.setSize(to);
                if (length >= 0) {
                    writeValue(column, bytes, at, length, out);
                } else {
                    writeValue(column.rebuilt, images.rebuilt(), at, RowImages.rebuiltLength(length), out);
                }
                out.ensure(room);
                target = out.array();
                to = out.size();
            }
        }
        out.setSize(to);
        FlatColumns.closeObject(out, start);
    }

    private static int putBytes(byte[] target, int to, byte[] bytes) {
        System.arraycopy(bytes, 0, target, to, bytes.length);
        return to + bytes.length;
    }

    private void writeOld(MappedColumn[] columns, Image before, Image after) {
        byte[] bytes = images.bytes();
        int start = old.size();
        for (int i = 0; i < columns.length; i++) {
            if (after.lengths[i] != RowImages.ABSENT && !changed[i]) {
                changed[i] = differs(columns[i].type, i, before, after);
            }
            int length = before.lengths[i];
            if (!changed[i] || length == RowImages.ABSENT) {
                continue;
            }
            if (length == RowImages.NULL) {
                columns[i].writeJsonKey(old);
                old.write(NULL);
            } else {
                writeValue(columns[i], bytes, before.offsets[i], length, old);
            }
        }
        FlatColumns.closeObject(old, start);
    }

    /** Whether the texts differ; they do not where the bytes do not, and mostly do where the bytes do. */
    private boolean differs(ColumnType type, int index, Image before, Image after) {
        int length = after.lengths[index];
        int beforeLength = before.lengths[index];
        if (length < 0 || beforeLength < 0) {
            return RowImages.isRebuilt(length) && beforeLength >= 0
                    ? differsRebuilt(type, index, before, after)
                    : length != beforeLength;
        }
        if (images.isSame(index)) {
            return false;
        }
        byte[] bytes = images.bytes();
        text.clear();
        type.writeText(bytes, before.offsets[index], beforeLength, text);
        int beforeText = text.size();
        type.writeText(bytes, after.offsets[index], length, text);
        return !Arrays.equals(text.array(), 0, beforeText, text.array(), beforeText, text.size());
    }

    private boolean differsRebuilt(ColumnType type, int index, Image before, Image after) {
        text.clear();
        type.writeText(images.bytes(), before.offsets[index], before.lengths[index], text);
        int at = after.offsets[index];
        int to = at + RowImages.rebuiltLength(after.lengths[index]);
        return !Arrays.equals(text.array(), 0, text.size(), images.rebuilt(), at, to);
    }

    private static void writeValue(MappedColumn column, byte[] bytes, int at, int length, ByteWriter out) {
        ColumnType type = column.type;
        out.write(column.jsonStart);
        int from = out.size();
        type.writeText(bytes, at, length, out);
        if (!type.isPlain()) {
            JsonString.escapeFrom(out, from);
        }
        out.writeByte('"');
    }
}
