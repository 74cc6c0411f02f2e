package io.sluice.format.entry;

/**
 * How the rows of an event become messages.
 *
 * @param oldAccumulates whether {@code old} of the flat form lists, as canal does, also columns that only an earlier row of
 *     the event changed
 * @param completesAfter whether columns that an image after an update lacks are taken from the image before
 */
public record RowRules(boolean oldAccumulates, boolean completesAfter) {
    /** As canal does it. */
    public static final RowRules DEFAULT = new RowRules(true, false);
}
