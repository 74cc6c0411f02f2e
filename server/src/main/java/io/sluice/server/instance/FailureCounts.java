package io.sluice.server.instance;

import io.sluice.mysql.failure.SourceFailure;
import java.util.EnumMap;
import java.util.Map;

/** How often a source has failed, by kind. Thread-safe. */
final class FailureCounts {
    private final Map<SourceFailure, Long> counts = new EnumMap<>(SourceFailure.class);

    synchronized void add(SourceFailure failure) {
        counts.merge(failure, 1L, Long::sum);
    }

    synchronized Map<SourceFailure, Long> all() {
        return new EnumMap<>(counts);
    }
}
