package io.sluice.stream.pipeline;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.ddl.ColumnSchema;
import io.sluice.schema.ddl.TableSchema;

/**
 * Checks whether a table schema can be that of a table map. Only kinds of types are compared, not sizes: one that is not known
 * here fits everything.
 */
final class TypeFit {
    private TypeFit() {}

    /** Whether the table schema has as many columns as the table map, and each is of the same kind. */
    static boolean isExact(TableMap map, TableSchema table) {
        return table.columns().size() == map.types().length && firstMismatch(map, table) < 0;
    }

    /** The first column, among those that both have, whose kinds differ; -1 if there is none. */
    static int firstMismatch(TableMap map, TableSchema table) {
        int both = Math.min(table.columns().size(), map.types().length);
        for (int i = 0; i < both; i++) {
            if (!fits(map.types()[i], table.columns().get(i))) {
                return i;
            }
        }
        return -1;
    }

    static boolean fits(int code, ColumnSchema column) {
        return switch (column.family()) {
            case INTEGER ->
                code == ColumnCode.TINY
                        || code == ColumnCode.SHORT
                        || code == ColumnCode.INT24
                        || code == ColumnCode.LONG
                        || code == ColumnCode.LONGLONG;
            case DECIMAL -> code == ColumnCode.NEWDECIMAL || code == 0; // 0 is the decimal of MySQL 4
            case FLOAT -> code == ColumnCode.FLOAT || code == ColumnCode.DOUBLE;
            case BIT -> code == ColumnCode.BIT;
            case TEMPORAL -> isTemporal(code);
            // A VARCHAR that is too long becomes a TEXT if the server is not strict.
            case CHAR, BINARY -> isString(code) || isBlob(code);
            case TEXT, BLOB -> isBlob(code);
            case ENUM -> code == ColumnCode.ENUM;
            case SET -> code == ColumnCode.SET;
            case JSON -> code == ColumnCode.JSON || isBlob(code);
            case GEOMETRY -> code == ColumnCode.GEOMETRY;
            case VECTOR, UUID, INET4, INET6, OTHER -> true;
        };
    }

    private static boolean isTemporal(int code) {
        return switch (code) {
            case ColumnCode.TIMESTAMP,
                    ColumnCode.DATE,
                    ColumnCode.TIME,
                    ColumnCode.DATETIME,
                    ColumnCode.YEAR,
                    ColumnCode.NEWDATE,
                    ColumnCode.TIMESTAMP2,
                    ColumnCode.DATETIME2,
                    ColumnCode.TIME2 -> true;
            default -> false;
        };
    }

    private static boolean isString(int code) {
        return switch (code) {
            case ColumnCode.STRING, ColumnCode.VARCHAR, ColumnCode.VAR_STRING, ColumnCode.MARIADB_VARCHAR_COMPRESSED ->
                true;
            default -> false;
        };
    }

    private static boolean isBlob(int code) {
        return switch (code) {
            case ColumnCode.TINY_BLOB,
                    ColumnCode.MEDIUM_BLOB,
                    ColumnCode.LONG_BLOB,
                    ColumnCode.BLOB,
                    ColumnCode.MARIADB_BLOB_COMPRESSED -> true;
            default -> false;
        };
    }
}
