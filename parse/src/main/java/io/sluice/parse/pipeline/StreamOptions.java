package io.sluice.parse.pipeline;

import java.time.ZoneId;

/**
 * How a stream's events become entries.
 *
 * @param encodeAhead whether encoders make the protobuf bytes before the store; else entries keep their row images
 * @param exactDecimals whether decimals keep all digits of their scale; false writes {@code 1.00} as {@code 1.0}, as canal
 * @param oldAccumulates whether {@code old} of flat messages lists columns that an earlier row of the event changed, as
 *     canal's do
 * @param zone in which timestamps are written
 * @param dropped what is left out
 */
public record StreamOptions(
        boolean encodeAhead, boolean exactDecimals, boolean oldAccumulates, ZoneId zone, Dropped dropped) {
    /** As canal does it by default, with timestamps in the JVM's time zone. */
    public static StreamOptions defaults(boolean encodeAhead) {
        return new StreamOptions(encodeAhead, false, true, ZoneId.systemDefault(), Dropped.NOTHING);
    }

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
