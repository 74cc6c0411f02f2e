package io.sluice.bench.workload;

/**
 * The row changes of a workload: inserted and updated rows with their after images, deleted rows with their before images.
 *
 * <p>The row of {@link Tables#MARKER} does not count.
 */
public record Totals(Tally inserts, Tally updates, Tally deletes) {
    /** Nothing. */
    public static final Totals NONE = new Totals(Tally.NONE, Tally.NONE, Tally.NONE);

    /** The number of row changes. */
    public long rows() {
        return inserts.rows() + updates.rows() + deletes.rows();
    }
}
