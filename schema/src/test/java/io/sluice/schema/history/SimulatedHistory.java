package io.sluice.schema.history;

import io.sluice.protocol.time.Time;
import io.sluice.schema.history.database.HistoryDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database of a schema history on a simulated disk: it keeps the transactions that were committed, and can lose the last ones of
 * them, as a disk does that confirms what it has not written. One process at a time has it open.
 */
public final class SimulatedHistory implements AutoCloseable {
    private final List<List<Change>> committed = new ArrayList<>();
    private Connection connection;
    private @Nullable Session open;
    private Runnable aroundWrites = () -> {};

    private record Change(String sql, List<Object> values) {}

    /** The database has nothing yet. */
    public SimulatedHistory() {
        this.connection = empty();
    }

    private static Connection empty() {
        try {
            return DriverManager.getConnection("jdbc:sqlite::memory:");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens the history for a process; the process that had it open before is dead. */
    public SchemaHistory open(HistoryConfig config, Time time) throws IOException {
        kill();
        Session session = new Session();
        open = session;
        return SchemaHistory.open(config, session, time);
    }

    /** Sets what runs before each write and after it; it may {@link #kill}. */
    public void setAroundWrites(Runnable task) {
        aroundWrites = task;
    }

    /** The process that has it open dies: what it has not committed is gone. */
    public void kill() {
        Session killed = open;
        open = null;
        if (killed != null) {
            killed.die();
        }
    }

    /** Loses the transactions that were committed last, also while a process has it open, but not in the middle of a transaction. */
    public void loseTail(int transactions) {
        List<List<Change>> kept = List.copyOf(committed.subList(0, Math.max(0, committed.size() - transactions)));
        committed.clear();
        close();
        connection = empty();
        for (List<Change> changes : kept) {
            changes.forEach(this::execute);
            committed.add(changes);
        }
    }

    /** Makes a change as an operator does, by a statement. */
    public void change(String sql) {
        Change change = new Change(sql, List.of());
        execute(change);
        committed.add(List.of(change));
    }

    /** How many transactions are committed. */
    public int transactions() {
        return committed.size();
    }

    /** Whether a statement, or a definition with such a text, is in a row or in a snapshot. */
    public boolean mentions(String text) {
        String like = "%" + text + "%";
        return !query(
                        "select id from meta_history where sql_text like ? union select id from meta_snapshot where data like ?",
                        like,
                        like)
                .isEmpty();
    }

    private List<@Nullable String[]> query(String sql, Object... values) {
        try (PreparedStatement statement = prepare(sql, List.of(values));
                ResultSet result = statement.executeQuery()) {
            List<@Nullable String[]> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                @Nullable String[] row = new String[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = result.getString(i + 1);
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(Change change) {
        try (PreparedStatement statement = prepare(change.sql(), change.values())) {
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private PreparedStatement prepare(String sql, List<Object> values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
        return statement;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The database as one process sees it. */
    private final class Session implements HistoryDatabase {
        private @Nullable List<Change> transaction;
        private boolean dead;

        private void die() {
            dead = true;
            if (transaction != null) {
                transaction = null;
                execute(new Change("rollback", List.of()));
            }
        }

        private void requireAlive() throws IOException {
            if (dead) {
                throw new IOException("the process is dead");
            }
        }

        @Override
        public List<@Nullable String[]> query(String sql, Object... values) throws IOException {
            requireAlive();
            return SimulatedHistory.this.query(sql, values);
        }

        @Override
        public void update(String sql, Object... values) throws IOException {
            aroundWrites.run();
            requireAlive();
            Change change = new Change(sql, List.of(values));
            execute(change);
            if (transaction == null) {
                committed.add(List.of(change));
            } else {
                transaction.add(change);
            }
            aroundWrites.run();
            requireAlive();
        }

        @Override
        public void atomically(Changes changes) throws IOException {
            requireAlive();
            execute(new Change("begin", List.of()));
            transaction = new ArrayList<>();
            try {
                changes.run();
                requireAlive();
                execute(new Change("commit", List.of()));
                committed.add(List.copyOf(transaction));
                transaction = null;
                aroundWrites.run();
                requireAlive();
            } finally {
                if (transaction != null) {
                    transaction = null;
                    execute(new Change("rollback", List.of()));
                }
            }
        }

        @Override
        public void createIndex(String name, String table, String columns) throws IOException {
            update("create index if not exists %s on %s (%s)".formatted(name, table, columns));
        }

        @Override
        public boolean hasColumn(String table, String column) throws IOException {
            return !query("select name from pragma_table_info(?) where name = ?", table, column)
                    .isEmpty();
        }

        @Override
        public void addColumn(String table, String column, String type) throws IOException {
            if (!hasColumn(table, column)) {
                update("alter table %s add column %s %s".formatted(table, column, type));
            }
        }

        @Override
        public void adaptTables() {}

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
            return "";
        }

        @Override
        public String location() {
            return "the simulated history";
        }

        @Override
        public void abort() {}

        @Override
        public void close() {
            if (open == this) {
                open = null;
            }
            dead = true;
        }
    }
}
