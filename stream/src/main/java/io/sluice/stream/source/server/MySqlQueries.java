package io.sluice.stream.source.server;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerVersion;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.QueryBatch;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.RowTaker;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the source in SQL, over a connection of its own that is opened when first needed, and opened again after a failure, or after it was idle.
 *
 * <p>Until it is closed or moved, all answers are of one server: if another one answers at the host name later, as after a switch-over, that is an
 * error. Its definitions, and its positions, are not those of the dump. An error of a login is a {@link SourceException}, never an answer to a query.
 */
public final class MySqlQueries implements SourceQueries {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlQueries.class);

    /** Their definitions are in memory at once, and are some kilobytes each. */
    private static final int TABLES_AT_ONCE = 200;

    private static final int UNKNOWN_DATABASE = 1049;
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int UNKNOWN_VARIABLE = 1193;

    /** MySQL's default: how long the server keeps a session that is idle, in seconds. */
    private static final int WAIT_TIMEOUT = 28_800;

    /** A connection that was idle for longer is replaced: the server, or what is between, may have ended it. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    /** What depends on the answer is a warning, which a start does not wait for longer. */
    private static final Duration CASCADES_TIMEOUT = Duration.ofSeconds(3);

    private final Time time;
    private ConnectOptions options;
    private long usedNanos;

    /** The identity of the server that has answered; null if none has since the last close. */
    private @Nullable String server;

    private @Nullable TableName denied;
    private volatile @Nullable MySqlConnection connection;
    private volatile boolean aborted;

    /** Knows the source, but does not connect yet. */
    public MySqlQueries(ConnectOptions options) {
        this(options, Time.SYSTEM);
    }

    /**
     * Knows the source and a clock, but does not connect yet.
     *
     * @param time tells how long the connection was idle
     */
    MySqlQueries(ConnectOptions options, Time time) {
        this.options = options;
        this.time = time;
    }

    @Override
    public void moveTo(SourceHost host) {
        ConnectOptions login = host.login();
        if (!login.equals(options)) {
            disconnect();
            server = null;
            options = login;
        }
    }

    @Override
    public @Nullable String createStatement(TableName table) throws IOException {
        try {
            QueryResult.Row row = query(showCreate(table), ResultLimit.LARGE).firstRow();
            return row == null ? null : row.text(1);
        } catch (ServerErrorException e) {
            if (e.errno() == TABLE_ACCESS_DENIED) { // also if the table does not exist
                denied = table;
            }
            if (isGone(e) || e.errno() == TABLE_ACCESS_DENIED) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public @Nullable List<StoredColumn> storedColumns(TableName table) throws IOException {
        ServerVersion version = connection().serverVersion();
        if (version.mariaDb() || version.major() < 8) {
            return null;
        }
        List<StoredColumn> columns = new ArrayList<>();
        try {
            for (QueryResult.Row row : query("SHOW EXTENDED COLUMNS FROM " + quoted(table), ResultLimit.LARGE)
                    .rows()) {
                String name = row.text(0);
                String type = row.text(1);
                String extra = row.text(5);
                if (name != null && type != null && !type.isEmpty()) { // those of the storage engine have no type
                    columns.add(new StoredColumn(name, type, extra != null && extra.contains("VIRTUAL GENERATED")));
                }
            }
        } catch (ServerErrorException e) {
            if (isGone(e) || e.errno() == TABLE_ACCESS_DENIED) {
                return null;
            }
            throw e;
        }
        return columns;
    }

    @Override
    public Map<TableName, String> createStatements(List<TableName> tables) throws IOException {
        Map<TableName, String> definitions = new LinkedHashMap<>();
        HeapBudget budget = new HeapBudget(ResultLimit.LARGE, "definitions of %d tables".formatted(tables.size()));
        int next = 0;
        while (next < tables.size()) {
            List<TableName> asked = tables.subList(next, Math.min(tables.size(), next + TABLES_AT_ONCE));
            QueryBatch batch =
                    queryAll(asked.stream().map(MySqlQueries::showCreate).toList());
            for (int i = 0; i < batch.results().size(); i++) {
                QueryResult.Row row = batch.results().get(i).firstRow();
                String text = row == null ? null : row.text(1);
                if (text != null) {
                    budget.takeRow(1, text.length(), 0);
                    definitions.put(asked.get(i), text);
                }
            }
            next += batch.results().size();
            if (batch.failure() != null) {
                if (!isGone(batch.failure())) {
                    LOG.warn(
                            "the source does not show how a table is defined: table={} cause={}",
                            tables.get(next),
                            batch.failure().serverMessage());
                }
                next++;
            }
        }
        return definitions;
    }

    @Override
    public BinlogPosition binlogEnd() throws IOException {
        MySqlConnection open = connection();
        try {
            return new MySqlServerFacts(open).end().position();
        } catch (ServerErrorException e) {
            throw e;
        } catch (IOException e) {
            disconnect();
            throw e;
        } finally {
            usedNanos = time.nanos();
        }
    }

    private static String showCreate(TableName table) {
        return "SHOW CREATE TABLE " + quoted(table);
    }

    private static String quoted(TableName table) {
        return quoted(table.schema()) + "." + quoted(table.table());
    }

    private static boolean isGone(ServerErrorException e) {
        return e.errno() == NO_SUCH_TABLE || e.errno() == UNKNOWN_DATABASE;
    }

    @Override
    public @Nullable String schemaCharset(String schema) throws IOException {
        QueryResult.Row row = query("SELECT default_character_set_name FROM information_schema.schemata"
                        + " WHERE schema_name = " + literal(schema))
                .firstRow();
        return row == null ? null : row.text(0);
    }

    @Override
    public Map<String, String> schemaCharsets() throws IOException {
        Map<String, String> charsets = new HashMap<>();
        for (QueryResult.Row row : query(
                        "SELECT schema_name, default_character_set_name FROM information_schema.schemata",
                        ResultLimit.LARGE)
                .rows()) {
            String schema = row.text(0);
            String charset = row.text(1);
            if (schema != null && charset != null) {
                charsets.put(schema, charset);
            }
        }
        return charsets;
    }

    @Override
    public List<TableName> tables(TableFilter filter) throws IOException {
        List<TableName> tables = new ArrayList<>();
        HeapBudget budget = new HeapBudget(ResultLimit.LARGE, "the list of tables that pass the filter");
        longQuery(
                "SELECT table_schema, table_name FROM information_schema.tables"
                        + " WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND table_schema NOT IN"
                        + " ('mysql', 'information_schema', 'performance_schema', 'sys')",
                row -> {
                    String schema = row.text(0);
                    String table = row.text(1);
                    if (schema != null && table != null && filter.passes(schema, table)) {
                        budget.takeRow(2, schema.length() + table.length(), 0);
                        tables.add(new TableName(schema, table));
                    }
                });
        return tables;
    }

    @Override
    public HiddenColumns hiddenColumns() throws IOException {
        if (connection().serverVersion().mariaDb()) {
            return HiddenColumns.MARIADB_HASHES;
        }
        if (!query("SHOW GLOBAL VARIABLES LIKE 'rds\\_%'").rows().isEmpty()) {
            return HiddenColumns.RDS_ROW_ID;
        }
        return query("SHOW GLOBAL VARIABLES LIKE 'polarx\\_%'").rows().isEmpty()
                ? HiddenColumns.NONE
                : HiddenColumns.POLARDB_ROW_ID;
    }

    @Override
    public SourceTraits traits() throws IOException {
        ServerVersion version = connection().serverVersion();
        String lowerCase = variable("lower_case_table_names");
        return new SourceTraits(
                version.mariaDb(),
                version.major() * 10_000 + version.minor() * 100 + version.patch(),
                lowerCase != null && !lowerCase.equals("0"));
    }

    @Override
    public @Nullable String variable(String name) throws IOException {
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

    @Override
    public UnloggedCascades.Found unloggedCascades(TableFilter filter) throws IOException {
        MySqlConnection open = connection();
        try {
            return UnloggedCascades.read(
                    open, options, table -> filter.passes(table.schema(), table.table()), CASCADES_TIMEOUT, time);
        } catch (ServerErrorException e) {
            throw e; // the connection is as good as before
        } catch (IOException e) {
            disconnect();
            throw e;
        } finally {
            usedNanos = time.nanos();
        }
    }

    @Override
    public @Nullable String account() throws IOException {
        return AccountFailure.account(query(AccountFailure.CURRENT_USER));
    }

    @Override
    public @Nullable TableName denied() {
        return denied;
    }

    private QueryBatch queryAll(List<String> statements) throws IOException {
        MySqlConnection open = connection();
        try {
            return open.queryAll(statements, ResultLimit.LARGE);
        } catch (IOException e) {
            disconnect();
            throw e;
        } finally {
            usedNanos = time.nanos();
        }
    }

    private QueryResult query(String sql) throws IOException {
        return query(sql, ResultLimit.SMALL);
    }

    private QueryResult query(String sql, ResultLimit limit) throws IOException {
        MySqlConnection open = connection();
        try {
            return open.query(sql, limit);
        } catch (ServerErrorException e) {
            throw e; // the connection is as good as before
        } catch (SocketTimeoutException e) {
            disconnect();
            LongQuery.kill(options, open.connectionId(), sql);
            throw e;
        } catch (IOException e) {
            disconnect();
            throw e;
        } finally {
            usedNanos = time.nanos();
        }
    }

    private void longQuery(String sql, RowTaker taker) throws IOException {
        MySqlConnection open = connection();
        try {
            LongQuery.run(open, options, sql, taker);
        } catch (ServerErrorException e) {
            throw e; // the connection is as good as before
        } catch (IOException e) {
            disconnect();
            throw e;
        } catch (RuntimeException e) { // of the taker
            disconnect();
            throw e;
        } finally {
            usedNanos = time.nanos();
        }
    }

    private MySqlConnection connection() throws IOException {
        MySqlConnection open = connection;
        if (open == null) {
            open = opened();
            connection = open;
            requireNotAborted();
        } else if (time.nanos() - usedNanos > IDLE.toNanos()) {
            open = replaced(open);
            connection = open;
            requireNotAborted();
        }
        usedNanos = time.nanos();
        return open;
    }

    /** A new connection in place of one that was idle; the idle one, which may be as good, if the server rejects another login for now. */
    private MySqlConnection replaced(MySqlConnection idle) throws IOException {
        MySqlConnection next;
        try {
            next = opened();
        } catch (SourceException e) {
            LOG.debug("an idle connection is used, since the server rejects another login: {}", options.address(), e);
            return idle;
        }
        idle.close();
        return next;
    }

    /**
     * Logs in.
     *
     * @throws SourceException if the server rejects the login
     */
    private MySqlConnection opened() throws IOException {
        requireNotAborted();
        MySqlConnection open;
        try {
            open = MySqlConnection.open(options);
        } catch (ServerErrorException e) {
            throw ofLogin(e);
        }
        try {
            prepare(open);
            requireSameServer(open);
        } catch (IOException e) {
            open.close();
            throw e;
        }
        return open;
    }

    /** A login is rejected with the same errors as queries, for example if its default schema does not exist. */
    private SourceException ofLogin(ServerErrorException error) {
        return AccountFailure.explained(error, options, null) instanceof SourceException explained
                ? explained
                : new SourceException(FailureClassifier.of(error), String.valueOf(error.getMessage()), error);
    }

    private void requireSameServer(MySqlConnection open) throws IOException {
        String found = new MySqlServerFacts(open).identity();
        if (server != null && !GaleraNode.isSameServer(server, found)) {
            throw new IOException("another server answers at %s than before: %s, before %s"
                    .formatted(options.address(), found, server));
        }
        server = found;
    }

    /** An abort while a connection is opened does not find it. */
    private void requireNotAborted() throws IOException {
        if (aborted) {
            disconnect();
            throw new IOException("queries to %s were aborted".formatted(options.address()));
        }
    }

    /**
     * Has lists whole and the session open while it is idle, whatever the server's defaults are; and definitions quoted as they are expected, and with generated invisible primary keys, which are in row images, likewise.
     */
    private void prepare(MySqlConnection open) throws IOException {
        open.execute("SET SESSION sql_mode = '', sql_quote_show_create = 1");
        try {
            open.execute("SET SESSION sql_select_limit = 18446744073709551615, wait_timeout = " + WAIT_TIMEOUT);
        } catch (ServerErrorException e) { // of a proxy
            LOG.debug("limits of the session are left as they are: source={}", options.address(), e);
        }
        if (!open.serverVersion().mariaDb()) { // also for an older version, which may be that of a proxy
            try {
                open.execute("SET SESSION show_gipk_in_create_table_and_information_schema = ON");
            } catch (ServerErrorException e) { // has no such keys
                LOG.debug("generated primary keys cannot be asked for: source={}", options.address(), e);
            }
        }
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    @Override
    public void abort() {
        aborted = true;
        MySqlConnection open = connection;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void close() {
        disconnect();
        aborted = false;
        server = null;
    }

    private void disconnect() {
        MySqlConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
