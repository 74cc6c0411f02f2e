package io.sluice.server.admin;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a client can have done to an instance. */
enum Change {
    START,
    STOP,
    RESTART,
    RELEASE;

    /** As it is in requests and in the audit log. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of a word; empty if there is none. */
    static Optional<Change> of(String word) {
        return Arrays.stream(values())
                .filter(change -> change.word().equals(word))
                .findFirst();
    }
}
