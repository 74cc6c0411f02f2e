package io.sluice.bench.workload;

import java.util.Random;

/** Inserts of orders that all bear one stamp in their column {@code reference}, by which they are found again. */
public final class StampedInserts {
    /** So many different rows, which are made before and used in turn: the writer is to be quick. */
    private static final int ROWS = 512;

    private final String[] beforeStamp = new String[ROWS];
    private final String[] afterStamp = new String[ROWS];

    /** Makes rows that depend on the seed only. */
    public StampedInserts(long seed) {
        RowText rows = new RowText(new Random(seed));
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            row.setLength(0);
            rows.appendOrder(row, 0, rows.cents()); // as id 0 the server takes its next number
            int quote = row.indexOf("'");
            beforeStamp[i] = row.substring(0, quote + 1);
            afterStamp[i] = row.substring(row.indexOf("'", quote + 1));
        }
    }

    /**
     * A transaction of one statement, which commits itself.
     *
     * @param stamp at most 32 characters, without quotes
     * @param first the number of its first row, which says which of the rows are taken
     * @param rows how many
     */
    public String insert(String stamp, long first, int rows) {
        StringBuilder sql = new StringBuilder(64 + 256 * rows)
                .append("INSERT INTO ")
                .append(Tables.SCHEMA)
                .append('.')
                .append(Tables.ORDERS)
                .append(" VALUES ");
        for (int i = 0; i < rows; i++) {
            int row = (int) ((first + i) % ROWS);
            sql.append(i == 0 ? "" : ",").append(beforeStamp[row]).append(stamp).append(afterStamp[row]);
        }
        return sql.toString();
    }
}
