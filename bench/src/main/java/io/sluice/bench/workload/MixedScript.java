package io.sluice.bench.workload;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Transactions of one statement each, on a random table: an insert of some rows, an update or a delete of one. */
final class MixedScript implements ChangeScript {
    private static final int MAX_ROWS = 10;
    private static final int INSERT_PERCENT = 30;
    private static final int UPDATE_PERCENT = 50;
    /** A table with fewer rows gets inserts only. */
    private static final int MIN_ROWS = 100;

    private static final int TRANSACTIONS_PER_SECOND = 1_000;
    private static final long FIRST_SECOND = 1_767_225_600; // 2026-01-01 00:00:00 UTC

    private final Workload workload;
    private final Random random;
    private final RowText rows;
    private final List<String> tables;
    private final List<LiveRows> liveRows;
    private final StringBuilder sql = new StringBuilder(4096);

    private Tally inserts = Tally.NONE;
    private Tally updates = Tally.NONE;
    private Tally deletes = Tally.NONE;

    MixedScript(Workload workload) {
        this.workload = workload;
        this.random = new Random(workload.seed());
        this.rows = new RowText(random);
        this.tables = workload.tables();
        this.liveRows = tables.stream().map(table -> new LiveRows()).toList();
    }

    @Override
    public Totals write(Consumer<CharSequence> statements) {
        for (long transaction = 0; rowsLeft() > 0; transaction++) {
            if (transaction % TRANSACTIONS_PER_SECOND == 0) {
                statements.accept("SET timestamp=" + (FIRST_SECOND + transaction / TRANSACTIONS_PER_SECOND));
            }
            statements.accept("BEGIN");
            sql.setLength(0);
            writeStatement(tables.size() - 1 - random.nextInt(tables.size()));
            statements.accept(sql);
            statements.accept("COMMIT");
        }
        return new Totals(inserts, updates, deletes);
    }

    private long rowsLeft() {
        return workload.rows() - inserts.rows() - updates.rows() - deletes.rows();
    }

    private void writeStatement(int number) {
        boolean ofOrders = Tables.isOrders(number);
        LiveRows live = liveRows.get(number);
        String table = tables.get(number);
        int dice = random.nextInt(100);
        if (dice < INSERT_PERCENT || live.size() < MIN_ROWS) {
            insert(ofOrders, live, table);
        } else if (dice < INSERT_PERCENT + UPDATE_PERCENT) {
            update(ofOrders, live, table);
        } else {
            int id = live.remove(random);
            sql.append("DELETE FROM ").append(table).append(" WHERE id=").append(id);
            deletes = deletes.plus(id, live.cents(id));
        }
    }

    private void insert(boolean ofOrders, LiveRows live, String table) {
        sql.append("INSERT INTO ").append(table).append(" VALUES ");
        long count = Math.min(1 + random.nextInt(MAX_ROWS), rowsLeft());
        for (long i = 0; i < count; i++) {
            if (i > 0) {
                sql.append(',');
            }
            int cents = rows.cents();
            int id = live.add(cents);
            if (ofOrders) {
                rows.appendOrder(sql, id, cents);
            } else {
                rows.appendPayment(sql, id, cents);
            }
            inserts = inserts.plus(id, cents);
        }
    }

    private void update(boolean ofOrders, LiveRows live, String table) {
        int id = live.pick(random);
        int cents = rows.cents();
        if (cents == live.cents(id)) {
            cents++; // an update that changes nothing is not in the binlog
        }
        live.setCents(id, cents);
        sql.append("UPDATE ").append(table).append(" SET ");
        if (ofOrders) {
            rows.appendOrderUpdate(sql, cents);
        } else {
            rows.appendPaymentUpdate(sql, cents);
        }
        sql.append(" WHERE id=").append(id);
        updates = updates.plus(id, cents);
    }
}
