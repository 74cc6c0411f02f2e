package io.sluice.parse.source;

import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.schema.SourceTraits;
import io.sluice.parse.schema.TableDefinitions;
import io.sluice.parse.schema.TableName;
import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.QueryResult;
import io.sluice.parse.wire.ServerErrorException;
import io.sluice.parse.wire.ServerVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the source in SQL, over a connection of its own that is opened when first needed and again after a
 * failure. For one thread, but for {@link #abort}.
 */
final class SourceQueries implements TableDefinitions, AutoCloseable {
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int UNKNOWN_VARIABLE = 1193;

    private final ConnectOptions options;
    private volatile @Nullable MySqlConnection connection;

    SourceQueries(ConnectOptions options) {
        this.options = options;
    }

    @Override
    public @Nullable String createStatement(TableName table) throws IOException {
        try {
            QueryResult.Row row = query("SHOW CREATE TABLE " + quoted(table.schema()) + "." + quoted(table.table()))
                    .firstRow();
            return row == null ? null : row.text(1);
        } catch (ServerErrorException e) {
            if (e.errno() == NO_SUCH_TABLE || e.errno() == UNKNOWN_DATABASE) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public @Nullable String schemaCharset(String schema) throws IOException {
        QueryResult.Row row = query("SELECT default_character_set_name FROM information_schema.schemata"
                        + " WHERE schema_name = " + literal(schema))
                .firstRow();
        return row == null ? null : row.text(0);
    }

    /** All tables with rows of their own that a filter lets pass, but those of the server itself. */
    List<TableName> tables(TableFilter filter) throws IOException {
        List<TableName> tables = new ArrayList<>();
        for (QueryResult.Row row : query("SELECT table_schema, table_name FROM information_schema.tables"
                        + " WHERE table_type = 'BASE TABLE' AND table_schema NOT IN"
                        + " ('mysql', 'information_schema', 'performance_schema', 'sys')")
                .rows()) {
            String schema = row.text(0);
            String table = row.text(1);
            if (schema != null && table != null && filter.passes(schema, table)) {
                tables.add(new TableName(schema, table));
            }
        }
        return tables;
    }

    /** Where the binlog ends now. */
    StreamPoint binlogEnd() throws IOException {
        boolean renamed = connection().serverVersion().atLeast(8, 4, 0)
                && !connection().serverVersion().mariaDb();
        QueryResult.Row row =
                query(renamed ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS").firstRow();
        String file = row == null ? null : row.text(0);
        String offset = row == null ? null : row.text(1);
        if (file == null || offset == null) {
            throw new IOException("%s writes no binlog: start it with log_bin".formatted(options.address()));
        }
        return new StreamPoint(file, Long.parseLong(offset));
    }

    /** Who it is: the same for as long as the names of its binlog files mean the same. */
    String identity() throws IOException {
        String uuid = variable("server_uuid");
        return uuid == null ? "server %d at %s".formatted(serverId(), options.address()) : uuid;
    }

    /** Its {@code server_id}. */
    long serverId() throws IOException {
        String id = variable("server_id");
        return id == null ? 0 : Long.parseLong(id);
    }

    /** What changes how its statements are read. */
    SourceTraits traits() throws IOException {
        ServerVersion version = connection().serverVersion();
        String lowerCase = variable("lower_case_table_names");
        return new SourceTraits(
                version.mariaDb(),
                version.major() * 10_000 + version.minor() * 100 + version.patch(),
                lowerCase != null && !lowerCase.equals("0"));
    }

    /** A global variable; null if the server has none of that name. */
    @Nullable String variable(String name) throws IOException {
        try {
            QueryResult.Row row = query("SELECT @@global." + name).firstRow();
            return row == null ? null : row.text(0);
        } catch (ServerErrorException e) {
            if (e.errno() == UNKNOWN_VARIABLE) {
                return null;
            }
            throw e;
        }
    }

    private QueryResult query(String sql) throws IOException {
        MySqlConnection open = connection();
        try {
            return open.query(sql);
        } catch (ServerErrorException e) {
            throw e; // the connection is as good as before
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private MySqlConnection connection() throws IOException {
        MySqlConnection open = connection;
        if (open == null) {
            open = MySqlConnection.open(options);
            open.execute("SET SESSION sql_mode = '', sql_quote_show_create = 1"); // or definitions are quoted otherwise
            connection = open;
        }
        return open;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    /** Ends whatever it waits for, from any thread. */
    void abort() {
        MySqlConnection open = connection;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void close() {
        MySqlConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
