package io.sluice.schema.history.database;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of an H2 file of canal into a new history, in one transaction of that.
 *
 * <p>The file may be a prepared one, and H2 executes what is in it. So it is copied into a directory that is private to this process,
 * where no other user changes it after the check, and is opened only if it {@linkplain H2Definitions defines} nothing but plain tables.
 *
 * <p>The work is done on a thread of its own, since H2 closes its file when the thread that uses it is
 * interrupted; an interrupt of the caller ends the import, and the new history remains as it was.
 */
public final class H2Import {
    private static final int ROWS_PER_PAGE = 200;
    private static final List<String> SNAPSHOT_COLUMNS = List.of(
            "id",
            "gmt_create",
            "gmt_modified",
            "destination",
            "binlog_file",
            "binlog_offest",
            "binlog_master_id",
            "binlog_timestamp",
            "extra",
            "data");
    private static final List<String> ROW_COLUMNS = List.of(
            "id",
            "gmt_create",
            "gmt_modified",
            "destination",
            "binlog_file",
            "binlog_offest",
            "binlog_master_id",
            "binlog_timestamp",
            "use_schema",
            "sql_schema",
            "sql_table",
            "sql_type",
            "extra",
            "sql_text");

    private final H2File file;
    private final String cipher;
    private final String user;
    private final String password;
    private volatile boolean cancelled;

    /**
     * Prepares an import.
     *
     * @param file the one to copy from
     * @param settings H2's settings in the URL of the history; only the cipher is used
     * @param user the user with which the file was made
     * @param password the same user's
     */
    public H2Import(H2File file, String settings, String user, String password) {
        this.file = file;
        this.cipher = Arrays.stream(settings.split(";"))
                .filter(setting -> setting.toUpperCase(Locale.ROOT).startsWith("CIPHER="))
                .map(setting -> ";" + setting)
                .collect(Collectors.joining());
        this.user = user;
        this.password = password;
    }

    /**
     * What was copied.
     *
     * @param rows how many rows and snapshots there were
     * @param closedMillis when the file was closed, in milliseconds since the epoch: rows that were written later are in another one; 0 if the process that wrote it
     *     has not closed it, so that rows may be missing that it wrote last
     */
    public record Copied(long rows, long closedMillis) {}

    /**
     * Copies all snapshots and rows, with their ids. Must run in a transaction that has created the tables.
     *
     * @throws HistoryException if the file cannot be read
     * @throws IOException if the thread was interrupted
     */
    public Copied copyInto(HistoryDatabase target) throws IOException {
        try {
            return UninterruptedTask.run(
                    file.stem().getFileName() + "-import", () -> copy(target), () -> cancelled = true);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedIOException cause) {
                throw cause;
            }
            throw failure(e.getCause());
        }
    }

    private HistoryException failure(@Nullable Throwable cause) {
        if (cause instanceof HistoryException e) {
            return e; // of the new history
        }
        return new HistoryException(
                ("the schema history of canal, %s, cannot be taken over: %s; if another process has it open, stop that;"
                                + " if its user or password is another one, set canal.instance.tsdb.dbUsername and canal.instance.tsdb.dbPassword;"
                                + " if it is damaged, restore it from a backup, or move it away to begin a new history with the table schemas"
                                + " that the source has now")
                        .formatted(file.path(), cause == null ? "" : reason(cause)),
                cause);
    }

    /** Of a page that cannot be read, H2 has the reason in the cause only. */
    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        String message = String.valueOf(failure.getMessage());
        return failure instanceof MVStoreException && cause instanceof IllegalArgumentException
                ? message + ": " + cause.getMessage()
                : message;
    }

    private Copied copy(HistoryDatabase target) throws SQLException, IOException {
        try (H2Copy copied = H2Copy.of(file, Path.of(System.getProperty("java.io.tmpdir")))) {
            H2File copy = copied.file();
            if (Files.size(copy.path()) == 0) {
                throw new HistoryException(
                        ("the schema history of canal, %s, is empty: nothing was ever written to it; move it away to begin a new history with"
                                        + " the table schemas that the source has now, or restore it from a backup if it had content")
                                .formatted(file.path()));
            }
            H2Definitions.Found found = H2Definitions.read(copy.path(), filePassword());
            if (found.foreignPart() != null) {
                throw new HistoryException(
                        ("the schema history of canal, %s, is not taken over: it has more than tables, namely %s, and opening it"
                                        + " could run code of whoever wrote it; if canal.instance.tsdb.url does not lead to the file of canal, correct"
                                        + " it; else find out who changed the file, and restore it from a backup, or move it away to begin a new history"
                                        + " with the table schemas that the source has now")
                                .formatted(file.path(), found.foreignPart()));
            }
            try (Connection connection = source(copy).getConnection()) {
                long rows = copy(connection, "meta_snapshot", SNAPSHOT_COLUMNS, target)
                        + copy(connection, "meta_history", ROW_COLUMNS, target);
                return new Copied(rows, found.isClosed() ? file.changedMillis() : 0);
            }
        }
    }

    /**
     * The copy as a database. It is not opened read-only, since H2 could not roll back a transaction then that a killed process has left. It does that after it has
     * executed the statements of the file, so what it restores is not executed.
     */
    private JdbcDataSource source(H2File copy) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:file:" + copy.stem()
                + ";IFEXISTS=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE;DB_CLOSE_ON_EXIT=FALSE"
                + cipher);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    /** The password of an encrypted file is what precedes the user's, and H2 takes the lower byte of each character. */
    private char @Nullable [] filePassword() {
        if (cipher.isEmpty()) {
            return null;
        }
        int end = password.indexOf(' ');
        char[] key = password.substring(0, Math.max(0, end)).toCharArray();
        for (int i = 0; i < key.length; i++) {
            key[i] = (char) (key[i] & 0xFF);
        }
        return key;
    }

    private long copy(Connection connection, String table, List<String> columns, HistoryDatabase target)
            throws SQLException, IOException {
        if (!hasTable(connection, table)) {
            return 0; // the process that made the file ended before it made the table
        }
        String names = String.join(", ", columns);
        String insert =
                "insert into %s (%s) values (%s)".formatted(table, names, "?, ".repeat(columns.size() - 1) + "?");
        long count = 0;
        long after = Long.MIN_VALUE;
        try (PreparedStatement select = connection.prepareStatement(
                "select %s from %s where id > ? order by id limit %d".formatted(names, table, ROWS_PER_PAGE))) {
            while (true) {
                select.setLong(1, after);
                int rows = 0;
                try (ResultSet result = select.executeQuery()) {
                    while (result.next()) {
                        after = result.getLong(1);
                        target.update(insert, row(result, columns.size()));
                        rows++;
                    }
                }
                count += rows;
                if (rows < ROWS_PER_PAGE) {
                    return count;
                }
                if (cancelled) {
                    throw new InterruptedIOException(
                            "interrupted while the schema history %s was taken over".formatted(file.path()));
                }
            }
        }
    }

    @SuppressWarnings("NullAway") // a value of a row may be null, and is null in the copy then
    private static Object[] row(ResultSet result, int columns) throws SQLException {
        @Nullable Object[] row = new Object[columns];
        for (int i = 0; i < columns; i++) {
            row[i] = result.getString(i + 1);
        }
        return Arrays.copyOf(row, columns);
    }

    private static boolean hasTable(Connection connection, String table) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select 1 from information_schema.tables where lower(table_name) = ?")) {
            select.setString(1, table);
            try (ResultSet result = select.executeQuery()) {
                return result.next();
            }
        }
    }
}
