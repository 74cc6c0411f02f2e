package io.sluice.mysql.transaction;

import io.sluice.mysql.binlog.EventBody;

/** A statement in the binlog that begins or ends a transaction, as the server writes it. */
public enum TransactionCommand {
    BEGIN("BEGIN", true),
    COMMIT("COMMIT", true),
    ROLLBACK("ROLLBACK", true),
    SAVEPOINT("SAVEPOINT ", false),
    ROLLBACK_TO_SAVEPOINT("ROLLBACK TO ", false),
    RELEASE_SAVEPOINT("RELEASE SAVEPOINT ", false),
    XA_START("XA START", false),
    /** All rows of an XA transaction were logged; the event that prepares it follows. */
    XA_END("XA END", false),
    /** Commits a prepared transaction, in a transaction of its own. */
    XA_COMMIT("XA COMMIT", false),
    /** Rolls back a prepared transaction, in a transaction of its own. */
    XA_ROLLBACK("XA ROLLBACK", false),
    /** Any other statement. */
    NONE("", false);

    private static final TransactionCommand[] ALL = values();

    private final String text;
    private final boolean isWhole;

    /** @param isWhole whether the statement is nothing more; else it begins with the text */
    TransactionCommand(String text, boolean isWhole) {
        this.text = text;
        this.isWhole = isWhole;
    }

    /**
     * Classifies a statement by its first bytes, which are ASCII in every character set that a client may use; in any case and
     * with blanks around it. Does not advance {@code sql}.
     */
    public static TransactionCommand of(EventBody sql) {
        byte[] bytes = sql.array();
        int from = sql.offset();
        int end = sql.end();
        while (from < end && isBlank(bytes[from])) {
            from++;
        }
        while (end > from && isBlank(bytes[end - 1])) {
            end--;
        }
        if (from == end || !mayBegin(bytes[from])) {
            return NONE;
        }
        for (TransactionCommand command : ALL) {
            if (command != NONE && command.matches(bytes, from, end)) {
                return command;
            }
        }
        return NONE;
    }

    private static boolean isBlank(byte b) {
        return b >= 0 && b <= ' ';
    }

    private static boolean mayBegin(byte first) {
        return switch (upper(first)) {
            case 'B', 'C', 'R', 'S', 'X' -> true;
            default -> false;
        };
    }

    private boolean matches(byte[] bytes, int from, int end) {
        int length = end - from;
        if (isWhole ? length != text.length() : length < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (upper(bytes[from + i]) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int upper(byte b) {
        return b >= 'a' && b <= 'z' ? b - ('a' - 'A') : b;
    }
}
