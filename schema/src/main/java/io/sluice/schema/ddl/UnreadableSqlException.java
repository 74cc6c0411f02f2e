package io.sluice.schema.ddl;

/** A text, or a part of it, whose effect on the table schemas we cannot tell. */
final class UnreadableSqlException extends Exception {
    UnreadableSqlException(String reason) {
        super(reason, null, false, false);
    }
}
