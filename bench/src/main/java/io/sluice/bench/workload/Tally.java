package io.sluice.bench.workload;

/**
 * Row changes of one type, with sums that reveal a lost, repeated or damaged row.
 *
 * @param rows the number of rows
 * @param ids the sum of their column {@code id}
 * @param cents the sum of their column {@code amount}, times 100
 */
public record Tally(long rows, long ids, long cents) {
    /** Nothing. */
    public static final Tally NONE = new Tally(0, 0, 0);

    /** Returns the tally with one row more. */
    public Tally plus(long id, long amountCents) {
        return new Tally(rows + 1, ids + id, cents + amountCents);
    }
}
