package io.sluice.stream.differential;

/**
 * A difference between what was delivered and what the server holds.
 *
 * @param kind what differs, for a reducer that looks for the same difference
 * @param text for a person
 */
record Finding(Kind kind, String text) {
    enum Kind {
        NO_ANSWER,
        COLUMN,
        JDBC_TYPE,
        IMAGE,
        ROWS,
        MISSING,
        FLAT,
        WARNING
    }

    /** Whether another one is most likely of the same cause. */
    boolean isLike(Finding other) {
        return kind == other.kind && (kind != Kind.WARNING || beginning().equals(other.beginning()));
    }

    private String beginning() {
        return text.split("[,:]", 2)[0];
    }
}
