package io.sluice.stream.mapping;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.FullMetadata;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Derives a table schema from a table map with full metadata. Types are spelled as in a known schema where names and kinds
 * agree, else as the server would show them.
 */
final class MetadataSchema {
    private static final List<String> GEOMETRIES = List.of(
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geometrycollection");

    private MetadataSchema() {}

    /**
     * Whether a table schema has the same names, key and members of types, and no contradicting types and widths. Without a primary key, servers name a
     * unique key of columns that are not null, so a table schema that has none {@linkplain #mayLackKey may be right}.
     */
    static boolean agrees(TableMap map, FullMetadata full, TableSchema table) {
        if (!TypeFit.isExact(map, table)) {
            return false;
        }
        boolean isKeyed = isKeyed(table);
        for (int i = 0; i < full.names().size(); i++) {
            ColumnSchema column = table.columns().get(i);
            boolean sameKey = !isKeyed || column.primaryKey() == full.keys()[i] || isPeriodEnd(map, full, i);
            if (!IdentifierCase.areSame(column.name(), full.names().get(i))
                    || !sameKey
                    || !fits(map, full, i, column)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the table map names a key where the table schema has none: a unique key of columns that are not null, or a primary key that is not known. */
    static boolean mayLackKey(FullMetadata full, TableSchema table) {
        List<ColumnSchema> columns = table.columns();
        return !isKeyed(table)
                && IntStream.range(0, columns.size())
                        .anyMatch(i -> full.keys()[i] && !columns.get(i).isRowEnd());
    }

    static boolean isKeyed(TableSchema table) {
        return table.columns().stream().anyMatch(ColumnSchema::primaryKey);
    }

    private static boolean fits(TableMap map, FullMetadata full, int column, ColumnSchema schema) {
        return TypeFit.fits(map.types()[column], schema)
                && WidthFit.fits(map, column, schema)
                && (full.members().get(column) == null || members(full, column).equals(schema.members()));
    }

    /** MariaDB adds the end of a row's time to the key of a table with system versioning; no definition shows that. */
    private static boolean isPeriodEnd(TableMap map, FullMetadata full, int column) {
        int code = map.types()[column];
        return full.keys()[column] && (code == ColumnCode.TIMESTAMP2 || code == ColumnCode.TIMESTAMP);
    }

    /** Whether the last column of a table map, or one of its key, may be the end of a row's time in a table with system versioning. */
    static boolean mayHaveVersions(TableMap map, FullMetadata full) {
        int last = map.types().length - 1;
        return IntStream.rangeClosed(0, last).anyMatch(column -> isPeriodEnd(map, full, column))
                || last >= 0 && full.names().get(last).equalsIgnoreCase("row_end");
    }

    /** Derives the table schema; null if it has numbers of which neither tells whether they are unsigned. */
    static @Nullable TableSchema of(TableMap map, FullMetadata full, @Nullable TableSchema known) {
        List<ColumnSchema> columns = new ArrayList<>();
        boolean isKeyed = known == null || isKeyed(known);
        for (int i = 0; i < map.types().length; i++) {
            boolean isKey = isKeyed && full.keys()[i];
            String name = full.names().get(i);
            ColumnSchema old = known == null ? null : named(known, name);
            if (old != null && fits(map, full, i, old)) {
                columns.add(old.with(name, isKey));
            } else {
                boolean isSameKind = old != null && TypeFit.fits(map.types()[i], old);
                boolean[] unsigned = map.unsigned();
                if (unsigned == null && hasSign(map.types()[i]) && !isSameKind) {
                    return null;
                }
                boolean isUnsigned = unsigned != null ? unsigned[i] : old != null && isSameKind && old.unsigned();
                columns.add(new ColumnSchema(name, type(map, full, i, isUnsigned), isKey, isUnsigned, charset(map, i)));
            }
        }
        return new TableSchema(
                new TableName(map.schema(), map.table()), columns, known == null ? null : known.defaultCharset());
    }

    private static boolean hasSign(int type) {
        return switch (type) {
            case ColumnCode.TINY,
                    ColumnCode.SHORT,
                    ColumnCode.INT24,
                    ColumnCode.LONG,
                    ColumnCode.LONGLONG,
                    ColumnCode.FLOAT,
                    ColumnCode.DOUBLE,
                    ColumnCode.NEWDECIMAL -> true;
            default -> false;
        };
    }

    private static @Nullable ColumnSchema named(TableSchema table, String name) {
        for (ColumnSchema column : table.columns()) {
            if (IdentifierCase.areSame(column.name(), name)) {
                return column;
            }
        }
        return null;
    }

    /** The character set that a table map states for a column; null if it states none. */
    static @Nullable String charset(TableMap map, int column) {
        int[] collations = map.collations();
        if (map.types()[column] == ColumnCode.JSON) {
            return "utf8mb4";
        }
        return collations == null || collations[column] == 0 ? null : MySqlCharsets.charsetOf(collations[column]);
    }

    private static String type(TableMap map, FullMetadata full, int column, boolean isUnsigned) {
        int meta = map.metadata()[column];
        String charset = charset(map, column);
        boolean isBinary = "binary".equals(charset);
        String sign = isUnsigned ? " unsigned" : "";
        return switch (map.types()[column]) {
            case ColumnCode.TINY -> "tinyint" + sign;
            case ColumnCode.SHORT -> "smallint" + sign;
            case ColumnCode.INT24 -> "mediumint" + sign;
            case ColumnCode.LONG -> "int" + sign;
            case ColumnCode.LONGLONG -> "bigint" + sign;
            case ColumnCode.FLOAT -> "float" + sign;
            case ColumnCode.DOUBLE -> "double" + sign;
            case ColumnCode.NEWDECIMAL -> "decimal(%d,%d)%s".formatted(meta & 0xFF, meta >> 8, sign);
            case ColumnCode.BIT -> "bit(%d)".formatted((meta >> 8) * 8 + (meta & 0xFF));
            case ColumnCode.YEAR -> "year";
            case ColumnCode.DATE, ColumnCode.NEWDATE -> "date";
            case ColumnCode.TIME, ColumnCode.TIME2 -> fraction("time", meta);
            case ColumnCode.DATETIME, ColumnCode.DATETIME2 -> fraction("datetime", meta);
            case ColumnCode.TIMESTAMP, ColumnCode.TIMESTAMP2 -> fraction("timestamp", meta);
            case ColumnCode.VARCHAR, ColumnCode.VAR_STRING -> variable(meta, charset);
            case ColumnCode.MARIADB_VARCHAR_COMPRESSED ->
                variable(meta - 1, charset); // a byte tells how the value is compressed
            case ColumnCode.STRING ->
                isBinary ? "binary(%d)".formatted(meta) : "char(%d)".formatted(characters(meta, charset));
            case ColumnCode.TINY_BLOB,
                    ColumnCode.MEDIUM_BLOB,
                    ColumnCode.LONG_BLOB,
                    ColumnCode.BLOB,
                    ColumnCode.MARIADB_BLOB_COMPRESSED -> size(meta) + (isBinary ? "blob" : "text");
            case ColumnCode.JSON -> "json";
            case ColumnCode.GEOMETRY -> geometry(full.geometries()[column]);
            case ColumnCode.VECTOR -> "vector";
            case ColumnCode.ENUM -> "enum" + members(full, column);
            case ColumnCode.SET -> "set" + members(full, column);
            default -> "type " + map.types()[column];
        };
    }

    private static String variable(int bytes, @Nullable String charset) {
        return "binary".equals(charset)
                ? "varbinary(%d)".formatted(bytes)
                : "varchar(%d)".formatted(characters(bytes, charset));
    }

    private static String fraction(String type, int digits) {
        return digits == 0 ? type : "%s(%d)".formatted(type, digits);
    }

    private static int characters(int bytes, @Nullable String charset) {
        return charset == null ? bytes : bytes / Math.max(1, MySqlCharsets.longestCharacter(charset));
    }

    private static String size(int lengthBytes) {
        return switch (lengthBytes) {
            case 1 -> "tiny";
            case 3 -> "medium";
            case 4 -> "long";
            default -> "";
        };
    }

    private static String geometry(int kind) {
        return kind >= 0 && kind < GEOMETRIES.size() ? GEOMETRIES.get(kind) : "geometry";
    }

    private static String members(FullMetadata full, int column) {
        List<String> members = full.members().get(column);
        StringJoiner text = new StringJoiner(",", "(", ")");
        if (members != null) {
            members.forEach(member -> text.add("'" + member.replace("'", "''") + "'"));
        }
        return text.toString();
    }
}
