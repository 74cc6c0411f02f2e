package io.sluice.schema.ddl;

/** Thrown for a text whose effect on the table schemas cannot be determined. */
final class UnreadableSqlException extends Exception {
    UnreadableSqlException(String reason) {
        super(reason, null, false, false);
    }
}
