package io.sluice.schema.history.database;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteException;

/**
 * A history database in an SQLite file, which one process can open at a time.
 *
 * <p>A transaction is written to the file's write-ahead log and synchronized with the disk before it is confirmed
 * ({@code journal_mode=WAL}, {@code synchronous=FULL}), and the log is padded to whole sectors ({@code psow=0}), so a sector with
 * confirmed data is never written again before that data is in the main file. The exclusive lock on the file is held until it is closed.
 *
 * <p>SQLite's calls are native: an interrupt of the thread neither ends them nor closes the file.
 */
public final class SqliteDatabase implements HistoryDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteDatabase.class);

    /** The log is cut to this size after it was larger, as with a take-over. */
    private static final int LOG_BYTES = 16 << 20;

    private final Path file;
    private Connection connection;

    /** Identifies the file that is open; null on a file system that has no such keys. */
    private @Nullable Object key;

    private SqliteDatabase(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /**
     * Opens a file, and creates it if there is none. Only the user of this process can read a file that is created.
     *
     * @throws HistoryException if it cannot be opened, is damaged, or is in use
     */
    public static SqliteDatabase open(Path file) {
        Connection connection = connect(file);
        try {
            SqliteDatabase database = new SqliteDatabase(file, connection);
            database.configure();
            return database;
        } catch (SQLException e) {
            closeQuietly(connection, file);
            throw failed(file, "opened", e);
        } catch (RuntimeException e) {
            closeQuietly(connection, file);
            throw e;
        }
    }

    private static Connection connect(Path file) {
        HistoryFile.create(file);
        SqliteLibrary.load(HistoryFile.directoryOf(file));
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:file:" + file.toUri().getRawPath() + "?psow=0");
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw failed(file, "opened", e);
        }
    }

    /** Makes the file again with empty tables: what was in it is to be written again. */
    private void makeAgain() throws IOException, SQLException {
        if (isReplaced()) {
            throw new HistoryException(
                    ("the schema history %s was replaced by another file while this instance used it; if that is the right one, start the instance again,"
                                    + " else stop it first, and put the right one in place")
                            .formatted(file));
        }
        closeQuietly(connection, file); // a log that it leaves is deleted by SQLite, since the next file is empty
        connection = connect(file);
        configure();
        TableCreation.create(this);
        LOG.warn(
                "the schema history was removed while the instance runs, and is made again: file={}"
                        + " remedy=keep it in a directory that no deployment replaces (canal.file.data.dir, canal.instance.tsdb.url)",
                file);
    }

    @Override
    public boolean isGone() {
        try {
            return key != null && !key.equals(keyOfFile());
        } catch (NoSuchFileException e) {
            return !isDirectoryGone(); // which may come back with the file
        } catch (IOException e) {
            LOG.debug("a schema history cannot be checked: file={}", file, e);
            return false;
        }
    }

    private boolean isDirectoryGone() {
        return Files.notExists(HistoryFile.directoryOf(file));
    }

    private boolean isReplaced() {
        return Files.exists(file) && isGone();
    }

    private @Nullable Object keyOfFile() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private void configure() throws SQLException {
        execute("PRAGMA busy_timeout = 0");
        execute("PRAGMA locking_mode = EXCLUSIVE"); // before the log is used, so that its index is not in a file
        execute("PRAGMA journal_mode = WAL");
        execute("PRAGMA synchronous = FULL");
        execute("PRAGMA fullfsync = ON"); // on macOS, where fsync does not reach the disk
        execute("PRAGMA checkpoint_fullfsync = ON");
        execute("PRAGMA journal_size_limit = " + LOG_BYTES);
        execute("BEGIN EXCLUSIVE"); // takes the lock now
        execute("COMMIT");
        require("PRAGMA journal_mode", "wal");
        require("PRAGMA synchronous", "2");
        requireUndamaged();
        try {
            key = keyOfFile();
        } catch (IOException e) {
            throw new HistoryException(
                    "the schema history %s cannot be checked: %s; check the disk, then start the instance again"
                            .formatted(file, e),
                    e);
        }
    }

    private void require(String pragma, String expected) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(pragma)) {
            String actual = result.getString(1);
            if (!expected.equals(actual)) {
                throw new HistoryException(
                        "the schema history %s cannot be kept safely: %s is %s and must be %s; use a local file system"
                                .formatted(file, pragma, actual, expected));
            }
        }
    }

    private void requireUndamaged() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
            String finding = result.getString(1);
            if (!"ok".equals(finding)) {
                throw damaged(file, finding, null);
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws SourceException if the rows exceed the {@linkplain ResultLimit#HISTORY limit}
     */
    @Override
    public List<@Nullable String[]> query(String sql, Object... values) throws SourceException {
        HeapBudget budget = new HeapBudget(ResultLimit.HISTORY, "result");
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet result = statement.executeQuery()) {
            List<@Nullable String[]> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                @Nullable String[] row = new String[columns];
                long bytes = 0;
                for (int i = 0; i < columns; i++) {
                    String value = result.getString(i + 1);
                    row[i] = value;
                    bytes += value == null ? 0 : new TextHeap().add(value);
                }
                budget.takeRow(columns, bytes, 0);
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw failed(file, "read", e);
        } catch (ResultTooLargeException e) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "the schema history %s cannot be read: %s".formatted(file, e.excess()),
                    e.remedy(),
                    e);
        }
    }

    @Override
    public void update(String sql, Object... values) {
        try (PreparedStatement statement = prepare(sql, values)) {
            statement.executeUpdate();
        } catch (SQLException e) {
            throw failed(file, "written", e);
        }
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    @Override
    public void atomically(Changes changes) throws IOException {
        boolean committed = false;
        try {
            if (isDirectoryGone()) {
                throw new IOException(
                        ("the directory of the schema history %s was removed while the instance runs: put it back,"
                                        + " nothing is read meanwhile")
                                .formatted(file));
            }
            if (isGone()) {
                makeAgain();
            }
            execute("BEGIN IMMEDIATE");
            changes.run();
            execute("COMMIT");
            committed = true;
        } catch (SQLException e) {
            throw failed(file, "written", e);
        } finally {
            if (!committed) {
                rollback();
            }
        }
    }

    private void rollback() {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            LOG.debug("no transaction of a schema history to roll back: file={}", file, e); // SQLite has done it
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void createIndex(String name, String table, String columns) {
        update("create index if not exists %s on %s (%s)".formatted(name, table, columns));
    }

    @Override
    public boolean hasColumn(String table, String column) throws SourceException {
        return !query("select name from pragma_table_info(?) where name = ?", table, column)
                .isEmpty();
    }

    @Override
    public void addColumn(String table, String column, String type) throws SourceException {
        if (!hasColumn(table, column)) {
            update("alter table %s add column %s %s".formatted(table, column, type));
        }
    }

    @Override
    public void adaptTables() {
        // any text fits into any column
    }

    private static HistoryException failed(Path file, String action, SQLException e) {
        int code = e instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : 0;
        return switch (code) {
            case 5, 6 -> // SQLITE_BUSY, SQLITE_LOCKED
                new HistoryException(
                        ("the schema history %s is in use by another process or another instance: two must never write one history;"
                                        + " stop the other one, or give each instance a file of its own (canal.instance.tsdb.url)")
                                .formatted(file),
                        e);
            case 11, 26 -> damaged(file, e.getMessage(), e); // SQLITE_CORRUPT, SQLITE_NOTADB
            case 13 -> // SQLITE_FULL
                new HistoryException(
                        "the schema history %s cannot be %s, the disk is full: %s; free space, then start the instance again"
                                .formatted(file, action, e.getMessage()),
                        e);
            case 18 -> // SQLITE_TOOBIG
                new HistoryException(
                        ("the schema history %s cannot be %s: %s; SQLite takes a text of up to 1000000000 bytes, and a snapshot has the schemas of all tables"
                                        + " that pass the filter: let fewer pass (canal.instance.filter.regex), as with several instances, or keep the history in MySQL"
                                        + " (canal.instance.tsdb.url), whose max_allowed_packet may be 1073741824")
                                .formatted(file, action, e.getMessage()),
                        e);
            case 3, 8, 14, 23 -> // SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH
                new HistoryException(
                        ("the schema history %s cannot be %s: %s; this process must be able to write the file, the files %s-wal and"
                                        + " %s-journal beside it, and their directory; then start the instance again")
                                .formatted(file, action, e.getMessage(), file.getFileName(), file.getFileName()),
                        e);
            default ->
                new HistoryException(
                        "the schema history %s cannot be %s: %s; check the disk and the system's log, then start the instance again"
                                .formatted(file, action, e.getMessage()),
                        e);
        };
    }

    private static HistoryException damaged(Path file, @Nullable String finding, @Nullable Throwable cause) {
        return new HistoryException(
                ("the schema history %s is damaged: %s; restore it from a backup (with the file %s-wal if there is one), or move both away"
                                + " to begin a new history with the table schemas that the source has now (canal.instance.tsdb.url)")
                        .formatted(file, finding, file.getFileName()),
                cause);
    }

    @Override
    public String idType() {
        return "integer";
    }

    @Override
    public String tableOptions() {
        return "";
    }

    @Override
    public String insertUnlessThere() {
        return "insert or ignore";
    }

    @Override
    public String forUpdate() {
        return ""; // the transaction has the file's lock
    }

    @Override
    public String location() {
        return file.toString();
    }

    @Override
    public void abort() {
        // waits for the disk only
    }

    /** If the file was removed or replaced, SQLite sees that, and leaves the write-ahead log that is at its place as it is. */
    @Override
    public void close() {
        closeQuietly(connection, file);
    }

    /** What is committed is durable already; a failure to move it from the log into the main file loses nothing. */
    private static void closeQuietly(@Nullable Connection connection, Path file) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.warn("closing a schema history failed, what was written is kept: file={}", file, e);
        }
    }
}
