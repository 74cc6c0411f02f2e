package io.sluice.schema.sql;

/** Thrown for a text whose effect on the table schemas cannot be determined. */
public final class UnreadableSqlException extends Exception {
    /**
     * Makes an exception without a stack trace.
     *
     * @param reason why, for the log
     */
    public UnreadableSqlException(String reason) {
        super(reason, null, false, false);
    }
}
