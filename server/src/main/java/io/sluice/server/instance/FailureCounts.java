package io.sluice.server.instance;

import io.sluice.mysql.failure.SourceFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How often a source has failed, by kind, and how it failed last. Thread-safe. */
final class FailureCounts {
    private final Map<SourceFailure, Long> counts = new EnumMap<>(SourceFailure.class);
    private @Nullable SourceFailure newest;

    synchronized void add(SourceFailure failure) {
        newest = failure;
        counts.merge(failure, 1L, Long::sum);
    }

    synchronized Map<SourceFailure, Long> all() {
        return new EnumMap<>(counts);
    }

    /** The newest failure; empty if there was none. */
    synchronized Optional<SourceFailure> newest() {
        return Optional.ofNullable(newest);
    }
}
