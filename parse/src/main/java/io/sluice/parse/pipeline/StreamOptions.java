package io.sluice.parse.pipeline;

/**
 * Which entries a stream's events become.
 *
 * @param oldAccumulates whether {@code old} of flat messages also lists columns that only an earlier row of the event
 *     changed, as canal's do
 * @param mariaDbBegins whether transactions of MariaDB get a begin; canal gives them none
 * @param dropped what is left out
 */
public record StreamOptions(boolean oldAccumulates, boolean mariaDbBegins, Dropped dropped) {
    /** As canal does it by default. */
    public static final StreamOptions DEFAULT = new StreamOptions(true, false, Dropped.NOTHING);

    /**
     * What is left out of a stream, besides the tables that a filter stops.
     *
     * @param unreadStatements statements of type QUERY: DDL on schemas, and text that cannot be read
     * @param rowStatements rows changed in statement format, and the texts behind row changes
     * @param ddl all statements
     * @param rows all rows
     * @param inserts inserted rows
     * @param updates updated rows
     * @param deletes deleted rows
     * @param unknownTables rows of tables whose structure is not known or does not fit; else they stop the stream
     */
    public record Dropped(
            boolean unreadStatements,
            boolean rowStatements,
            boolean ddl,
            boolean rows,
            boolean inserts,
            boolean updates,
            boolean deletes,
            boolean unknownTables) {
        /** Everything passes. */
        public static final Dropped NOTHING = new Dropped(false, false, false, false, false, false, false, false);
    }
}
