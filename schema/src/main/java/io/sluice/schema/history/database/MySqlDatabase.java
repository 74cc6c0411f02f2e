package io.sluice.schema.history.database;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryPayload;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A history database in a MySQL schema, over a connection that is opened when needed, and reopened after a failure. */
public final class MySqlDatabase implements HistoryDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlDatabase.class);
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int DUPLICATE_COLUMN_NAME = 1060;
    private static final int DUPLICATE_KEY_NAME = 1061;
    /** Shorter than an answer is waited for, so that a wait for a lock of a frozen process succeeds. */
    private static final int MAX_SILENCE_SECONDS = 15;

    /** The largest value of {@code max_allowed_packet}. */
    private static final long MAX_PACKET_BYTES = 1 << 30;

    private static final long MIB = 1 << 20;

    /** Of a number in a statement. */
    private static final int MAX_DIGITS = 20;

    /** How long an {@code ALTER TABLE} of a history with many rows may take. */
    private static final Duration LONG_CHANGE = Duration.ofMinutes(10);

    /** How long it waits for transactions of other instances, which are shorter; meanwhile all statements on the table wait for it. */
    private static final int LOCK_SECONDS = 5;

    private static final String REJECTED =
            "check canal.instance.tsdb.dbUsername and canal.instance.tsdb.dbPassword, the privileges of"
                    + " that account in the schema that canal.instance.tsdb.url names, and the parameters of that URL";

    private static final String READ_ONLY =
            "canal.instance.tsdb.url must lead to the server of the schema history that takes changes; it is connected to again at each attempt";

    private final HistoryLocation.MySql location;
    private final ConnectOptions options;
    private volatile @Nullable MySqlConnection connection;
    private volatile boolean isAborted;
    private boolean isInTransaction;
    private long connections;

    /** {@code max_allowed_packet} of the connection. */
    private long maxPacketBytes = MAX_PACKET_BYTES;

    public MySqlDatabase(HistoryLocation.MySql location, String user, String password) {
        this.location = location;
        this.options = ConnectOptions.of(location.address(), user, password)
                .withTls(location.tls())
                .withPasswords(location.passwords());
    }

    @Override
    public List<@Nullable String[]> query(String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = new ArrayList<>();
        for (QueryResult.Row row : run(filled(sql, values), !isInTransaction).rows()) {
            rows.add(texts(row));
        }
        return rows;
    }

    /** The values of a row as texts. */
    static @Nullable String[] texts(QueryResult.Row row) {
        @Nullable String[] texts = new String[row.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = row.text(i);
        }
        return texts;
    }

    @Override
    public void update(String sql, Object... values) throws IOException {
        run(filled(sql, values), false);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Its locks keep other servers of a cluster from opening the history. So that a process that is frozen in the middle of it does not hold them
     * until it continues, the server ends the connection of one that is silent for {@value #MAX_SILENCE_SECONDS} s.
     */
    @Override
    public void atomically(Changes changes) throws IOException {
        run("SET SESSION wait_timeout = " + MAX_SILENCE_SECONDS, true);
        boolean committed = false;
        isInTransaction = true;
        try {
            run("START TRANSACTION", false);
            changes.run();
            run("COMMIT", false);
            committed = true;
        } finally {
            isInTransaction = false;
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

    /**
     * Runs a statement.
     *
     * @param isRepeatable whether it may be run again on another connection. The one that is open is used at a DDL only, so the server, or something
     *     on the way to it, may have closed it since.
     */
    private QueryResult run(String sql, boolean isRepeatable) throws IOException {
        boolean isUsedAgain = connection != null;
        MySqlConnection open = connection();
        requireRoom(sql);
        IOException failure;
        try {
            return open.query(sql, ResultLimit.HISTORY);
        } catch (ServerErrorException e) {
            if (isReadOnly(e)) {
                close(); // after a switch-over the address may lead to another server
                throw new SourceException(
                        SourceFailure.HISTORY_UNREACHABLE,
                        "the schema history at %s cannot be written, its server is read-only: server error %d: %s"
                                .formatted(location(), e.errno(), e.serverMessage()),
                        READ_ONLY,
                        e);
            }
            if (!e.isTemporary()) {
                throw new HistoryRejectedException( // not with the statement, which may be long and holds DDL
                        "the schema history at %s cannot be used: server error %d: %s"
                                .formatted(location(), e.errno(), e.serverMessage()),
                        remedy(e),
                        e);
            }
            failure = e;
        } catch (IOException e) {
            failure = e;
        }
        close();
        if (failure instanceof ResultTooLargeException large) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "the schema history at %s cannot be read: %s".formatted(location(), large.excess()),
                    large.remedy(),
                    large);
        }
        if (failure instanceof MalformedPacketException) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "the schema history at %s cannot be read: %s".formatted(location(), failure.getMessage()),
                    failure);
        }
        if (isRepeatable && isUsedAgain && !isAborted) {
            LOG.debug("connecting to the schema history again: at={}", location(), failure);
            return run(sql, false);
        }
        throw unreachable(failure);
    }

    /** Whether the server takes no changes, from this account or from any. */
    private static boolean isReadOnly(ServerErrorException error) {
        return switch (error.errno()) {
            case 1290, // ER_OPTION_PREVENTS_STATEMENT
                    1792, // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
                    1836 // ER_READ_ONLY_MODE
            -> true;
            default -> false;
        };
    }

    /** The server would close the connection without an answer. */
    private void requireRoom(String sql) throws HistoryRejectedException {
        if (3L * sql.length() < maxPacketBytes) {
            return;
        }
        long bytes = 1L + QueryPayload.length(sql);
        if (bytes < maxPacketBytes) {
            return;
        }
        long max = maxPacketBytes;
        close(); // another one has what the setting is then
        throw new HistoryRejectedException(
                "the schema history at %s cannot be written: a statement with a DDL, or with all table schemas, has %d bytes, and max_allowed_packet is %d there"
                        .formatted(location(), bytes, max),
                remedyOfSize(bytes));
    }

    static String remedyOfSize(long bytes) {
        if (bytes >= MAX_PACKET_BYTES) {
            return "no server takes a statement of %d bytes or more: let fewer tables pass canal.instance.filter.regex, as with several instances"
                    .formatted(MAX_PACKET_BYTES);
        }
        return "set global max_allowed_packet = %d on the server of canal.instance.tsdb.url, and in its configuration file"
                .formatted(Math.min(MAX_PACKET_BYTES, (2 * bytes / MIB + 1) * MIB));
    }

    private String remedy(ServerErrorException error) {
        return switch (error.errno()) {
            case 1153 -> // ER_NET_PACKET_TOO_LARGE
                "raise max_allowed_packet on the server of canal.instance.tsdb.url, up to 1G";
            case 1044, // ER_DBACCESS_DENIED_ERROR
                    1142, // ER_TABLEACCESS_DENIED_ERROR
                    1143, // ER_COLUMNACCESS_DENIED_ERROR
                    1227 // ER_SPECIFIC_ACCESS_DENIED_ERROR
            -> REJECTED;
            case 1049, // ER_BAD_DB_ERROR
                    1146 // ER_NO_SUCH_TABLE
            -> "its tables are gone: restore them, or start the instance again, which begins a new history";
            case 1366, // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
                    1406 // ER_DATA_TOO_LONG
            ->
                "its tables are those of canal, and too narrow: grant ALTER on them and start the instance again, or run in that schema: "
                        + MySqlTableForms.all();
            default -> SourceFailure.HISTORY_UNREACHABLE.remedy();
        };
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
                        isRejection(e) ? REJECTED : SourceFailure.HISTORY_UNREACHABLE.remedy(),
                        e);
            }
            connection = open;
            connections++;
        }
        return open;
    }

    private static boolean isRejection(IOException failure) {
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
        prepare(
                made,
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES', autocommit = 1, sql_select_limit = 18446744073709551615"); // nothing may be cut off
        maxPacketBytes = maxPacketBytes(made);
        return made;
    }

    private static long maxPacketBytes(MySqlConnection made) throws IOException {
        try {
            return Long.parseLong(String.valueOf(
                    made.query("SELECT @@max_allowed_packet").rows().get(0).text(0)));
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
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

    /** The statement with its values instead of the question marks. Apart from the result it takes as much memory once more. */
    static String filled(String sql, Object... values) {
        long length = sql.length();
        for (Object value : values) {
            length += value instanceof Number ? MAX_DIGITS : 2 + escapedLength(String.valueOf(value));
        }
        StringBuilder text = new StringBuilder((int) Math.min(Integer.MAX_VALUE - 8, length));
        int next = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c != '?') {
                text.append(c);
            } else if (values[next] instanceof Number number) {
                text.append(number);
                next++;
            } else {
                appendQuoted(text, String.valueOf(values[next]));
                next++;
            }
        }
        return text.toString();
    }

    private static void appendQuoted(StringBuilder text, String value) {
        text.append('\'');
        int from = 0;
        for (int i = 0; i < value.length(); i++) {
            if (isDoubled(value.charAt(i))) {
                text.append(value, from, i + 1);
                from = i; // again
            }
        }
        text.append(value, from, value.length()).append('\'');
    }

    private static long escapedLength(String value) {
        return value.length() + value.chars().filter(c -> isDoubled((char) c)).count();
    }

    private static boolean isDoubled(char c) {
        return c == '\\' || c == '\'';
    }

    @Override
    public boolean hasColumn(String table, String column) throws IOException {
        return !query(
                        "select column_name from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?",
                        location.schema(),
                        table,
                        column)
                .isEmpty();
    }

    @Override
    public void addColumn(String table, String column, String type) throws IOException {
        if (hasColumn(table, column)) {
            return;
        }
        String change = "alter table %s add column %s %s".formatted(table, column, type);
        try {
            update(change);
        } catch (HistoryRejectedException e) {
            if (e.errno() != DUPLICATE_COLUMN_NAME) { // of another instance
                LOG.warn(
                        "cannot add a column to a table of the schema history, it is used without: at={} error={} remedy=grant ALTER on it, or run there: {}",
                        location(),
                        e.getMessage(),
                        change);
            }
        }
    }

    @Override
    public void adaptTables() throws IOException {
        if (changesOfForm().isEmpty()) {
            return;
        }
        try {
            waitLongForAnswers();
            waitForOtherInstances();
            run("SET SESSION lock_wait_timeout = " + LOCK_SECONDS, false);
            for (String change : changesOfForm()) {
                runLong(change);
                LOG.info(
                        "changed a table of the schema history, so that any text fits: at={} sql={}",
                        location(),
                        change);
            }
        } catch (HistoryRejectedException e) {
            LOG.warn(
                    "the tables of the schema history are as canal makes them, and cannot be changed, so long texts and characters of four bytes do not fit,"
                            + " and instances whose names differ in case only share their rows: at={} error={} remedy={}: {}",
                    location(),
                    e.getMessage(),
                    e.isOfOtherTransaction()
                            ? "they were in use, as by a dump, and the next start attempts it again; or run there"
                            : "grant ALTER on them, or run there",
                    String.join("; ", changesOfForm()));
        } finally {
            close(); // ends the lock and what was set
        }
    }

    private void waitLongForAnswers() throws IOException {
        MySqlConnection open = connection();
        try {
            open.changeReadTimeout(LONG_CHANGE);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Runs a statement that may take minutes. An interrupt ends its connection, since a thread that waits for an answer does not notice it. */
    private void runLong(String sql) throws IOException {
        MySqlConnection open = connection();
        try {
            UninterruptedTask.run("schema-history-change", () -> run(sql, false), open::abort);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("a statement of the schema history has failed", e.getCause());
        }
    }

    private List<String> changesOfForm() throws IOException {
        return MySqlTableForms.changes(query(MySqlTableForms.QUERY, location.schema()));
    }

    /** So that instances of one server, which start at the same time, do not change the same tables in turn. */
    private void waitForOtherInstances() throws IOException {
        try {
            runLong(filled("select get_lock('sluice.schema.history', ?)", LONG_CHANGE.toSeconds() / 2));
        } catch (HistoryRejectedException e) {
            LOG.debug("the server has no such locks: at={}", location(), e); // as in some clusters
        }
    }

    @Override
    public String idType() {
        return "bigint unsigned not null auto_increment";
    }

    @Override
    public String tableOptions() {
        return " default " + MySqlTableForms.CHARSET;
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
    public long connections() {
        return connections;
    }

    @Override
    public String location() {
        return location.address() + "/" + location.schema();
    }

    @Override
    public void abort() {
        isAborted = true;
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
