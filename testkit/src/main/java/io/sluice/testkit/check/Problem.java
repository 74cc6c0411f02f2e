package io.sluice.testkit.check;

/**
 * A change that cannot have followed from those before it.
 *
 * @param text for people: the table, the key, what was found and what was expected
 */
public record Problem(Kind kind, Origin origin, String text) {
    /** What is wrong. */
    public enum Kind {
        /** A row was inserted, or got a key, that exists already: a change came twice, or one was lost. */
        ROW_EXISTS,
        /** A row was changed or deleted that does not exist. */
        ROW_ABSENT,
        /** The row had other values than its change has: a change was lost or came in the wrong order. */
        OTHER_BEFORE_IMAGE,
        /** A repetition left out what it should have repeated. */
        SKIPPED_IN_REPETITION,
        /** The stream ended within a repetition, so a reader is left with old values. */
        UNFINISHED_REPETITION,
        /** The record does not state which row it is about. */
        NO_KEY
    }

    @Override
    public String toString() {
        return "%s: %s, by %s".formatted(kind, text, origin);
    }
}
