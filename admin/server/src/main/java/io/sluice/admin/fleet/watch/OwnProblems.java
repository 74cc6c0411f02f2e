package io.sluice.admin.fleet.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a server itself, as it reports.
 *
 * @param configuration why its newest {@code canal.properties} is not in force; null if it is, or not known
 * @param cluster what is wrong with it among the servers of its cluster, with the remedy; null if nothing is, or not known
 * @param restartKeys keys that have changed since it was started, and take effect at its next start
 */
public record OwnProblems(
        @Nullable String configuration, @Nullable String cluster, List<String> restartKeys) {
    public static final OwnProblems NONE = new OwnProblems(null, null, List.of());
}
