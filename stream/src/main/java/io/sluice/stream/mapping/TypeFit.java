package io.sluice.stream.mapping;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableSchema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a table schema can be that of a table map. Only kinds of types are compared, not sizes, which {@link
 * WidthFit} compares: one that is not known here fits everything.
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

    /**
     * Finds the columns that a table map has among those of a table schema, which has more. They are in the same order, and must fit by kind of type, and
     * numbers by width and sign. Compares the choice in which each column is as early as possible with that in which each is as late.
     *
     * @return null if no choice fits, or several do
     */
    static @Nullable List<ColumnSchema> onlyChoice(TableMap map, TableSchema table) {
        List<ColumnSchema> columns = table.columns();
        int wanted = map.types().length;
        int left = columns.size() - wanted;
        int[] earliest = new int[wanted];
        int at = 0;
        for (int i = 0; i < wanted; i++, at++) {
            while (at <= left + i && !fitsExactly(map, i, columns.get(at))) {
                at++;
            }
            if (at > left + i) {
                return null;
            }
            earliest[i] = at;
        }
        at = columns.size() - 1;
        for (int i = wanted - 1; i >= 0; i--, at--) {
            while (!fitsExactly(map, i, columns.get(at))) {
                at--;
            }
            if (at != earliest[i]) { // the latest possible is another one
                return null;
            }
        }
        return Arrays.stream(earliest).mapToObj(columns::get).toList();
    }

    private static boolean fitsExactly(TableMap map, int index, ColumnSchema column) {
        return fits(map.types()[index], column) && WidthFit.isSameNumber(map, index, column);
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
            case CHAR, BINARY -> isString(code) || ColumnCode.isBlob(code);
            case TEXT, BLOB -> ColumnCode.isBlob(code);
            case ENUM -> code == ColumnCode.ENUM;
            case SET -> code == ColumnCode.SET;
            case JSON -> code == ColumnCode.JSON || ColumnCode.isBlob(code);
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
}
