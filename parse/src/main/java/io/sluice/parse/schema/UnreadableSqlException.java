package io.sluice.parse.schema;

/** A text, or a part of it, whose effect on the structures we cannot tell. */
final class UnreadableSqlException extends Exception {
    UnreadableSqlException(String reason) {
        super(reason, null, false, false);
    }
}
