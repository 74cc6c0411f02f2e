package io.sluice.schema.ddl.catalog;

/** Why a table schema in memory is compared with the source once before it is used. The names are stored in the schema history. */
public enum RecheckReason {
    NONE,
    /**
     * canal did not understand what made the table so, and spells its types as the source does. Its spelling is
     * taken if the columns are the same; if they are not, the source is ahead of the stream, whose columns are right.
     */
    SPELLED_BY_SOURCE,
    /**
     * {@code IF NOT EXISTS}, and it is not known whether the table was there; or {@code LIKE}, and it is not known whether the original is a temporary
     * table. If the source has other columns, it is taken that it was, or is.
     */
    MAY_HAVE_BEEN_THERE
}
