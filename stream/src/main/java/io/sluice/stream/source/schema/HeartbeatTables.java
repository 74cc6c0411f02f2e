package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads table definitions from the source; for two tables that health checks of cloud providers write to, and that the user may not be
 * allowed to see, it has fixed ones.
 *
 * <p>If the source shows such a table, its definition is used.
 */
final class HeartbeatTables implements TableDefinitions {
    private static final int DENIED = 1142;

    private static final Map<TableName, String> KNOWN = Map.of(
            new TableName("test", "heartbeat"),
            "CREATE TABLE heartbeat (id smallint(6) NOT NULL, ts int(11), PRIMARY KEY (id))",
            new TableName("mysql", "ha_health_check"),
            "CREATE TABLE ha_health_check (id bigint(20), type char(1) NOT NULL, PRIMARY KEY (type))");

    private final TableDefinitions source;

    HeartbeatTables(TableDefinitions source) {
        this.source = source;
    }

    @Override
    public @Nullable List<StoredColumn> storedColumns(TableName table) throws IOException {
        return source.storedColumns(table);
    }

    @Override
    public @Nullable String createStatement(TableName table) throws IOException {
        String known = KNOWN.get(table);
        try {
            String shown = source.createStatement(table);
            return shown == null ? known : shown;
        } catch (ServerErrorException e) {
            if (known == null || e.errno() != DENIED) {
                throw e;
            }
            return known;
        }
    }

    @Override
    public @Nullable String schemaCharset(String schema) throws IOException {
        return source.schemaCharset(schema);
    }
}
