package io.sluice.stream.options;

import io.sluice.format.value.PartialJson;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options for the entries that a stream makes of events.
 *
 * <p>Made from {@link #DEFAULT} by the methods {@code with…}, since flags beside each other are easily swapped.
 *
 * @param oldAccumulates whether {@code old} of flat messages also lists columns that only an earlier row of the event
 *     changed, as canal's do
 * @param mariaDbBegins whether transactions of MariaDB get a begin; canal gives them none
 * @param parsesStatements whether statements are parsed for the type, schema and table of their entries; otherwise only their
 *     beginnings are read, as canal does without its SQL parser
 * @param partialJson how JSON values are delivered that are logged as differences
 * @param omitted what is left out
 * @param large how events are treated that are too large for the heap
 * @param partialImages how row images are treated that lack columns
 * @param xa how rows of XA transactions are held back until they are committed; null to deliver them where they are logged
 * @param spill how large transactions are held until they end of which the source may roll back rows; null to deliver them before
 */
public record StreamOptions(
        boolean oldAccumulates,
        boolean mariaDbBegins,
        boolean parsesStatements,
        PartialJson partialJson,
        Set<Omitted> omitted,
        LargeEventPolicy large,
        PartialImagePolicy partialImages,
        @Nullable XaHolding xa,
        @Nullable TransactionSpill spill) {
    /** As canal does it by default, but that the table filter holds for all statements whose tables are known; events of all sizes are read. */
    public static final StreamOptions DEFAULT = new StreamOptions(
            true,
            false,
            true,
            PartialJson.DOCUMENT,
            EnumSet.of(Omitted.OTHER_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES),
            LargeEventPolicy.READ,
            PartialImagePolicy.DEFAULT,
            null,
            null);

    private static final Set<Omitted> ROW_CHANGES =
            Collections.unmodifiableSet(EnumSet.of(Omitted.INSERTS, Omitted.UPDATES, Omitted.DELETES));

    public StreamOptions {
        EnumSet<Omitted> copy = EnumSet.noneOf(Omitted.class);
        copy.addAll(omitted);
        omitted = Collections.unmodifiableSet(copy);
    }

    /** Whether a kind of entry is left out. */
    public boolean omits(Omitted kind) {
        return omitted.contains(kind);
    }

    /** Whether no rows are delivered, be it by one option or by those for all kinds of changes. */
    public boolean omitsAllRows() {
        return omits(Omitted.ROWS) || omitted.containsAll(ROW_CHANGES);
    }

    /** Returns a copy by which rows have, if so wanted, also {@code old} of earlier rows of their event. */
    public StreamOptions withAccumulatedOld(boolean wanted) {
        return new StreamOptions(
                wanted, mariaDbBegins, parsesStatements, partialJson, omitted, large, partialImages, xa, spill);
    }

    /** Returns a copy by which transactions of MariaDB have an entry for their begin, if so wanted. */
    public StreamOptions withMariaDbBegins(boolean wanted) {
        return new StreamOptions(
                oldAccumulates, wanted, parsesStatements, partialJson, omitted, large, partialImages, xa, spill);
    }

    /** Returns a copy by which statements are parsed, if so wanted, or read by their beginnings. */
    public StreamOptions withParsedStatements(boolean wanted) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, wanted, partialJson, omitted, large, partialImages, xa, spill);
    }

    /** Returns a copy by which JSON differences are delivered in the given form. */
    public StreamOptions with(PartialJson other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, parsesStatements, other, omitted, large, partialImages, xa, spill);
    }

    /** Returns a copy by which the given kinds of entries are left out, and only those. */
    public StreamOptions without(Set<Omitted> other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, parsesStatements, partialJson, other, large, partialImages, xa, spill);
    }

    /** Returns a copy with the given treatment of large events. */
    public StreamOptions with(LargeEventPolicy other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, parsesStatements, partialJson, omitted, other, partialImages, xa, spill);
    }

    /** Returns a copy with the given treatment of partial row images. */
    public StreamOptions with(PartialImagePolicy other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, parsesStatements, partialJson, omitted, large, other, xa, spill);
    }

    /** Returns a copy by which rows of XA transactions are held back until they are committed; null to deliver them where they are logged. */
    public StreamOptions with(@Nullable XaHolding other) {
        return new StreamOptions(
                oldAccumulates,
                mariaDbBegins,
                parsesStatements,
                partialJson,
                omitted,
                large,
                partialImages,
                other,
                spill);
    }

    /** Returns a copy by which large transactions are held until they end; null to deliver them before. */
    public StreamOptions with(@Nullable TransactionSpill other) {
        return new StreamOptions(
                oldAccumulates, mariaDbBegins, parsesStatements, partialJson, omitted, large, partialImages, xa, other);
    }
}
