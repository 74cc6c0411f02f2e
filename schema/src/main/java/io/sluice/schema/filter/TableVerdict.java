package io.sluice.schema.filter;

/** The verdict of a filter on a table, and its reason. */
public sealed interface TableVerdict {
    /** Whether its changes are delivered. */
    default boolean passes() {
        return this instanceof Included;
    }

    /**
     * It passes.
     *
     * @param by the expression that includes it; empty if there is none and all tables pass
     */
    record Included(String by) implements TableVerdict {}

    /** No expression includes it. */
    record NotIncluded() implements TableVerdict {}

    /**
     * It is included, but excluded, too.
     *
     * @param by the expression that excludes it
     */
    record Excluded(String by) implements TableVerdict {}
}
