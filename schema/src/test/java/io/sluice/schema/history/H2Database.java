package io.sluice.schema.history;

import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A history in an H2 file, as versions before the local SQLite file have written it.
 *
 * <p>All work is done on a thread of its own, since H2 closes its file when a thread that uses it is interrupted. The thread is
 * there while there is work, and a little longer.
 */
final class H2Database implements HistoryDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(H2Database.class);
    private static final String SUFFIX = ".mv.db";
    private static final Duration REST = Duration.ofSeconds(2);

    private final ExecutorService worker;
    private final Path path;
    private final Connection connection;

    private H2Database(ExecutorService worker, Path path, Connection connection) {
        this.worker = worker;
        this.path = path;
        this.connection = connection;
    }

    /**
     * Opens the file, and makes it if it is not there. One in a format of H2 1.x is put aside.
     *
     * @throws HistoryException if it cannot be opened
     */
    static H2Database open(Path path, String user, String password) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:file:" + path + ";MODE=MYSQL;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        source.setUser(user);
        source.setPassword(password);
        ExecutorService worker = worker(path.getFileName() + "-history");
        try {
            Files.createDirectories(path.getParent());
            return new H2Database(worker, path, await(worker, source::getConnection));
        } catch (SQLException e) {
            worker.shutdown();
            throw new HistoryException(
                    "the schema history %s%s cannot be opened: %s; close the process that has it open, or move the file away to begin a new history (canal.instance.tsdb.url)"
                            .formatted(path, SUFFIX, e.getMessage()),
                    e);
        } catch (IOException e) {
            worker.shutdown();
            throw new HistoryException("the directory of the schema history %s cannot be made".formatted(path), e);
        }
    }

    private static ExecutorService worker(String name) {
        ThreadPoolExecutor worker = new ThreadPoolExecutor(
                1, 1, REST.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        worker.allowCoreThreadTimeOut(true);
        return worker;
    }

    @Override
    public List<@Nullable String[]> query(String sql, Object... values) {
        return run(sql, values, statement -> {
            List<@Nullable String[]> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    @Nullable String[] row = new String[columns];
                    for (int i = 0; i < columns; i++) {
                        row[i] = result.getString(i + 1);
                    }
                    rows.add(row);
                }
            }
            return rows;
        });
    }

    @Override
    public void update(String sql, Object... values) {
        run(sql, values, PreparedStatement::executeUpdate);
        run("CHECKPOINT SYNC", new Object[0], PreparedStatement::execute);
    }

    /** What is done with a statement. */
    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    private <T> T run(String sql, Object[] values, Work<T> work) {
        try {
            return await(worker, () -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    for (int i = 0; i < values.length; i++) {
                        statement.setObject(i + 1, values[i]);
                    }
                    return work.with(statement);
                }
            });
        } catch (SQLException e) {
            throw new HistoryException(
                    "the schema history %s cannot be used: %s; free its disk or move it away, and start the instance again"
                            .formatted(location(), e.getMessage()),
                    e);
        }
    }

    /** Waits for the worker, also while interrupted: what it does is short, and must not be left half done. */
    private static <T> T await(ExecutorService worker, Callable<T> work) throws SQLException {
        Future<T> result = worker.submit(work);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof SQLException cause) {
                        throw cause;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void atomically(Changes changes) throws IOException {
        changes.run(); // that version had no transactions of several statements
    }

    @Override
    public void createIndex(String name, String table, String columns) {
        update("create index if not exists %s on %s (%s)".formatted(name, table, columns));
    }

    @Override
    public boolean hasColumn(String table, String column) {
        return !query(
                        "select column_name from information_schema.columns where lower(table_name) = ? and lower(column_name) = ?",
                        table,
                        column)
                .isEmpty();
    }

    @Override
    public void addColumn(String table, String column, String type) {
        update("alter table %s add column if not exists %s %s".formatted(table, column, type));
    }

    @Override
    public void adaptTables() {
        // any text fits into any column
    }

    @Override
    public String insertUnlessThere() {
        return "insert ignore";
    }

    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public String idType() {
        return "bigint auto_increment";
    }

    @Override
    public String tableOptions() {
        return "";
    }

    @Override
    public String location() {
        return path + SUFFIX;
    }

    @Override
    public void abort() {
        // never waits for long
    }

    @Override
    public void close() {
        try {
            await(worker, () -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SHUTDOWN");
                } finally {
                    connection.close();
                }
                return "";
            });
        } catch (SQLException e) {
            LOG.debug("closing a schema history failed, its rows are written: file={}", location(), e);
        } finally {
            worker.shutdown();
        }
    }
}
