package io.sluice.mysql.gtid;

import java.util.regex.Pattern;

/**
 * A set of executed transactions: one interface for the two flavours of servers.
 *
 * <p>Immutable, and cheap to extend by one transaction, since every transaction of a stream has its own set; the text is
 * computed on demand. Sets of the same transactions are equal. Thread-safe.
 */
public sealed interface GtidSet permits MySqlGtidSet, MariaDbGtidSet {
    /**
     * Parses the text of either flavour; no text is valid in both, except that of the empty set.
     *
     * @param text as the server prints it, blanks allowed; empty for the empty set, which is then MySQL's
     * @throws IllegalArgumentException if it is neither; the message states what is expected
     */
    static GtidSet parse(String text) {
        return isMariaDb(text) ? MariaDbGtidSet.parse(text) : MySqlGtidSet.parse(text);
    }

    /** Whether a text begins like MariaDB's, which has no colon: {@code domain-server-sequence}. */
    static boolean isMariaDb(String text) {
        return Pattern.matches("\\s*\\d+-\\d+-\\d+\\s*(,[^:]*)?", text);
    }

    /** Whether it has no transaction. */
    boolean isEmpty();

    /** Whether the transaction is in the set; false for one of the other flavour. */
    boolean contains(Gtid gtid);

    /** Whether every transaction of {@code other} is in this set; of the other flavour, only the empty set is. */
    boolean containsAll(GtidSet other);

    /**
     * Returns this set with one transaction more. The empty set takes the flavour of the transaction.
     *
     * @throws IllegalArgumentException if this set has transactions of the other flavour
     */
    default GtidSet plus(Gtid gtid) {
        if (gtid instanceof MySqlGtid own && (this instanceof MySqlGtidSet || isEmpty())) {
            return (this instanceof MySqlGtidSet set ? set : MySqlGtidSet.EMPTY).plus(own);
        }
        if (gtid instanceof MariaDbGtid own && (this instanceof MariaDbGtidSet || isEmpty())) {
            return (this instanceof MariaDbGtidSet set ? set : MariaDbGtidSet.EMPTY).plus(own);
        }
        throw new IllegalArgumentException("a GTID set of one flavour cannot have a transaction of the other: " + gtid);
    }

    /** The set as its server prints it, without blanks; empty for the empty set. */
    @Override
    String toString();
}
