package io.sluice.parse.gtid;

import java.util.regex.Pattern;

/**
 * Which transactions of a source were seen, in the terms of its kind of server.
 *
 * <p>Its {@code toString} is the text that the server itself uses, which entries and cursors carry. For one thread.
 */
public sealed interface SeenTransactions permits GtidSet, MariaDbGtidSet {
    /**
     * Reads either kind; they cannot be mistaken for each other.
     *
     * @param text empty for the empty set of MySQL
     * @throws IllegalArgumentException if it is neither
     */
    static SeenTransactions parse(String text) {
        return isMariaDb(text) ? MariaDbGtidSet.parse(text) : GtidSet.parse(text);
    }

    /** Whether a text begins like MariaDB's, which has no colon: {@code domain-server-sequence}. */
    static boolean isMariaDb(String text) {
        return Pattern.matches("\\s*\\d+-\\d+-\\d+\\s*(,[^:]*)?", text);
    }

    /** Whether there are none. */
    boolean isEmpty();
}
