package io.sluice.format.flat;

import io.sluice.format.row.RowLayout;
import io.sluice.format.value.Digits;
import io.sluice.format.value.JsonText;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.Arrays;

/**
 * The fields of flat messages that describe a table's columns: {@code mysqlType}, {@code pkNames} and {@code sqlType}.
 *
 * <p>Nearly all messages have all columns that are delivered, with the same types; for these the fields are ready as bytes.
 * Immutable.
 */
final class FlatColumns {
    /** In the order of the table map. */
    final FlatColumn[] columns;

    /** How much room they need beside six times their values. */
    final int room;

    private final boolean[] delivered;
    private final int[] usualTypes;
    private final byte[] mysqlTypes;
    private final byte[] keyNames;
    private final byte[] sqlTypes;

    FlatColumns(RowLayout layout) {
        columns = layout.columns().stream().map(FlatColumn::new).toArray(FlatColumn[]::new);
        room = Arrays.stream(columns).mapToInt(FlatColumn::room).sum();
        delivered = new boolean[columns.length];
        usualTypes = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            delivered[i] = columns[i].delivered;
            usualTypes[i] = delivered[i] ? columns[i].sqlType : 0;
        }
        ByteWriter out = new ByteWriter(256);
        makeMysqlTypes(out, delivered);
        mysqlTypes = out.toByteArray();
        out.clear();
        makeKeyNames(out, delivered);
        keyNames = out.toByteArray();
        out.clear();
        makeSqlTypes(out, delivered, usualTypes);
        sqlTypes = out.toByteArray();
    }

    /** An object of the columns that are present and their types. */
    void writeMysqlTypes(ByteWriter out, boolean[] present) {
        if (isAll(present)) {
            out.write(mysqlTypes);
        } else {
            makeMysqlTypes(out, present);
        }
    }

    private void makeMysqlTypes(ByteWriter out, boolean[] present) {
        int start = out.size();
        for (int i = 0; i < columns.length; i++) {
            if (present[i]) {
                columns[i].writeKey(out);
                out.write(columns[i].mysqlType);
            }
        }
        JsonText.closeObject(out, start);
    }

    /** A list of those columns of the primary key that are present; null if there are none. */
    void writeKeyNames(ByteWriter out, boolean[] present) {
        if (isAll(present)) {
            out.write(keyNames);
        } else {
            makeKeyNames(out, present);
        }
    }

    private void makeKeyNames(ByteWriter out, boolean[] present) {
        int separator = '[';
        for (int i = 0; i < columns.length; i++) {
            if (present[i] && columns[i].key) {
                out.writeByte(separator);
                separator = ',';
                columns[i].writeName(out);
            }
        }
        if (separator == '[') {
            out.writeAscii("null");
        } else {
            out.writeByte(']');
        }
    }

    /** An object of the columns that are present and the given numbers. */
    void writeSqlTypes(ByteWriter out, boolean[] present, int[] types) {
        int count = columns.length;
        if (isAll(present) && Arrays.equals(types, 0, count, usualTypes, 0, count)) {
            out.write(sqlTypes);
        } else {
            makeSqlTypes(out, present, types);
        }
    }

    private void makeSqlTypes(ByteWriter out, boolean[] present, int[] types) {
        int start = out.size();
        for (int i = 0; i < columns.length; i++) {
            if (present[i]) {
                columns[i].writeKey(out);
                Digits.writeLong(out, types[i]);
            }
        }
        JsonText.closeObject(out, start);
    }

    /** The arrays of callers may be longer than the table has columns. */
    private boolean isAll(boolean[] present) {
        return Arrays.equals(present, 0, columns.length, delivered, 0, columns.length);
    }
}
