package io.sluice.schema.history.restore;

/**
 * What the history has of events that the stream may read again after a restore.
 *
 * @param recalled the recorded definitions of tables at later positions
 * @param applied the applied statements that the stream may read again
 * @param ofCanal the rows of canal that were applied
 */
public record ReadAgain(RecalledDefinitions recalled, AppliedStatements applied, RowsOfCanal ofCanal) {
    /** What it has before the first restore. */
    public static ReadAgain nothing() {
        return new ReadAgain(new RecalledDefinitions(), new AppliedStatements(), new RowsOfCanal(null));
    }
}
