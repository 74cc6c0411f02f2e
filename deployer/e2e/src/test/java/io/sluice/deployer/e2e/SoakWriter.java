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
import java.util.concurrent.locks.LockSupport;

/**
 * Changes rows and schemas of {@link SoakTables} from several connections until it is told to end, and knows what is committed, also of statements that were
 * running when the source was killed: each transaction writes a row of its own.
 */
final class SoakWriter {
    private static final int MARKS = 64;

    private final MySqlServer mysql;
    private final long seed;
    private final Duration pace;
    private final SoakState state = new SoakState();
    private final AtomicBoolean isEnding = new AtomicBoolean();

    SoakWriter(MySqlServer mysql, long seed, Duration pace) {
        this.mysql = mysql;
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
        SoakTables.SCHEMAS.forEach(schema -> mysql.execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4"));
        mysql.execute("CREATE TABLE %s (id BIGINT PRIMARY KEY)".formatted(SoakState.TRANSACTIONS_TABLE));
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

    private void write(int writer) {
        try (SoakConnection connection = connection(writer)) {
            Random random = connection.random();
            SoakTransactions transactions = new SoakTransactions(state, connection);
            SoakDdl ddl = new SoakDdl(state, connection);
            while (!isEnding.get()) {
                if (random.nextInt(25) == 0) {
                    state.lock.writeLock().lock();
                    try {
                        ddl.changeSchema();
                    } finally {
                        state.lock.writeLock().unlock();
                    }
                } else {
                    state.lock.readLock().lock();
                    try {
                        transactions.transaction(random.nextInt(12) == 0);
                    } finally {
                        state.lock.readLock().unlock();
                    }
                }
                LockSupport.parkNanos(pace.toNanos());
            }
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
