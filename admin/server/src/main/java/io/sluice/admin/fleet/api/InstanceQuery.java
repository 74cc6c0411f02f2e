package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.InstanceSummary;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.problem.ProblemException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which instances are listed, and in which order. What is null does not matter.
 *
 * @param search in the name
 * @param cluster where it belongs
 * @param server where it belongs, or what runs it
 * @param counted as what the overview counts it
 * @param sort {@code name}, {@code state}, {@code rate} or {@code lag}; null: problems first
 */
record InstanceQuery(
        @Nullable String search,
        @Nullable Long cluster,
        @Nullable Long server,
        @Nullable String state,
        @Nullable Boolean healthy,
        @Nullable Boolean paused,
        @Nullable String counted,
        @Nullable String sort) {
    /** The instances with problems first. */
    private static final List<String> STATES = List.of(
            "failed",
            "not_ended",
            "invalid",
            "retrying",
            "unknown",
            "not_here",
            "pending",
            "connecting",
            "new",
            "running",
            "stopping",
            "stopped",
            "disabled");

    List<InstanceSummary> run(Fleet fleet) {
        String text = search == null ? "" : search.strip().toLowerCase(Locale.ROOT);
        return fleet.instances().values().stream()
                .filter(view -> server == null || isOf(view, server))
                .filter(view -> counted == null || view.counted().equals(counted))
                .map(InstanceView::summary)
                .filter(one ->
                        text.isEmpty() || one.name().toLowerCase(Locale.ROOT).contains(text))
                .filter(one -> cluster == null || Objects.equals(one.clusterId(), cluster))
                .filter(one -> state == null || one.state().equals(state))
                .filter(one -> healthy == null || one.healthy() == healthy)
                .filter(one -> paused == null || one.paused() == paused)
                .sorted(order())
                .toList();
    }

    private static boolean isOf(InstanceView view, long id) {
        Long owner = view.summary().serverId();
        return owner != null && owner == id
                || view.places().stream().anyMatch(place -> place.server().id() == id && place.isRunning());
    }

    private Comparator<InstanceSummary> order() {
        Comparator<InstanceSummary> byName = Comparator.comparing(InstanceSummary::name);
        if (sort == null) {
            return Comparator.comparing(InstanceSummary::healthy)
                    .thenComparingInt(InstanceQuery::urgency)
                    .thenComparing(byName);
        }
        return switch (sort) {
            case "name" -> byName;
            case "state" -> Comparator.comparingInt(InstanceQuery::urgency).thenComparing(byName);
            case "rate" ->
                Comparator.comparingLong(InstanceSummary::rowsPerSecond)
                        .reversed()
                        .thenComparing(byName);
            case "lag" ->
                Comparator.comparingLong(InstanceQuery::lag).reversed().thenComparing(byName);
            default -> throw ProblemException.badRequest("sort must be name, state, rate or lag.");
        };
    }

    private static int urgency(InstanceSummary one) {
        int place = STATES.indexOf(one.state());
        return place < 0 ? STATES.size() : place;
    }

    private static long lag(InstanceSummary one) {
        Long lag = one.totalLagSeconds();
        return lag == null ? -1 : lag;
    }
}
