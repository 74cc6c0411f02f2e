package io.sluice.admin.fleet.live;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs, and what is wrong: {@code Overview} of the API.
 *
 * @param problems the worst first; not all if there are many
 */
public record Overview(
        Instant asOf,
        ServerCounts servers,
        InstanceCounts instances,
        long rowsPerSecond,
        long bytesPerSecond,
        @Nullable Long maxLagSeconds,
        List<FleetProblem> problems,
        long problemCount) {

    /** Servers by state. */
    public record ServerCounts(long running, long stopped, long unreachable, long unauthorized, long connecting) {}

    /** Instances by state; each is counted once. */
    public record InstanceCounts(
            long running,
            long paused,
            long retrying,
            long failed,
            long stopped,
            long disabled,
            long unknown,
            long stalled,
            long invalid,
            long notHere) {}

    /** Returns a copy with the given problems, of which there are {@code count} in all. */
    Overview withProblems(List<FleetProblem> newProblems, long count) {
        return new Overview(asOf, servers, instances, rowsPerSecond, bytesPerSecond, maxLagSeconds, newProblems, count);
    }
}
