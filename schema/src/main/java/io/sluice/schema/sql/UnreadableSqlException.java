package io.sluice.schema.sql;

/** Thrown for a text whose effect on the table schemas cannot be determined. */
public final class UnreadableSqlException extends Exception {
    public UnreadableSqlException(String reason) {
        super(reason, null, false, false);
    }
}
