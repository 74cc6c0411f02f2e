package io.sluice.admin.fleet.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Remembers since when each problem lasts, and forgets it when it has been over for a while: an instance that is tried again and fails again has had
 * the problem all the time. Confined to one thread.
 */
final class ProblemMemory {
    private static final int MOST = 100;

    /** Of a group, if there are more problems than {@link #MOST}. */
    private static final int FIRST = 5;

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
        problems.sort(WORST_FIRST);
        return overview.withProblems(listed(problems), overview.problemCount());
    }

    /** Those that are listed, with their groups: all, or the first of each group if there is no room for all. */
    private static List<FleetProblem> listed(List<FleetProblem> worstFirst) {
        Map<List<@Nullable String>, List<FleetProblem>> groups = new LinkedHashMap<>();
        for (FleetProblem problem : worstFirst) {
            groups.computeIfAbsent(problem.sameness(), unknown -> new ArrayList<>())
                    .add(problem);
        }
        boolean isRoom = worstFirst.size() <= MOST;
        List<FleetProblem> listed = new ArrayList<>();
        int number = 0;
        for (List<FleetProblem> group : groups.values()) {
            String server = group.get(0).server();
            boolean isOfOne = group.stream().allMatch(problem -> Objects.equals(problem.server(), server));
            for (FleetProblem problem : isRoom ? group : group.subList(0, Math.min(FIRST, group.size()))) {
                listed.add(problem.in(number, group.size(), isOfOne ? server : null));
            }
            number++;
        }
        return listed.stream().sorted(WORST_FIRST).limit(MOST).toList();
    }
}
