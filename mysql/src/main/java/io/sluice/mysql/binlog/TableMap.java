package io.sluice.mysql.binlog;

import io.sluice.mysql.charset.MySqlCharsets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@code TABLE_MAP_EVENT}: names the table that rows events with its id are about, and the binary types of its columns.
 *
 * <pre>
 *   0          6       8
 *   +----------+-------+--------+--------+-------+-----------+------+-------------+----------+
 *   | table id | flags | schema | table  | count | types     | size | metadata    | nullable | optional metadata
 *   | u48 LE   | u16   | len, 0 | len, 0 | lenc  | count × 1 | lenc | as per type | bits     | type u8, lenc, value
 *   +----------+-------+--------+--------+-------+-----------+------+-------------+----------+
 * </pre>
 *
 * <p>Source: MySQL's internals documentation, "Table_map_event". Arrays are not copied; do not change them.
 *
 * @param tableId what the rows events call it
 * @param schema the table's schema
 * @param table its name
 * @param types a type code per column; ENUM and SET are distinguished from strings
 * @param metadata per column: lengths, precisions and the like, as its type needs them; of an array the type of its elements
 * @param unsigned per column, whether it is unsigned; null if the event does not say
 * @param collations per column, the id of its collation, of MariaDB the {@linkplain MySqlCharsets#padded padded} one, 0 where it has none; null if the event does not say
 * @param full names and keys; null if the event does not say
 */
@SuppressWarnings("ArrayRecordComponent") // thousands of columns, read by index; never compared
public record TableMap(
        long tableId,
        String schema,
        String table,
        int[] types,
        int[] metadata,
        boolean @Nullable [] unsigned,
        int @Nullable [] collations,
        @Nullable FullMetadata full) {
    private static final int SIGNEDNESS = 1;
    private static final int DEFAULT_CHARSET = 2;
    private static final int COLUMN_CHARSET = 3;

    /** MySQL's limit is 4096; more can only be damage. */
    private static final int MAX_COLUMNS = 4096;

    /** Makes one without full metadata. */
    public TableMap(
            long tableId,
            String schema,
            String table,
            int[] types,
            int[] metadata,
            boolean @Nullable [] unsigned,
            int @Nullable [] collations) {
        this(tableId, schema, table, types, metadata, unsigned, collations, null);
    }

    /** Returns a table map of the first columns alone, at most as many as there are. */
    public TableMap first(int columns) {
        return new TableMap(
                tableId,
                schema,
                table,
                Arrays.copyOf(types, columns),
                Arrays.copyOf(metadata, columns),
                unsigned == null ? null : Arrays.copyOf(unsigned, columns),
                collations == null ? null : Arrays.copyOf(collations, columns),
                full == null ? null : full.first(columns));
    }

    /** Returns a table map without the columns of {@linkplain ColumnCode#TYPED_ARRAY multi-valued indexes}. */
    public TableMap withoutArrays() {
        int[] kept = IntStream.range(0, types.length)
                .filter(column -> types[column] != ColumnCode.TYPED_ARRAY)
                .toArray();
        if (kept.length == types.length) {
            return this;
        }
        boolean[] signs = unsigned;
        boolean[] signsOf = null;
        if (signs != null) {
            signsOf = new boolean[kept.length];
            for (int i = 0; i < kept.length; i++) {
                signsOf[i] = signs[kept[i]];
            }
        }
        return new TableMap(
                tableId,
                schema,
                table,
                of(types, kept),
                of(metadata, kept),
                signsOf,
                collations == null ? null : of(collations, kept),
                full == null ? null : full.of(kept));
    }

    private static int[] of(int[] values, int[] columns) {
        return Arrays.stream(columns).map(column -> values[column]).toArray();
    }

    /**
     * Reads the table id alone.
     *
     * @param body the event without header; left after the id
     * @param format how long a table id is
     */
    public static long readTableId(EventBody body, FormatDescription format) {
        return format.tableIdLength() == 6 ? body.readInt6() : body.readInt();
    }

    /** Decodes the event without header and checksum. */
    public static TableMap decode(EventBody body, FormatDescription format) {
        long tableId = readTableId(body, format);
        body.skip(2);
        String schema = body.readText(body.readByte(), StandardCharsets.UTF_8);
        body.skip(1);
        String table = body.readText(body.readByte(), StandardCharsets.UTF_8);
        body.skip(1);
        long columns = body.readPackedLong();
        if (columns > MAX_COLUMNS || columns > body.remaining()) {
            throw new MalformedEventException(
                    "the table map of %s.%s has %d columns".formatted(schema, table, columns));
        }
        int[] types = new int[(int) columns];
        for (int i = 0; i < types.length; i++) {
            types[i] = body.readByte();
        }
        int[] metadata = new int[types.length];
        EventBody meta = body.slice(body.readPackedLong());
        for (int i = 0; i < types.length; i++) {
            readMetadata(meta, types, metadata, i);
        }
        body.skip((columns + 7) / 8);

        boolean[] unsigned = null;
        int[] collations = null;
        FullMetadataDecoder full = new FullMetadataDecoder(types, format.mariaDb());
        while (body.remaining() > 0) {
            int field = body.readByte();
            EventBody value = body.slice(body.readPackedLong());
            switch (field) {
                case SIGNEDNESS ->
                    unsigned = hasKnownSignedness(types, metadata, format) ? signedness(value, types) : null;
                case DEFAULT_CHARSET ->
                    collations =
                            hasArrayOfTexts(types, metadata) ? null : defaultAndOthers(value, types, format.mariaDb());
                case COLUMN_CHARSET ->
                    collations = hasArrayOfTexts(types, metadata) ? null : each(value, types, format.mariaDb());
                default -> full.accept(field, value);
            }
        }
        return new TableMap(tableId, schema, table, types, metadata, unsigned, collations, full.decode());
    }

    private static void readMetadata(EventBody meta, int[] types, int[] metadata, int column) {
        switch (types[column]) {
            case ColumnCode.FLOAT,
                    ColumnCode.DOUBLE,
                    ColumnCode.TINY_BLOB,
                    ColumnCode.MEDIUM_BLOB,
                    ColumnCode.LONG_BLOB,
                    ColumnCode.BLOB,
                    ColumnCode.MARIADB_BLOB_COMPRESSED,
                    ColumnCode.GEOMETRY,
                    ColumnCode.JSON,
                    ColumnCode.VECTOR,
                    ColumnCode.TIMESTAMP2,
                    ColumnCode.DATETIME2,
                    ColumnCode.TIME2 -> metadata[column] = meta.readByte();
            case ColumnCode.VARCHAR, ColumnCode.MARIADB_VARCHAR_COMPRESSED, ColumnCode.BIT, ColumnCode.NEWDECIMAL ->
                metadata[column] = meta.readShort();
            case ColumnCode.STRING, ColumnCode.VAR_STRING, ColumnCode.ENUM, ColumnCode.SET -> {
                int first = meta.readByte();
                int second = meta.readByte();
                if ((first & 0x30) != 0x30) {
                    // Strings of more than 255 bytes keep two bits of their length in the real type, complemented.
                    types[column] = first | 0x30;
                    metadata[column] = second | ((first & 0x30) ^ 0x30) << 4;
                } else {
                    types[column] = first;
                    metadata[column] = second;
                }
            }
            case ColumnCode.TYPED_ARRAY, ColumnCode.FIRST_TYPED_ARRAY -> {
                types[column] = ColumnCode.TYPED_ARRAY;
                metadata[column] = meta.readByte();
                meta.skip(elementMetadataBytes(metadata[column]));
            }
            default -> {}
        }
    }

    /** How many bytes of metadata the type of an array's elements has: those of its own, but for longer texts. */
    private static int elementMetadataBytes(int type) {
        return switch (type) {
            case ColumnCode.FLOAT, ColumnCode.DOUBLE, ColumnCode.TIMESTAMP2, ColumnCode.DATETIME2, ColumnCode.TIME2 ->
                1;
            case ColumnCode.NEWDECIMAL -> 2;
            case ColumnCode.VARCHAR -> 3;
            default -> 0;
        };
    }

    /** Whether an array may have a collation among those of the columns, which would be one too many; the table schema is used then. */
    private static boolean hasArrayOfTexts(int[] types, int[] metadata) {
        return IntStream.range(0, types.length)
                .anyMatch(column -> types[column] == ColumnCode.TYPED_ARRAY && metadata[column] == ColumnCode.VARCHAR);
    }

    /** One bit too few or too many would shift all others; where the count is ambiguous, the table schema is used instead. */
    private static boolean hasKnownSignedness(int[] types, int[] metadata, FormatDescription format) {
        boolean hasArrayOfNumbers = IntStream.range(0, types.length)
                .anyMatch(column -> types[column] == ColumnCode.TYPED_ARRAY && ColumnCode.isNumeric(metadata[column]));
        return !hasArrayOfNumbers
                && (format.yearsHaveSignedness() || Arrays.stream(types).noneMatch(type -> type == ColumnCode.YEAR));
    }

    /** A bit per numeric column, the first in the highest bit. */
    private static boolean[] signedness(EventBody value, int[] types) {
        boolean[] unsigned = new boolean[types.length];
        int bit = 0;
        int octet = 0;
        for (int i = 0; i < types.length; i++) {
            if (ColumnCode.isNumeric(types[i])) {
                if (bit == 0) {
                    octet = value.readByte();
                }
                unsigned[i] = (octet & 0x80 >> bit) != 0;
                bit = (bit + 1) % 8;
            }
        }
        return unsigned;
    }

    /** One collation, and pairs of (column among those with characters, collation) where it is another. */
    private static int[] defaultAndOthers(EventBody value, int[] types, boolean mariaDb) {
        int[] collations = new int[types.length];
        int usual = FullMetadataDecoder.collation(value, mariaDb);
        int characterColumns = 0;
        int[] columnOf = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            if (ColumnCode.isCharacter(types[i], mariaDb)) {
                collations[i] = usual;
                columnOf[characterColumns++] = i;
            }
        }
        while (value.remaining() > 0) {
            long index = value.readPackedLong();
            if (index < 0 || index >= characterColumns) {
                throw new MalformedEventException("a table map gives a collation to column " + index
                        + " of those with characters, there are " + characterColumns);
            }
            collations[columnOf[(int) index]] = FullMetadataDecoder.collation(value, mariaDb);
        }
        return collations;
    }

    private static int[] each(EventBody value, int[] types, boolean mariaDb) {
        int[] collations = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            if (ColumnCode.isCharacter(types[i], mariaDb)) {
                collations[i] = FullMetadataDecoder.collation(value, mariaDb);
            }
        }
        return collations;
    }
}
