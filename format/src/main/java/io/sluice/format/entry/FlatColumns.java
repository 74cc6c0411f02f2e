package io.sluice.format.entry;

import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What flat messages say of a table's columns beside their values: {@code mysqlType}, {@code pkNames} and {@code sqlType}.
 *
 * <p>Nearly all messages have all columns that are delivered, with the same types; what these say is ready as bytes.
 * Immutable.
 */
final class FlatColumns {
    private static final int OBJECT_BYTES = 40;
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final MappedColumn[] columns;
    private final boolean[] delivered;
    private final int[] usualTypes;
    private final byte[] mysqlTypes;
    private final byte[] keyNames;
    private final byte[] sqlTypes;

    FlatColumns(MappedColumn[] columns) {
        this.columns = columns;
        delivered = new boolean[columns.length];
        usualTypes = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            delivered[i] = columns[i].delivered;
            usualTypes[i] = delivered[i] ? columns[i].type.sqlType() : 0;
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
                columns[i].writeJsonKey(out);
                out.write(columns[i].typeTexts.json());
            }
        }
        closeObject(out, start);
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
                columns[i].writeJsonName(out);
            }
        }
        if (separator == '[') {
            out.write(NULL);
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
                columns[i].writeJsonKey(out);
                Digits.writeLong(out, types[i]);
            }
        }
        closeObject(out, start);
    }

    /** How much memory it takes, roughly. */
    int heapBytes() {
        return OBJECT_BYTES
                + HeapBytes.ofArray(delivered.length)
                + HeapBytes.ofArray(Integer.BYTES * usualTypes.length)
                + HeapBytes.of(mysqlTypes)
                + HeapBytes.of(keyNames)
                + HeapBytes.of(sqlTypes);
    }

    /** The arrays of callers may be longer than the table has columns. */
    private boolean isAll(boolean[] present) {
        return Arrays.equals(present, 0, columns.length, delivered, 0, columns.length);
    }

    /** Makes an object of the members that were written from {@code start} on, each with a comma in front. */
    static void closeObject(ByteWriter out, int start) {
        if (out.size() == start) {
            out.writeByte('{');
        } else {
            out.array()[start] = '{'; // in place of the first member's comma
        }
        out.writeByte('}');
    }
}
