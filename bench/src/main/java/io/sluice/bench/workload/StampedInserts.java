package io.sluice.bench.workload;

import java.util.Random;

/** Inserts of orders with a number in their column {@code reference}, by which a consumer finds them. */
public final class StampedInserts {
    /** The number of rows, which are created in advance and used in turn, so that a writer is fast. */
    private static final int ROWS = 512;

    private final String[] beforeStamp = new String[ROWS];
    private final String[] afterStamp = new String[ROWS];

    /** Creates rows that depend on the seed only. */
    public StampedInserts(long seed) {
        RowText rows = new RowText(new Random(seed));
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            row.setLength(0);
            rows.appendOrder(row, 0, rows.cents()); // MySQL replaces id 0 by its next number
            int quote = row.indexOf("'");
            beforeStamp[i] = row.substring(0, quote + 1);
            afterStamp[i] = row.substring(row.indexOf("'", quote + 1));
        }
    }

    /**
     * Returns a statement, which is a transaction of its own.
     *
     * @param stamp at most 32 characters, without quotes
     * @param first the number of its first row, which selects the rows
     * @param rows the number of rows
     */
    public String insert(String stamp, long first, int rows) {
        StringBuilder sql = new StringBuilder(64 + 256 * rows)
                .append("INSERT INTO ")
                .append(Tables.SCHEMA)
                .append('.')
                .append(Tables.name(0, Tables.USUAL))
                .append(" VALUES ");
        for (int i = 0; i < rows; i++) {
            int row = (int) ((first + i) % ROWS);
            sql.append(i == 0 ? "" : ",").append(beforeStamp[row]).append(stamp).append(afterStamp[row]);
        }
        return sql.toString();
    }
}
