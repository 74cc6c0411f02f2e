package io.sluice.store.ring;

/** What a consumer of the store waits for. */
public enum Readiness {
    /** Any entry. */
    ANY,

    /**
     * A full batch: more entries would not make it larger, since it has reached its limit, or ends at a boundary of DDL isolation, or the
     * ring can take no more, so that waiting would be for ever.
     */
    FULL
}
