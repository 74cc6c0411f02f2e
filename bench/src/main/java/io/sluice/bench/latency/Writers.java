package io.sluice.bench.latency;

import io.sluice.bench.workload.StampedInserts;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Connections that commit transactions when they are due. A free connection takes the next one; if none is free, the transaction is
 * late, which its moments show.
 */
final class Writers implements AutoCloseable {
    private final StampedInserts inserts = new StampedInserts(1);
    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads;

    Writers(MySqlServer mysql, int count) throws SQLException {
        threads = Executors.newFixedThreadPool(count);
        try {
            for (int i = 0; i < count; i++) {
                connections.add(DriverManager.getConnection(mysql.jdbcUrl() + "&characterEncoding=UTF-8", "root", ""));
            }
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    /** Commits all transactions of a schedule and records their times. */
    void write(Moments moments) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (Connection connection : connections) {
            tasks.add(() -> {
                write(connection, moments, next);
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a writer has failed", e.getCause());
            }
        }
    }

    private void write(Connection connection, Moments moments, AtomicInteger next) throws SQLException {
        Schedule schedule = moments.schedule();
        try (Statement statement = connection.createStatement()) {
            while (true) {
                int transaction = next.getAndIncrement();
                if (transaction >= schedule.transactions()) {
                    return;
                }
                String sql = inserts.insert(
                        Stamp.of(moments.numberOf(transaction)),
                        schedule.rowsBefore(transaction),
                        schedule.rowsOf(transaction));
                awaitDue(moments.dueNanos(transaction));
                long sent = System.nanoTime();
                statement.executeUpdate(sql);
                moments.committed(transaction, sent, System.nanoTime());
            }
        }
    }

    private static void awaitDue(long dueNanos) {
        long left = dueNanos - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = dueNanos - System.nanoTime();
        }
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
