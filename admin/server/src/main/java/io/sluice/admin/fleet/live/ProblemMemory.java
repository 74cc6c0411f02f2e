package io.sluice.admin.fleet.live;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers since when each problem lasts, and forgets it when it is gone. Confined to one thread. */
final class ProblemMemory {
    private static final int MOST = 100;
    private static final Comparator<FleetProblem> WORST_FIRST = Comparator.comparing(FleetProblem::isError)
            .reversed()
            .thenComparing(problem -> problem.instance() != null)
            .thenComparing(FleetProblem::since)
            .thenComparing(FleetProblem::key);

    private Map<String, Instant> since = new HashMap<>();

    /** The overview with its problems in order, since when they last. */
    Overview ordered(Overview overview) {
        Map<String, Instant> now = new HashMap<>();
        for (FleetProblem problem : overview.problems()) {
            now.put(problem.key(), since.getOrDefault(problem.key(), problem.since()));
        }
        since = now;
        List<FleetProblem> problems = overview.problems().stream()
                .map(problem -> problem.lastingSince(now.getOrDefault(problem.key(), problem.since())))
                .sorted(WORST_FIRST)
                .limit(MOST)
                .toList();
        return overview.withProblems(problems, overview.problemCount());
    }
}
