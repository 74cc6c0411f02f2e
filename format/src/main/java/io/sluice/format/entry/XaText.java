package io.sluice.format.entry;

/**
 * An XA statement as the binlog logs it.
 *
 * @param type such as {@code XA START}
 * @param xid all that follows it, with its leading blank
 */
public record XaText(String type, String xid) {
    private static final String[] TYPES = {"XA START", "XA END", "XA COMMIT", "XA ROLLBACK"};

    /**
     * Parses an XA statement.
     *
     * @throws IllegalArgumentException if it is none that a binlog logs
     */
    public static XaText of(String sql) {
        String text = sql.stripLeading();
        for (String type : TYPES) {
            if (text.regionMatches(true, 0, type, 0, type.length())) {
                return new XaText(type, text.substring(type.length()));
            }
        }
        throw new IllegalArgumentException("no XA statement: " + text);
    }
}
