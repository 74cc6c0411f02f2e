package io.sluice.format.flat;

import io.sluice.format.entry.RowsEntry;
import io.sluice.format.row.EventRows;
import io.sluice.format.row.RowChoice;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.row.RowPart;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.Digits;
import io.sluice.format.value.JsonText;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an event as one flat JSON object. For one thread. */
final class RowsFlat {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private static final int LARGEST_KEPT = 1 << 20;

    /** How many bytes a byte of a text takes at most. */
    private static final int BYTES_OF_ESCAPE = 6;

    private final FlatFields fields;
    private final RowImages images = new RowImages();

    /** The {@code old} objects: made beside the data, since they follow it. */
    private ByteWriter old = new ByteWriter(1 << 12);

    private ByteWriter text = new ByteWriter(256);

    /** Per column: whether this row, or an earlier one, changed it; and the {@code sqlType} of the last row. */
    private boolean[] changed = {};

    private int[] sqlTypes = {};

    /** Per column: whether it is in the first row. */
    private boolean[] present = {};

    /**
     * Makes a writer.
     *
     * @param fields those of the encoder, for the same thread
     */
    RowsFlat(FlatFields fields) {
        this.fields = fields;
    }

    void write(RowsEntry entry, ByteWriter out, long batchId, long builtAtMillis) {
        FlatTable table = FlatTable.of(entry.table());
        FlatColumns columns = table.columns;
        RowChoice choice = entry.choice();
        old.limitTo(out.limit());
        text.limitTo(out.limit());
        EventSummary summary = choice == null || choice.part() != RowPart.WHOLE ? null : summary(entry, choice.of());
        open(entry, columns.columns.length);

        out.writeAscii("{\"data\":");
        int rows = entry.isUpdate() ? writeUpdates(entry, columns, summary, out) : writeImages(columns, out);
        boolean[] shown = summary == null ? present : summary.present();
        int[] types = summary == null ? sqlTypes : summary.sqlTypes();
        out.writeAscii(",\"database\":");
        out.write(table.schema);
        fields.writeTimeAndBatch(out, entry.origin(), batchId);
        out.writeAscii("false,\"mysqlType\":");
        columns.writeMysqlTypes(out, shown);
        out.writeAscii(",\"old\":");
        if (entry.isUpdate() && rows > 0) {
            out.writeByte('[');
            out.write(old.array(), 0, old.size());
            out.writeByte(']');
        } else {
            out.write(NULL);
        }
        out.writeAscii(",\"pkNames\":");
        columns.writeKeyNames(out, shown);
        out.writeAscii(",\"sql\":\"\",\"sqlType\":");
        columns.writeSqlTypes(out, shown, types);
        out.writeAscii(",\"table\":");
        out.write(table.table);
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

    private void open(RowsEntry entry, int columns) {
        entry.open(images);
        if (changed.length < columns) {
            changed = new boolean[columns];
            present = new boolean[columns];
            sqlTypes = new int[columns];
        }
        Arrays.fill(changed, 0, columns, false);
        Arrays.fill(present, 0, columns, false);
        Arrays.fill(sqlTypes, 0, columns, 0); // as it stays for columns that are not delivered
        old.clear();
    }

    private int writeImages(FlatColumns table, ByteWriter out) {
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

    private int writeUpdates(RowsEntry entry, FlatColumns table, @Nullable EventSummary summary, ByteWriter out) {
        RowChoice choice = entry.choice();
        int columns = table.columns.length;
        int rows = 0;
        out.writeByte('[');
        while (images.hasNext()) {
            if (rows > 0) {
                out.writeByte(',');
                old.writeByte(',');
            }
            if (!entry.rules().oldAccumulates()) {
                Arrays.fill(changed, 0, columns, false);
            } else if (choice != null && summary != null && summary.changedSince() != null) {
                copyChanged(summary.changedSince(), choice.rows()[rows], columns);
            }
            RowImage before = images.next();
            RowImage after = images.nextAfter();
            writeRow(table, after, out);
            writeOld(table.columns, before, after);
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

    /** The summary of an event; computed for the first message of some of its rows. */
    private EventSummary summary(RowsEntry entry, EventRows rows) {
        EventSummary known = rows.shared(EventSummary.class);
        if (known == null) {
            known = summarize(entry, rows);
            rows.share(known);
        }
        return known;
    }

    private EventSummary summarize(RowsEntry entry, EventRows rows) {
        FlatColumn[] columns = FlatTable.of(entry.table()).columns.columns;
        open(entry, columns.length);
        boolean follows = entry.isUpdate() && entry.rules().oldAccumulates();
        int[] changedSince = new int[columns.length];
        Arrays.fill(changedSince, Integer.MAX_VALUE);
        // All rows have the same columns but those with differences of values, and what changed is followed over all.
        int first = follows || entry.hasPartialJson() ? 0 : rows.lastWhole();
        for (int row = first; row < rows.count(); row++) {
            if (rows.isSplit(row)) {
                continue; // it is in messages of other types
            }
            images.moveTo(rows.start(row));
            RowImage before = images.next();
            RowImage after = entry.isUpdate() ? images.nextAfter() : before;
            for (int i = 0; i < columns.length; i++) {
                if (after.lengths()[i] == RowImage.ABSENT) {
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

    private int sqlType(ColumnType type, RowImage image, int index) {
        int length = image.lengths()[index];
        if (length == RowImage.NULL) {
            return type.sqlTypeOfNull();
        }
        return length >= 0 && type.isWide(images.bytes(), image.offsets()[index])
                ? type.sqlTypeOfWide()
                : type.sqlType();
    }

    private void writeRow(FlatColumns table, RowImage image, ByteWriter out) {
        int start = out.size();
        int room = table.room + BYTES_OF_ESCAPE * image.smallBytes();
        if (out.tryEnsure(room)) {
            writeColumns(table.columns, 0, table.columns.length, image, room, out);
        } else {
            writeOneByOne(table.columns, 0, image, out);
        }
        JsonText.closeObject(out, start);
    }

    /** Writes columns where there is not as much room as all of them might need, though they probably take less. */
    private void writeOneByOne(FlatColumn[] columns, int from, RowImage image, ByteWriter out) {
        for (int i = from; i < columns.length; i++) {
            int room = columns[i].room() + BYTES_OF_ESCAPE * RowImage.LARGE;
            out.ensure(room);
            writeColumns(columns, i, i + 1, image, room, out);
        }
    }

    /**
     * Writes some columns.
     *
     * @param room what those need at most whose values are not large; the output has it
     */
    private void writeColumns(FlatColumn[] columns, int from, int end, RowImage image, int room, ByteWriter out) {
        byte[] bytes = images.bytes();
        int[] lengths = image.lengths();
        int[] offsets = image.offsets();
        byte[] target = out.array();
        int to = out.size();
        for (int i = from; i < end; i++) {
            int length = lengths[i];
            if (length == RowImage.ABSENT) {
                continue;
            }
            FlatColumn column = columns[i];
            present[i] = true;
            sqlTypes[i] = column.sqlType;
            if (length == RowImage.NULL) {
                to = putBytes(target, to, column.start) - 1; // without the quote
                to = putBytes(target, to, NULL);
                sqlTypes[i] = column.sqlTypeOfNull;
                continue;
            }
            int at = offsets[i];
            if (length >= 0 && column.mayBeWide && column.type.isWide(bytes, at)) {
                sqlTypes[i] = column.type.sqlTypeOfWide();
            }
            if (length >= 0 && length <= RowImage.LARGE && column.bounded) {
                to = putBytes(target, to, column.start);
                to = column.type.putJson(bytes, at, length, target, to);
                target[to++] = '"';
            } else {
                out.setSize(to);
                if (length >= 0) {
                    writeValue(column, bytes, at, length, out);
                } else {
                    writeReady(column, at, RowImage.rebuiltLength(length), out);
                }
                if (i + 1 < end && !out.tryEnsure(room)) {
                    writeOneByOne(columns, i + 1, image, out);
                    return;
                }
                target = out.array();
                to = out.size();
            }
        }
        out.setSize(to);
    }

    private static int putBytes(byte[] target, int to, byte[] bytes) {
        System.arraycopy(bytes, 0, target, to, bytes.length);
        return to + bytes.length;
    }

    private void writeOld(FlatColumn[] columns, RowImage before, RowImage after) {
        byte[] bytes = images.bytes();
        int start = old.size();
        for (int i = 0; i < columns.length; i++) {
            if (after.lengths()[i] != RowImage.ABSENT && !changed[i]) {
                changed[i] = differs(columns[i].type, i, before, after);
            }
            int length = before.lengths()[i];
            if (!changed[i] || length == RowImage.ABSENT) {
                continue;
            }
            if (length == RowImage.NULL) {
                columns[i].writeKey(old);
                old.write(NULL);
            } else {
                writeValue(columns[i], bytes, before.offsets()[i], length, old);
            }
        }
        JsonText.closeObject(old, start);
    }

    /** Whether the texts differ; they do not where the bytes do not, and mostly do where the bytes do. */
    private boolean differs(ColumnType type, int index, RowImage before, RowImage after) {
        int length = after.lengths()[index];
        int beforeLength = before.lengths()[index];
        if (length < 0 || beforeLength < 0) {
            return RowImage.isRebuilt(length) && beforeLength >= 0
                    ? differsRebuilt(type, index, before, after)
                    : length != beforeLength;
        }
        if (images.isSame(index)) {
            return false;
        }
        byte[] bytes = images.bytes();
        text.clear();
        type.writeText(bytes, before.offsets()[index], beforeLength, text);
        int beforeText = text.size();
        type.writeText(bytes, after.offsets()[index], length, text);
        return !Arrays.equals(text.array(), 0, beforeText, text.array(), beforeText, text.size())
                || !type.isSameValue(bytes, before.offsets()[index], beforeLength, after.offsets()[index], length);
    }

    private boolean differsRebuilt(ColumnType type, int index, RowImage before, RowImage after) {
        text.clear();
        type.writeText(images.bytes(), before.offsets()[index], before.lengths()[index], text);
        int at = after.offsets()[index];
        int to = at + RowImage.rebuiltLength(after.lengths()[index]);
        return !Arrays.equals(text.array(), 0, text.size(), images.rebuilt(), at, to) || !images.isRebuiltSame(index);
    }

    /** A text that is ready in {@link RowImages#rebuilt}. */
    private void writeReady(FlatColumn column, int at, int length, ByteWriter out) {
        out.write(column.start);
        int from = out.size();
        out.write(images.rebuilt(), at, length);
        JsonText.escapeFrom(out, from);
        out.writeByte('"');
    }

    private static void writeValue(FlatColumn column, byte[] bytes, int at, int length, ByteWriter out) {
        ColumnType type = column.type;
        out.write(column.start);
        int from = out.size();
        type.writeText(bytes, at, length, out);
        if (!type.isPlain()) {
            JsonText.escapeFrom(out, from);
        }
        out.writeByte('"');
    }
}
