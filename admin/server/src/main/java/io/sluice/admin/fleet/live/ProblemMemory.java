package io.sluice.admin.fleet.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers since when each problem lasts, and forgets it when it has been over for a while: an instance that is tried again and fails again has had
 * the problem all the time. Confined to one thread.
 */
final class ProblemMemory {
    private static final int MOST = 100;
    private static final Duration GONE = Duration.ofMinutes(2);
    private static final Comparator<FleetProblem> WORST_FIRST = Comparator.comparing(FleetProblem::isError)
            .reversed()
            .thenComparing(problem -> problem.instance() != null)
            .thenComparing(FleetProblem::since)
            .thenComparing(FleetProblem::key);

    private Map<String, Lasting> lasting = new HashMap<>();

    /** When a problem was seen first and last. */
    private record Lasting(Instant first, Instant last) {}

    /** The overview with its problems in order, since when they last. */
    Overview ordered(Overview overview) {
        Instant now = overview.asOf();
        Map<String, Lasting> known = new HashMap<>();
        lasting.forEach((key, one) -> {
            if (one.last().plus(GONE).isAfter(now)) {
                known.put(key, one);
            }
        });
        List<FleetProblem> problems = new ArrayList<>();
        for (FleetProblem problem : overview.problems()) {
            Lasting before = known.get(problem.key());
            Instant first = before == null ? problem.since() : before.first();
            known.put(problem.key(), new Lasting(first, now));
            problems.add(problem.lastingSince(first));
        }
        lasting = known;
        return overview.withProblems(
                problems.stream().sorted(WORST_FIRST).limit(MOST).toList(), overview.problemCount());
    }
}
