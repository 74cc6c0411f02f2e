package io.sluice.parse.gtid;

/**
 * The transactions that were executed up to some moment of a stream.
 *
 * <p>Immutable, and cheap to make anew with one transaction more, since every transaction of a stream has its own; its text
 * is made when it is asked for, which is seldom. Safe for use by several threads.
 */
public sealed interface ExecutedGtids permits MySqlGtids, MariaDbGtids {
    /** The set in the words of its kind of server, without blanks; empty for the empty set. Made anew at every call. */
    String text();

    /** Whether there are none. */
    boolean isEmpty();

    /**
     * Reads the text of either kind of server, as {@link SeenTransactions#parse} does.
     *
     * @throws IllegalArgumentException if it is of neither
     */
    static ExecutedGtids parse(String text) {
        return SeenTransactions.isMariaDb(text) ? MariaDbGtids.parse(text) : MySqlGtids.parse(text);
    }
}
