package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Changes rows and schemas of {@link SoakTables} from several connections until it is told to end, and knows what is committed, also of statements that were
 * running when the source was killed: each transaction writes a row of its own.
 */
final class SoakWriter {
    private static final int MARKS = 64;

    private static final int LONGEST_HOLD = 200;

    private final Supplier<MySqlServer> mysql;
    private final long seed;
    private final Duration pace;
    private final SoakState state;
    private final AtomicBoolean isEnding = new AtomicBoolean();

    /** @param mysql the source as it is now */
    SoakWriter(Supplier<MySqlServer> mysql, SoakCluster.Kind kind, long seed, Duration pace) {
        this.mysql = mysql;
        this.state = new SoakState(kind);
        this.seed = seed;
        this.pace = pace;
    }

    SoakTables versions() {
        return state.versions;
    }

    /** All changes that are committed, by the names that the ledger gives them. */
    Set<String> committed() {
        return state.committed;
    }

    /** A change with its statement, if it is a DDL. */
    String described(String name) {
        return state.statements.getOrDefault(name, name);
    }

    /** The changes of XA transactions, by the same names. */
    Set<String> ofXa() {
        return state.ofXa;
    }

    /** The keys of rows that were in a table when it was truncated. */
    Set<Long> truncated() {
        return state.truncated;
    }

    /** The number of statements and ends of transactions, by kind. */
    Map<String, Integer> done() {
        return new TreeMap<>(state.done);
    }

    void end() {
        isEnding.set(true);
    }

    /** Creates the schemas and the first tables. */
    void create() {
        MySqlServer source = mysql.get();
        SoakTables.SCHEMAS.forEach(schema -> source.execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4"));
        source.execute(
                "CREATE TABLE %s (id BIGINT PRIMARY KEY)".formatted(SoakState.TRANSACTIONS_TABLE),
                "CREATE TABLE %s (id BIGINT PRIMARY KEY)".formatted(SoakState.MARKS_TABLE));
        try (SoakConnection connection = connection(0)) {
            SoakDdl ddl = new SoakDdl(state, connection);
            while (state.tables.size() < SoakState.FIRST_TABLES) {
                ddl.createTable(ddl.freshName());
            }
        }
    }

    private SoakConnection connection(int writer) {
        return new SoakConnection(mysql, state, writer, new Random(seed * SoakState.WRITERS + writer));
    }

    /** What the writers do; each is for a thread of its own. */
    List<Runnable> writers() {
        List<Runnable> writers = new ArrayList<>();
        for (int i = 0; i < SoakState.WRITERS; i++) {
            int number = i;
            writers.add(() -> write(number));
        }
        return writers;
    }

    /** Nothing is written, and the source can be another one afterwards, while this is held for writing. */
    ReentrantReadWriteLock lock() {
        return state.lock;
    }

    private void write(int writer) {
        try (SoakConnection connection = connection(writer);
                SoakConnection other = connection(writer)) {
            Random random = connection.random();
            SoakTransactions transactions = new SoakTransactions(state, connection);
            SoakTransactions holding = new SoakTransactions(state, other);
            Runnable release = () -> {};
            int held = 0;
            SoakDdl ddl = new SoakDdl(state, connection);
            while (!isEnding.get()) {
                if (held > 0 && --held == 0) {
                    locked(state.lock.readLock(), release);
                } else if (held == 0 && random.nextInt(60) == 0) {
                    release = locked(state.lock.readLock(), () -> hold(holding, random));
                    held = 1 + random.nextInt(LONGEST_HOLD);
                }
                if (random.nextInt(25) == 0) {
                    locked(state.lock.writeLock(), ddl::changeSchema);
                } else if (random.nextInt(100) == 0) {
                    locked(state.lock.readLock(), ddl::useTemporary);
                } else {
                    boolean isXa = random.nextInt(12) == 0;
                    locked(state.lock.readLock(), () -> transactions.transaction(isXa));
                }
                LockSupport.parkNanos(pace.toNanos());
            }
            if (held > 0) {
                locked(state.lock.readLock(), release);
            }
        }
    }

    private Runnable hold(SoakTransactions holding, Random random) {
        Table table = state.anyTable(random);
        state.hold(table);
        Runnable release = holding.hold(table, random.nextInt(3) != 0);
        return () -> {
            release.run();
            state.letGo(table);
        };
    }

    private static void locked(Lock lock, Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private static <T> T locked(Lock lock, Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs something while nothing is written, with the names of transactions that were just committed in enough numbers for each partition. */
    void whileQuiet(Quiet action) throws Exception {
        state.lock.writeLock().lock();
        try (SoakConnection connection = connection(0)) {
            SoakTransactions transactions = new SoakTransactions(state, connection);
            List<String> marks = new ArrayList<>();
            for (int i = 0; i < MARKS; i++) {
                marks.add(transactions.mark());
                marks.add(transactions.otherMark());
            }
            action.run(marks, List.copyOf(state.tables.values()));
        } finally {
            state.lock.writeLock().unlock();
        }
    }

    /** What is done while nothing is written. */
    interface Quiet {
        void run(List<String> marks, List<Table> tables) throws Exception;
    }
}
