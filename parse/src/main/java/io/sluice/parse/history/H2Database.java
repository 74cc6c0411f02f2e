package io.sluice.parse.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * A history in an H2 file.
 *
 * <p>All work is done on a thread of its own, since H2 closes its file when a thread that uses it is interrupted. The thread is
 * there while there is work, and a little longer.
 */
final class H2Database implements HistoryDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(H2Database.class);
    private static final String SUFFIX = ".mv.db";
    private static final int HEADER_BYTES = 4096;
    private static final int OLDEST_FORMAT = 2;
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
    static H2Database open(HistoryPlace.H2File place, String user, String password) {
        putAsideOldFormat(place.path());
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:file:" + place.path() + place.settings()
                + missing(place.settings(), "MODE", "MYSQL") // the tables' types are MySQL's
                + missing(place.settings(), "WRITE_DELAY", "0")
                + missing(place.settings(), "DB_CLOSE_ON_EXIT", "FALSE"));
        source.setUser(user);
        source.setPassword(password);
        ExecutorService worker = worker(place.path().getFileName() + "-history");
        try {
            Files.createDirectories(place.path().getParent());
            return new H2Database(worker, place.path(), await(worker, source::getConnection));
        } catch (SQLException e) {
            worker.shutdown();
            throw new HistoryException(
                    "the schema history %s%s cannot be opened: %s; close whoever has it open, or move the file away to begin a new history (canal.instance.tsdb.url)"
                            .formatted(place.path(), SUFFIX, e.getMessage()),
                    e);
        } catch (IOException e) {
            worker.shutdown();
            throw new HistoryException(
                    "the directory of the schema history %s cannot be made".formatted(place.path()), e);
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

    private static String missing(String settings, String name, String value) {
        return settings.toUpperCase(Locale.ROOT).contains(";" + name + "=") ? "" : ";" + name + "=" + value;
    }

    /** H2 2.x cannot open what 1.x wrote; the first block of a file says in which format it is. */
    private static void putAsideOldFormat(Path path) {
        Path file = path.resolveSibling(path.getFileName() + SUFFIX);
        if (!Files.exists(file)) {
            return;
        }
        try {
            String header;
            try (InputStream in = Files.newInputStream(file)) {
                header = new String(in.readNBytes(HEADER_BYTES), StandardCharsets.ISO_8859_1);
            }
            if (formatOf(header) >= OLDEST_FORMAT) {
                return;
            }
            Path aside = path.resolveSibling(path.getFileName() + ".h2-1.x" + SUFFIX);
            for (int i = 2; Files.exists(aside); i++) {
                aside = path.resolveSibling(path.getFileName() + ".h2-1.x-" + i + SUFFIX);
            }
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.warn(
                    "the schema history is in a format of H2 1.x, as canal writes it, and cannot be read; it is kept aside, and a new history begins with the structures that the source has now: file={} kept_as={}",
                    file,
                    aside);
        } catch (IOException e) {
            throw new HistoryException("the schema history %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** The number behind {@code format:}; that of the newest format if there is none, so that H2 says what is wrong. */
    static int formatOf(String header) {
        int at = header.indexOf(",format:");
        if (!header.startsWith("H:") || at < 0 || at + 9 > header.length()) {
            return OLDEST_FORMAT;
        }
        int format = Character.digit(header.charAt(at + 8), 16);
        return format < 0 ? OLDEST_FORMAT : format;
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
                            .formatted(place(), e.getMessage()),
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
    public String counterType() {
        return "bigint auto_increment";
    }

    @Override
    public String tableOptions() {
        return "";
    }

    @Override
    public String place() {
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
            LOG.debug("closing a schema history failed, its rows are written: file={}", place(), e);
        } finally {
            worker.shutdown();
        }
    }
}
