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

/** What the writers of a soak share: the tables, what is committed, and the numbers that were given. */
final class SoakState {
    /** The name of the table with a row for each transaction. */
    static final String TRANSACTIONS = "transactions";

    static final String TRANSACTIONS_TABLE = SoakTables.SCHEMAS.get(0) + "." + TRANSACTIONS;

    static final int WRITERS = 3;
    static final int FIRST_TABLES = 5;

    /** Held for reading by transactions, for writing by DDL and by comparisons. */
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

    final SoakTables versions = new SoakTables();

    /** By their full names. Guarded by the lock. */
    final Map<String, Table> tables = new TreeMap<>();

    /** All changes that are committed, by the names that the ledger gives them. */
    final Set<String> committed = ConcurrentHashMap.newKeySet();

    /** The ids of rows that a TRUNCATE has deleted. */
    final Set<Long> truncated = ConcurrentHashMap.newKeySet();

    final Map<String, Integer> done = new ConcurrentHashMap<>();
    final AtomicLong lastSeq = new AtomicLong();
    final AtomicLong lastId = new AtomicLong();
    final AtomicLong lastTransaction = new AtomicLong();
    final AtomicLong lastDdl = new AtomicLong();

    /** Guarded by the lock, as the next one. */
    long lastTable;

    long lastName;

    Table anyTable(Random random) {
        List<Table> all = List.copyOf(tables.values());
        return all.get(random.nextInt(all.size()));
    }

    void count(String what) {
        done.merge(what, 1, Integer::sum);
    }
}
