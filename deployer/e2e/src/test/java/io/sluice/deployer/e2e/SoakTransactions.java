package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.deployer.e2e.SoakTables.Written;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The transactions of a writer: with savepoints, rolled back, large, and of XA. Called with the lock of {@link SoakState} held for reading. */
final class SoakTransactions {
    private static final int LARGE = 2_000;
    private static final int MANY = 50;

    private final SoakState state;
    private final SoakConnection connection;
    private final int writer;
    private final Random random;
    private Progress progress = new Progress(new ArrayList<>(), new HashMap<>());

    SoakTransactions(SoakState state, SoakConnection connection) {
        this.state = state;
        this.connection = connection;
        this.writer = connection.writer();
        this.random = connection.random();
    }

    /** A row that a transaction has changed, not committed yet; {@code seq} is 0 if it is deleted. */
    private record Effect(Table table, long id, long seq, String name) {}

    /** The rows that a transaction has changed up to now. */
    private record Progress(List<Effect> effects, Map<Long, Long> newest) {
        Progress copy() {
            return new Progress(new ArrayList<>(effects), new HashMap<>(newest));
        }
    }

    /** Commits a transaction with a row of its own alone, and returns its name. */
    String mark() throws SQLException {
        long number = state.lastTransaction.incrementAndGet();
        connection.run("INSERT INTO %s VALUES (%d)".formatted(SoakState.TRANSACTIONS_TABLE, number));
        String name = SoakLedger.transaction(number);
        state.committed.add(name);
        return name;
    }

    /** The same in the other schema. */
    String otherMark() throws SQLException {
        long number = state.lastTransaction.incrementAndGet();
        connection.run("INSERT INTO %s VALUES (%d)".formatted(SoakState.MARKS_TABLE, number));
        String name = SoakLedger.mark(number);
        state.committed.add(name);
        return name;
    }

    void transaction(boolean isXa) {
        long number = state.lastTransaction.incrementAndGet();
        progress = new Progress(new ArrayList<>(), new HashMap<>());
        boolean isCommitted;
        try {
            isCommitted = attempt(number, isXa);
        } catch (SQLException e) {
            isCommitted = outcome(number, isXa, e);
        }
        done(number, isCommitted, isXa ? "xa " : "");
    }

    private void done(long number, boolean isCommitted, String kind) {
        if (isCommitted) {
            state.committed.add(SoakLedger.transaction(number));
            for (Effect effect : progress.effects()) {
                state.committed.add(effect.name());
                if (effect.seq() == 0) {
                    effect.table().rows(writer).remove(effect.id());
                } else {
                    effect.table().put(writer, effect.id(), effect.seq());
                }
            }
        }
        state.count(kind + (isCommitted ? "commit" : "rollback"));
    }

    /**
     * Begins a transaction with rows of a table of its own, and leaves it open, or prepared, while the schemas of other tables change.
     *
     * @return what ends it
     */
    Runnable hold(Table table, boolean isXa) {
        long number = state.lastTransaction.incrementAndGet();
        progress = new Progress(new ArrayList<>(), new HashMap<>());
        try {
            begin(number, isXa);
            for (int statements = 1 + random.nextInt(3); statements > 0; statements--) {
                insert(table, 1 + random.nextInt(20));
            }
            if (isXa) {
                connection.run("XA END 'x%d'".formatted(number));
                noteXa(number);
                connection.run("XA PREPARE 'x%d'".formatted(number));
            }
        } catch (SQLException e) {
            done(number, outcome(number, isXa, e), isXa ? "held xa " : "held ");
            return () -> {};
        }
        boolean commits = random.nextInt(5) != 0;
        return () -> {
            boolean isCommitted;
            try {
                isCommitted = end(number, isXa, commits);
            } catch (SQLException e) {
                isCommitted = outcome(number, isXa, e);
            }
            done(number, isCommitted, isXa ? "held xa " : "held ");
        };
    }

    /** Returns whether it was state.committed. */
    private boolean attempt(long number, boolean isXa) throws SQLException {
        Connection session = begin(number, isXa);
        if (random.nextInt(80) == 0) {
            int statements = 3 + random.nextInt(4); // whose texts fit into messages
            for (int i = 0; i < statements; i++) {
                insert(state.anyTable(random), LARGE / statements);
            }
            state.count("large");
        }
        for (int steps = 1 + random.nextInt(5); steps > 0; steps--) {
            if (!isXa && random.nextInt(6) == 0) {
                savepoint(session);
            } else {
                changeRows();
            }
        }
        boolean commits = random.nextInt(10) != 0;
        if (isXa) {
            connection.run("XA END 'x%d'".formatted(number));
            noteXa(number);
            if (commits && random.nextInt(4) == 0) {
                connection.run("XA COMMIT 'x%d' ONE PHASE".formatted(number));
                return true;
            }
            connection.run("XA PREPARE 'x%d'".formatted(number));
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(60)).toNanos());
        }
        return end(number, isXa, commits);
    }

    private void noteXa(long number) {
        state.ofXa.add(SoakLedger.transaction(number));
        progress.effects().forEach(effect -> state.ofXa.add(effect.name()));
    }

    private Connection begin(long number, boolean isXa) throws SQLException {
        Connection session = connection.open();
        if (isXa) {
            connection.run("XA START 'x%d'".formatted(number));
        } else {
            session.setAutoCommit(false);
        }
        connection.run("INSERT INTO %s VALUES (%d)".formatted(SoakState.TRANSACTIONS_TABLE, number));
        return session;
    }

    private boolean end(long number, boolean isXa, boolean commits) throws SQLException {
        Connection session = connection.open();
        if (isXa) {
            connection.run("XA %s 'x%d'".formatted(commits ? "COMMIT" : "ROLLBACK", number));
        } else {
            if (commits) {
                session.commit();
            } else {
                session.rollback();
            }
            session.setAutoCommit(true);
        }
        return commits;
    }

    /** Whether a transaction was state.committed whose connection broke. */
    private boolean outcome(long number, boolean isXa, SQLException failure) {
        connection.close(); // which ends the transaction, unless it is prepared or state.committed
        while (true) {
            try {
                if (isXa) {
                    finish(connection.open(), "x" + number);
                }
                state.count("failed: " + failure.getMessage());
                return connection.select(
                                "SELECT COUNT(*) FROM %s WHERE id = %d".formatted(SoakState.TRANSACTIONS_TABLE, number))
                        == 1;
            } catch (SQLException e) {
                connection.close();
                connection.pause(e);
            }
        }
    }

    private void finish(Connection session, String xa) throws SQLException {
        boolean isPrepared = false;
        try (Statement statement = session.createStatement();
                ResultSet prepared = statement.executeQuery("XA RECOVER")) {
            while (prepared.next()) {
                isPrepared |= xa.equals(prepared.getString("data"));
            }
        }
        if (isPrepared) {
            state.count("xa recovered");
            connection.run("XA COMMIT '%s'".formatted(xa));
        }
    }

    private void savepoint(Connection session) throws SQLException {
        Savepoint savepoint = session.setSavepoint();
        Progress before = progress.copy();
        for (int steps = random.nextInt(3); steps > 0; steps--) {
            changeRows();
        }
        if (random.nextBoolean()) {
            session.rollback(savepoint);
            progress = before;
            state.count("rollback to savepoint");
        } else {
            session.releaseSavepoint(savepoint);
        }
    }

    private void changeRows() throws SQLException {
        Table table = state.anyTable(random);
        Long id = anyRow(table);
        if (id == null) {
            insert(table, 1 + random.nextInt(6));
            return;
        }
        Version version = table.version();
        long seq = state.lastSeq.incrementAndGet();
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> insert(table, 1 + random.nextInt(random.nextInt(12) == 0 ? 200 : 6));
            case 3, 4 -> {
                connection.change(
                        "UPDATE %s SET %s WHERE id = %d".formatted(version.fullName(), all(version, seq, ""), id));
                wrote(table, id, seq);
            }
            case 5 -> {
                List<Column> some = new ArrayList<>(version.free());
                Collections.shuffle(some, random);
                String set = assignments(version, some.subList(0, Math.min(1, some.size())), seq, "");
                connection.change("UPDATE %s SET %s WHERE id = %d".formatted(version.fullName(), set, id));
                wrote(table, id, seq);
            }
            case 6 -> {
                List<Long> ids = anyRows(table, id);
                connection.change("UPDATE %s SET %s WHERE id IN (%s)"
                        .formatted(version.fullName(), all(version, seq, ""), SoakTables.list(ids)));
                ids.forEach(next -> wrote(table, next, seq));
            }
            case 7 -> {
                List<Long> ids = anyRows(table, id);
                connection.change(
                        "DELETE FROM %s WHERE id IN (%s)".formatted(version.fullName(), SoakTables.list(ids)));
                ids.forEach(next -> deleted(table, next));
                if (random.nextBoolean()) {
                    insert(table, ids);
                }
            }
            case 8, 9 -> {
                if (version.parts().isEmpty() && !version.key().isEmpty()) {
                    insertAgain(table, id, seq);
                } else {
                    move(table, id, seq);
                }
            }
            case 10 -> changeTwo(table, id, seq);
            default -> move(table, id, seq);
        }
    }

    /** A statement that inserts a row, or changes it if it is there, as it is. */
    private void insertAgain(Table table, long id, long seq) throws SQLException {
        Version version = table.version();
        if (random.nextBoolean()) {
            connection.change("INSERT INTO %s (%s) VALUES %s ON DUPLICATE KEY UPDATE %s"
                    .formatted(version.fullName(), names(version), row(version, id, seq), all(version, seq, "")));
        } else {
            connection.change("REPLACE INTO %s (%s) VALUES %s"
                    .formatted(version.fullName(), names(version), row(version, id, seq)));
        }
        wrote(table, id, seq);
    }

    /** Changes the key of a row, and all else, if the table has such keys. */
    private void move(Table table, long id, long seq) throws SQLException {
        Version version = table.version();
        List<Column> parts = version.parts();
        if (parts.isEmpty()) {
            return;
        }
        Written row = new Written(id, seq, seq);
        StringBuilder set =
                new StringBuilder(all(version, seq, "")).append(", moved = ").append(seq);
        for (Column part : parts) {
            set.append(", %s = %s".formatted(SoakTables.quoted(part.name()), part.literal(row)));
        }
        connection.change("UPDATE %s SET %s WHERE id = %d".formatted(version.fullName(), set, id));
        if (state.splitsMoves && version.isMovable()) {
            deleted(table, id);
        }
        wrote(table, id, seq);
        state.count("move");
    }

    /** One statement for rows of two tables. */
    private void changeTwo(Table table, long id, long seq) throws SQLException {
        Table other = state.anyTable(random);
        Long otherId = anyRow(other);
        if (otherId == null || other == table) {
            return;
        }
        Version one = table.version();
        Version two = other.version();
        if (random.nextBoolean()) {
            connection.change("UPDATE %s a JOIN %s b ON a.id = %d AND b.id = %d SET %s, %s"
                    .formatted(one.fullName(), two.fullName(), id, otherId, all(one, seq, "a."), all(two, seq, "b.")));
            wrote(table, id, seq);
            wrote(other, otherId, seq);
            state.count("update of two tables");
        } else {
            connection.change("DELETE a, b FROM %s a JOIN %s b ON a.id = %d AND b.id = %d"
                    .formatted(one.fullName(), two.fullName(), id, otherId));
            deleted(table, id);
            deleted(other, otherId);
            state.count("delete from two tables");
        }
    }

    private void insert(Table table, int count) throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(state.lastId.incrementAndGet());
        }
        insert(table, ids);
    }

    private void insert(Table table, List<Long> ids) throws SQLException {
        Version version = table.version();
        long seq = ids.size() > MANY ? state.shortSeq() : state.lastSeq.incrementAndGet();
        connection.change("INSERT INTO %s (%s) VALUES %s"
                .formatted(
                        version.fullName(),
                        names(version),
                        ids.stream().map(id -> row(version, id, seq)).collect(Collectors.joining(", "))));
        ids.forEach(id -> wrote(table, id, seq));
    }

    private void wrote(Table table, long id, long seq) {
        progress.effects().add(new Effect(table, id, seq, SoakLedger.written(id, seq)));
        progress.newest().put(id, seq);
    }

    private void deleted(Table table, long id) {
        long seq = progress.newest().getOrDefault(id, table.rows(writer).getOrDefault(id, 0L));
        progress.effects().add(new Effect(table, id, 0, SoakLedger.deleted(id, seq)));
        progress.newest().put(id, 0L);
    }

    /** A row of this writer that this transaction has not deleted, or null. */
    private @Nullable Long anyRow(Table table) {
        Long id = table.anyRow(writer, random);
        return id == null || progress.newest().getOrDefault(id, 1L) == 0 ? null : id;
    }

    /** A row, and some others perhaps. */
    private List<Long> anyRows(Table table, long one) {
        List<Long> ids = new ArrayList<>(List.of(one));
        for (int count = random.nextInt(4); count > 0; count--) {
            Long id = anyRow(table);
            if (id != null && !ids.contains(id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    private String all(Version version, long seq, String alias) {
        return assignments(version, version.free(), seq, alias);
    }

    private String assignments(Version version, List<Column> columns, long seq, String alias) {
        state.versions.note(seq, version);
        StringBuilder text =
                new StringBuilder("%1$sseq = %2$d, %1$sver = %3$d".formatted(alias, seq, version.number()));
        for (Column column : columns) {
            text.append(", %s%s = %s"
                    .formatted(alias, SoakTables.quoted(column.name()), column.literal(new Written(0, seq, 0))));
        }
        return text.toString();
    }

    private String names(Version version) {
        return version.writtenNames().stream().map(SoakTables::quoted).collect(Collectors.joining(", "));
    }

    private String row(Version version, long id, long seq) {
        state.versions.note(seq, version);
        Written row = new Written(id, seq, seq);
        return version.columns().stream()
                .filter(column -> !column.isGenerated())
                .map(column -> switch (column.name()) {
                    case SoakTables.ID -> Long.toString(id);
                    case SoakTables.SEQ, SoakTables.MOVED -> Long.toString(seq);
                    case SoakTables.VER -> Long.toString(version.number());
                    default -> column.literal(row);
                })
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
