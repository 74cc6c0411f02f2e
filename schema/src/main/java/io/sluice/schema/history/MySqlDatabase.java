package io.sluice.schema.history;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.tls.TlsOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A history database in a MySQL schema, over a connection that is opened when needed, and reopened after a failure. */
final class MySqlDatabase implements HistoryDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlDatabase.class);
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int DUPLICATE_KEY_NAME = 1061;
    /** Shorter than an answer is waited for, so that a wait for a lock of a frozen process succeeds. */
    private static final int MAX_SILENCE_SECONDS = 15;

    private static final String REFUSED =
            "check canal.instance.tsdb.dbUsername and canal.instance.tsdb.dbPassword, the privileges of"
                    + " that account in the schema that canal.instance.tsdb.url names, and the parameters of that URL";

    private final HistoryLocation.MySql location;
    private final ConnectOptions options;
    private volatile @Nullable MySqlConnection connection;

    MySqlDatabase(HistoryLocation.MySql location, String user, String password) {
        this.location = location;
        this.options = ConnectOptions.of(location.address(), user, password)
                .withTls(TlsOptions.of(location.tls()))
                .withPasswords(location.passwords());
    }

    @Override
    public List<@Nullable String[]> query(String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = new ArrayList<>();
        for (QueryResult.Row row : run(filled(sql, values)).rows()) {
            @Nullable String[] texts = new String[row.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = row.text(i);
            }
            rows.add(texts);
        }
        return rows;
    }

    @Override
    public void update(String sql, Object... values) throws IOException {
        run(filled(sql, values));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Its locks keep other servers of a cluster from opening the history. So that a process that is frozen in the middle of it does not hold them
     * until it continues, the server ends the connection of one that is silent for {@value #MAX_SILENCE_SECONDS} s.
     */
    @Override
    public void atomically(Changes changes) throws IOException {
        run("SET SESSION wait_timeout = " + MAX_SILENCE_SECONDS);
        boolean committed = false;
        try {
            run("START TRANSACTION");
            changes.run();
            run("COMMIT");
            committed = true;
        } finally {
            if (!committed) {
                tidy("ROLLBACK");
            }
            tidy("SET SESSION wait_timeout = DEFAULT");
        }
    }

    /** Runs a statement on the connection if that is still open, and closes it if that fails: the server then rolls its transaction back. */
    private void tidy(String sql) {
        MySqlConnection open = connection;
        if (open != null) {
            try {
                open.execute(sql);
            } catch (IOException e) {
                LOG.debug("closing the connection of a schema history: at={} after={}", location(), sql, e);
                close();
            }
        }
    }

    @Override
    public void createIndex(String name, String table, String columns) throws IOException {
        if (!query(
                        "select index_name from information_schema.statistics where table_schema = ? and table_name = ? and index_name = ? limit 1",
                        location.schema(),
                        table,
                        name)
                .isEmpty()) {
            return;
        }
        try {
            connection().execute("create index %s on %s (%s)".formatted(name, table, columns));
        } catch (ServerErrorException e) {
            if (e.errno() != DUPLICATE_KEY_NAME) { // of another server of the cluster
                LOG.warn(
                        "cannot create an index of the schema history, starts take longer without it: at={} index={} table={} columns={} error={}",
                        location(),
                        name,
                        table,
                        columns,
                        e.serverMessage());
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private QueryResult run(String sql) throws IOException {
        MySqlConnection open = connection();
        try {
            return open.query(sql);
        } catch (ServerErrorException e) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE, // not with the statement, which may be long and holds DDL
                    "the schema history at %s cannot be used: server error %d: %s"
                            .formatted(location(), e.errno(), e.serverMessage()),
                    e);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private SourceException unreachable(IOException cause) {
        close();
        return new SourceException(
                SourceFailure.HISTORY_UNREACHABLE,
                "the schema history at %s cannot be reached".formatted(location()),
                cause);
    }

    /** @throws SourceException that names the history: the connection's own error would be taken for one of the source */
    private MySqlConnection connection() throws SourceException {
        MySqlConnection open = connection;
        if (open == null) {
            try {
                open = connect();
            } catch (IOException e) {
                throw new SourceException(
                        SourceFailure.HISTORY_UNREACHABLE,
                        "the schema history at %s cannot be opened: %s".formatted(location(), e.getMessage()),
                        isRefusal(e) ? REFUSED : SourceFailure.HISTORY_UNREACHABLE.remedy(),
                        e);
            }
            connection = open;
        }
        return open;
    }

    private static boolean isRefusal(IOException failure) {
        return failure instanceof ServerErrorException error && !error.isTemporary()
                || failure instanceof SourceException known && known.failure() == SourceFailure.AUTHENTICATION;
    }

    private MySqlConnection connect() throws IOException {
        MySqlConnection made;
        try {
            made = MySqlConnection.openWithLimits(options.withDatabase(location.schema()));
        } catch (ServerErrorException e) {
            if (e.errno() != UNKNOWN_DATABASE) {
                throw e;
            }
            made = MySqlConnection.openWithLimits(options);
            prepare(
                    made,
                    "CREATE DATABASE IF NOT EXISTS `%s`"
                            .formatted(location.schema().replace("`", "``")));
            prepare(made, "USE `%s`".formatted(location.schema().replace("`", "``")));
        }
        prepare(made, "SET SESSION sql_mode = 'STRICT_ALL_TABLES', autocommit = 1"); // nothing may be cut off
        return made;
    }

    /** Runs a statement on a connection that is not in use yet, and closes it if that fails. */
    private static void prepare(MySqlConnection made, String sql) throws IOException {
        try {
            made.execute(sql);
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    /** The statement with its values in the places of the question marks. */
    static String filled(String sql, Object... values) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c != '?') {
                text.append(c);
            } else if (values[next] instanceof Number number) {
                text.append(number);
                next++;
            } else {
                String value = String.valueOf(values[next]);
                text.append('\'')
                        .append(value.replace("\\", "\\\\").replace("'", "''"))
                        .append('\'');
                next++;
            }
        }
        return text.toString();
    }

    @Override
    public String idType() {
        return "bigint unsigned not null auto_increment";
    }

    @Override
    public String tableOptions() {
        return " default charset = utf8mb4";
    }

    @Override
    public String insertUnlessThere() {
        return "insert ignore";
    }

    @Override
    public String forUpdate() {
        return " for update";
    }

    @Override
    public String location() {
        return location.address() + "/" + location.schema();
    }

    @Override
    public void abort() {
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
