package io.sluice.stream.pipeline;

import io.sluice.format.value.PartialJson;
import org.jspecify.annotations.Nullable;

/**
 * Which entries a stream's events become.
 *
 * @param oldAccumulates whether {@code old} of flat messages also lists columns that only an earlier row of the event
 *     changed, as canal's do
 * @param mariaDbBegins whether transactions of MariaDB get a begin; canal gives them none
 * @param partialJson what becomes of JSON values that are logged as differences
 * @param dropped what is left out
 * @param statements how statements are read
 * @param large what becomes of events that are too large for the heap
 * @param partialImages what becomes of row images that lack columns
 * @param xa how rows of XA transactions are held back until they are committed; null to deliver them where they are logged
 */
public record StreamOptions(
        boolean oldAccumulates,
        boolean mariaDbBegins,
        PartialJson partialJson,
        Dropped dropped,
        Statements statements,
        LargeEvents large,
        PartialImages partialImages,
        @Nullable XaHolding xa) {
    /** As canal does it by default. */
    public static final StreamOptions DEFAULT =
            new StreamOptions(true, false, PartialJson.DOCUMENT, Dropped.NOTHING, Statements.DEFAULT);

    /** Events of all sizes are read, and row images are left as they are. */
    public StreamOptions(
            boolean oldAccumulates,
            boolean mariaDbBegins,
            PartialJson partialJson,
            Dropped dropped,
            Statements statements) {
        this(
                oldAccumulates,
                mariaDbBegins,
                partialJson,
                dropped,
                statements,
                LargeEvents.READ,
                PartialImages.DEFAULT,
                null);
    }

    /** The same, leaving out other things. */
    public StreamOptions with(Dropped other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, partialJson, other, statements, large, partialImages, xa);
    }

    /** The same with another answer to large events. */
    public StreamOptions with(LargeEvents other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, partialJson, dropped, statements, other, partialImages, xa);
    }

    /** The same with another answer to row images that lack columns. */
    public StreamOptions with(PartialImages other) {
        return new StreamOptions(oldAccumulates, mariaDbBegins, partialJson, dropped, statements, large, other, xa);
    }

    /** The same with rows of XA transactions held back until they are committed; null to deliver them where they are logged. */
    public StreamOptions with(@Nullable XaHolding other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, partialJson, dropped, statements, large, partialImages, other);
    }

    /**
     * How statements are read for the type, schema and table of their entries.
     *
     * @param byExpressions whether their beginnings alone are looked at, as canal does without its SQL parser
     * @param all whether also those leave that canal's SQL parser lets vanish, such as views, users and foreign keys; they
     *     are read by their beginnings then
     * @param sparesRows whether leaving out all statements spares rows changed in statement format; with canal it does not
     */
    public record Statements(boolean byExpressions, boolean all, boolean sparesRows) {
        /** With a parser, and as canal does it. */
        public static final Statements DEFAULT = new Statements(false, false, false);
    }

    /**
     * What is left out of a stream, besides the tables that a filter stops.
     *
     * @param unreadStatements statements of type QUERY: DDL on schemas, and text that is not read further
     * @param rowStatements rows changed in statement format, and the texts behind row changes
     * @param ddl all statements
     * @param rows all rows
     * @param inserts inserted rows
     * @param updates updated rows
     * @param deletes deleted rows
     * @param unknownTables rows of tables whose schema is not known or does not fit; else they stop the stream
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
