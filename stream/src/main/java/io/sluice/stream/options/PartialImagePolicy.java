package io.sluice.stream.options;

/**
 * How row images that lack columns are handled, since {@code binlog_row_image} is not FULL for the source or a session of it.
 *
 * @param completesAfter whether columns that an image after an update lacks are taken from the image before
 * @param reported which images are reported when they come
 * @param reportedAtStart whether it is reported that the source's {@code binlog_row_image} is not FULL
 * @param consequence what follows for the messages of such images, for the log; empty if nothing is reported
 */
public record PartialImagePolicy(
        boolean completesAfter, Reported reported, boolean reportedAtStart, String consequence) {
    /** As canal does it, and nothing is reported. */
    public static final PartialImagePolicy DEFAULT = new PartialImagePolicy(false, Reported.NONE, false, "");

    /** Which images are reported: each table once. */
    public enum Reported {
        /** None. */
        NONE,
        /** The images that do not identify their row: without its primary key, or, in a table without one, without some column. */
        WITHOUT_KEY,
        /** All that lack a column. */
        ANY
    }

    /** Returns a copy by which nothing is reported. */
    public PartialImagePolicy unreported() {
        return new PartialImagePolicy(completesAfter, Reported.NONE, false, "");
    }
}
