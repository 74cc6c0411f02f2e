package io.sluice.deployer.e2e;

import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connection of a writer to the source, made again after the source has ended. For one thread. */
final class SoakConnection implements AutoCloseable {
    private static final Duration RETRY = Duration.ofMillis(200);

    private final Supplier<MySqlServer> mysql;
    private final SoakState state;
    private final int writer;
    private final Random random;
    private @Nullable Connection connection;

    SoakConnection(Supplier<MySqlServer> mysql, SoakState state, int writer, Random random) {
        this.mysql = mysql;
        this.state = state;
        this.writer = writer;
        this.random = random;
    }

    int writer() {
        return writer;
    }

    Random random() {
        return random;
    }

    long select(String sql) throws SQLException {
        try (Statement statement = open().createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    void change(String sql) throws SQLException {
        run(sql);
        state.count(sql.substring(0, sql.indexOf(' ')).toLowerCase(Locale.ROOT));
    }

    void run(String sql) throws SQLException {
        try (Statement statement = open().createStatement()) {
            statement.execute(sql);
        }
    }

    /** The connection, made again if there is none, for as long as it takes. */
    Connection open() throws SQLException {
        Connection open = connection;
        while (open == null) {
            try {
                open = mysql.get().connect();
                open.setCatalog(SoakTables.SCHEMAS.get(0)); // which a DELETE with aliases needs
                prepare(open);
            } catch (SQLException e) {
                pause(e);
            }
        }
        connection = open;
        return open;
    }

    private void prepare(Connection open) throws SQLException {
        open.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try (Statement statement = open.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = 3");
            statement.execute("SET SESSION lock_wait_timeout = 10");
            if (state.leavesOutMost && random.nextInt(3) != 0) {
                statement.execute("SET SESSION binlog_row_image = 'MINIMAL'");
            } else if (state.leavesOutBlobs && random.nextBoolean()) {
                statement.execute("SET SESSION binlog_row_image = 'NOBLOB'");
            }
        }
    }

    void pause(SQLException e) {
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("interrupted while the source is down", e);
        }
        LockSupport.parkNanos(RETRY.toNanos());
    }

    @Override
    public void close() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // it is broken
        }
        connection = null;
    }
}
