package io.sluice.stream.mapping;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.FullMetadata;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns at the end of row images that are internal to the server, and not in the definition of the table. */
public enum HiddenColumns {
    /** None. */
    NONE(""),
    /** MariaDB: the hashes of unique keys over texts of any length; they are not delivered. */
    MARIADB_HASHES("DB_ROW_HASH_"),
    /** RDS: the id of rows of tables without a primary key; delivered as that. */
    RDS_ROW_ID("__#alibaba_rds_row_id#__"),
    /** PolarDB-X: the same. */
    POLARDB_ROW_ID("_drds_implicit_id_");

    private final String columnName;

    HiddenColumns(String columnName) {
        this.columnName = columnName;
    }

    /** Whether they are delivered. */
    boolean areDelivered() {
        return this != MARIADB_HASHES;
    }

    /** The columns that a table map with full metadata names, and that are not delivered. */
    List<ColumnSchema> namedBy(TableMap map, FullMetadata full) {
        List<ColumnSchema> named = new ArrayList<>();
        if (!areDelivered()) {
            for (int i = map.types().length - 1;
                    i >= 0 && isHidden(map.types()[i], full.names().get(i));
                    i--) {
                named.add(0, new ColumnSchema(full.names().get(i), "bigint", false, true, null));
            }
        }
        return named;
    }

    private boolean isHidden(int type, String name) {
        return type == ColumnCode.LONGLONG
                && name.startsWith(columnName)
                && name.length() > columnName.length()
                && name.chars().skip(columnName.length()).allMatch(Character::isDigit);
    }

    /** The columns that a table map has more than a table schema; null if they are not hidden ones. */
    @Nullable List<ColumnSchema> beyond(TableMap map, TableSchema table) {
        int known = table.columns().size();
        int more = map.types().length - known;
        boolean isKeyed = table.columns().stream().anyMatch(ColumnSchema::primaryKey);
        if (this == NONE || more < 1 || areDelivered() && (more > 1 || isKeyed)) {
            return null;
        }
        List<ColumnSchema> hidden = new ArrayList<>();
        for (int i = known; i < map.types().length; i++) {
            if (map.types()[i] != ColumnCode.LONGLONG) {
                return null;
            }
            String name = areDelivered() ? columnName : columnName + (i - known + 1);
            hidden.add(new ColumnSchema(name, "bigint", areDelivered(), !areDelivered(), null));
        }
        return hidden;
    }
}
