package io.sluice.bench.workload;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Inserts of a thousand rows each, into the tables in turn. */
final class BatchScript implements ChangeScript {
    private static final int ROWS_PER_INSERT = 1_000;

    private final Workload workload;

    BatchScript(Workload workload) {
        this.workload = workload;
    }

    @Override
    public Totals write(Consumer<CharSequence> statements) {
        RowText rows = new RowText(new Random(workload.seed()));
        List<String> tables = workload.tables();
        StringBuilder sql = new StringBuilder(1 << 18);
        Tally inserts = Tally.NONE;
        while (inserts.rows() < workload.rows()) {
            sql.setLength(0);
            int table = (int) (inserts.rows() / ROWS_PER_INSERT % workload.tableCount());
            sql.append("INSERT INTO ").append(tables.get(table)).append(" VALUES ");
            long end = Math.min(inserts.rows() + ROWS_PER_INSERT, workload.rows());
            String separator = "";
            while (inserts.rows() < end) {
                long id = inserts.rows() + 1;
                int cents = rows.cents();
                sql.append(separator);
                if (Tables.isOrders(table)) {
                    rows.appendOrder(sql, id, cents);
                } else {
                    rows.appendPayment(sql, id, cents);
                }
                separator = ",";
                inserts = inserts.plus(id, cents);
            }
            statements.accept(sql);
        }
        return new Totals(inserts, Tally.NONE, Tally.NONE);
    }
}
