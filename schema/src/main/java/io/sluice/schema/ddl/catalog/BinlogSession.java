package io.sluice.schema.ddl.catalog;

/**
 * A session in a binlog file. A server that is started again begins another file, and gives the numbers of sessions again.
 *
 * @param id its number; {@link #NO_ID} for none
 */
public record BinlogSession(long id, String file) {
    /** Not the id of any session. */
    public static final long NO_ID = -1;

    static final BinlogSession NONE = new BinlogSession(NO_ID, "");

    /** Reads a result of {@link #toString}; {@link #NONE} if it is none. */
    static BinlogSession parse(String text) {
        int end = text.indexOf(' ');
        try {
            return end < 0 ? NONE : new BinlogSession(Long.parseLong(text.substring(0, end)), text.substring(end + 1));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    boolean isKnown() {
        return id != NO_ID;
    }

    @Override
    public String toString() {
        return id + " " + file;
    }
}
