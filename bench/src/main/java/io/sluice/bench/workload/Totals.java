package io.sluice.bench.workload;

/**
 * What a workload changes: inserted and updated rows as they are after, deleted rows as they were before.
 *
 * <p>The row of {@link Tables#MARKER} does not count.
 */
public record Totals(Tally inserts, Tally updates, Tally deletes) {
    /** Nothing. */
    public static final Totals NONE = new Totals(Tally.NONE, Tally.NONE, Tally.NONE);

    /** How many rows change. */
    public long rows() {
        return inserts.rows() + updates.rows() + deletes.rows();
    }
}
