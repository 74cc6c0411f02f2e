package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Table;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** What the writers of a soak share: the tables, what is committed, and the numbers that were given. */
final class SoakState {
    /** The table with a row for each transaction. */
    static final String TRANSACTIONS_TABLE = SoakTables.SCHEMAS.get(0) + ".transactions";

    /** A table of the other schema, as that one. */
    static final String MARKS_TABLE = SoakTables.SCHEMAS.get(1) + ".marks";

    static final int WRITERS = 3;
    static final int FIRST_TABLES = 5;

    /** Held for reading by transactions, for writing by DDL and by comparisons. */
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

    final SoakTables versions = new SoakTables();

    /** Whether an update that changes a key is delivered as a delete and an insert. */
    final boolean splitsMoves;

    /** Whether there are columns that the source computes. */
    final boolean generates;

    /** Whether some writers write images of rows that lack texts. */
    final boolean leavesOutBlobs;

    /** Whether some writers write images of rows that lack what did not change. */
    final boolean leavesOutMost;

    /** Whether each schema has a topic. */
    final boolean hasOneTopicEach;

    /** By their full names. Guarded by the lock. */
    final Map<String, Table> tables = new TreeMap<>();

    /** How many open transactions have rows of a table, whose schema cannot change meanwhile. */
    private final Map<Table, Integer> held = new ConcurrentHashMap<>();

    /** All changes that are committed, by the names that the ledger gives them. */
    final Set<String> committed = ConcurrentHashMap.newKeySet();

    /** Changes of XA transactions; what was prepared before the position of a restart and committed after it is not repeated. */
    final Set<String> ofXa = ConcurrentHashMap.newKeySet();

    /** The ids of rows that a TRUNCATE has deleted. */
    final Set<Long> truncated = ConcurrentHashMap.newKeySet();

    /** The DDL by the names that the ledger gives them. */
    final Map<String, String> statements = new ConcurrentHashMap<>();

    final Map<String, Integer> done = new ConcurrentHashMap<>();
    final AtomicLong lastSeq = new AtomicLong();
    final AtomicLong lastId = new AtomicLong();
    final AtomicLong lastTransaction = new AtomicLong();
    final AtomicLong lastDdl = new AtomicLong();

    /** Guarded by the lock, as all that follow. */
    boolean hasPassing;

    long lastTable;

    long lastName;

    SoakState(SoakCluster.Kind kind) {
        hasOneTopicEach = kind.topics();
        leavesOutMost = kind.minimal();
        splitsMoves = kind.split();
        generates = !kind.release().isMariaDb();
        leavesOutBlobs = kind.noBlob();
    }

    Table anyTable(Random random) {
        List<Table> all = List.copyOf(tables.values());
        return all.get(random.nextInt(all.size()));
    }

    /** A table whose schema can change; null if there is none. */
    @Nullable Table freeTable(Random random) {
        List<Table> all = tables.values().stream()
                .filter(table -> !held.containsKey(table))
                .toList();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    boolean isAnyHeld(List<String> fullNames) {
        return fullNames.stream().map(tables::get).anyMatch(held::containsKey);
    }

    void hold(Table table) {
        held.merge(table, 1, Integer::sum);
    }

    void letGo(Table table) {
        held.computeIfPresent(table, (any, count) -> count == 1 ? null : count - 1);
    }

    /** The number of a statement that writes no long texts, for one with many rows. */
    long shortSeq() {
        long seq = lastSeq.incrementAndGet();
        return seq % SoakTables.LONG_ONE_IN == 0 ? lastSeq.incrementAndGet() : seq;
    }

    void count(String what) {
        done.merge(what, 1, Integer::sum);
    }
}
