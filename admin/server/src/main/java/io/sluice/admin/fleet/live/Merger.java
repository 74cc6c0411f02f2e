package io.sluice.admin.fleet.live;

import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.fleet.live.InstanceView.Place;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.InstanceReport;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Merges what is configured with what servers report into one view. Has no state. */
final class Merger {
    /** Which server counts if several report that they have an instance: the one that is furthest. */
    private static final List<String> PREFERENCE =
            List.of("running", "retrying", "connecting", "failed", "new", "stopping");

    private Merger() {}

    /**
     * Merges.
     *
     * @param statuses by the ids of servers
     * @param now when
     */
    static Fleet merge(Configured configured, Map<Long, ServerStatus> statuses, Instant now) {
        SortedMap<String, Gathering> gatherings = new TreeMap<>();
        for (InstanceRow instance : configured.instances()) {
            gatherings.computeIfAbsent(instance.name(), name -> new Gathering()).managed = instance;
        }
        Map<Long, Map<String, InstanceReport>> reports = new HashMap<>();
        for (ServerRow server : configured.servers()) {
            Map<String, InstanceReport> own = new HashMap<>();
            statusOf(server, statuses).instances().forEach(report -> own.put(report.name(), report));
            reports.put(server.id(), own);
            own.keySet().forEach(name -> gatherings.computeIfAbsent(name, unused -> new Gathering()));
        }
        for (ServerRow server : configured.servers()) {
            ServerStatus status = statusOf(server, statuses);
            ServerStatusView view = ServerStatusView.of(status);
            Map<String, InstanceReport> own = reports.getOrDefault(server.id(), Map.of());
            own.forEach((name, report) -> {
                Gathering gathering = gatherings.get(name);
                if (gathering != null) {
                    gathering.places.add(new Place(server, view, report));
                }
            });
        }
        addSilent(configured, statuses, reports, gatherings);
        SortedMap<String, InstanceView> instances = new TreeMap<>();
        gatherings.forEach((name, gathering) -> instances.put(name, view(name, gathering, configured)));
        List<ServerView> servers = servers(configured, statuses, instances, reports);
        return new Fleet(
                now,
                servers,
                Collections.unmodifiableSortedMap(instances),
                configured.clusters(),
                Summing.overview(servers, instances.values(), now));
    }

    private static ServerStatus statusOf(ServerRow server, Map<Long, ServerStatus> statuses) {
        return statuses.getOrDefault(server.id(), ServerStatus.connecting("unknown"));
    }

    /** Adds the servers that could run a managed instance, and do not report it. */
    private static void addSilent(
            Configured configured,
            Map<Long, ServerStatus> statuses,
            Map<Long, Map<String, InstanceReport>> reports,
            SortedMap<String, Gathering> gatherings) {
        Map<Long, List<ServerRow>> byCluster = new HashMap<>();
        Map<Long, ServerRow> byId = new HashMap<>();
        for (ServerRow server : configured.servers()) {
            byId.put(server.id(), server);
            Long cluster = server.clusterId();
            if (cluster != null) {
                byCluster.computeIfAbsent(cluster, unused -> new ArrayList<>()).add(server);
            }
        }
        for (Gathering gathering : gatherings.values()) {
            InstanceRow managed = gathering.managed;
            if (managed == null) {
                continue;
            }
            Long owner = managed.clusterId() != null ? null : managed.serverId();
            ServerRow single = owner == null ? null : byId.get(owner);
            List<ServerRow> candidates = managed.clusterId() != null
                    ? byCluster.getOrDefault(managed.clusterId(), List.of())
                    : single == null ? List.of() : List.of(single);
            for (ServerRow server : candidates) {
                if (!reports.getOrDefault(server.id(), Map.of()).containsKey(managed.name())) {
                    gathering.places.add(new Place(server, ServerStatusView.of(statusOf(server, statuses)), null));
                }
            }
        }
    }

    private static InstanceView view(String name, Gathering gathering, Configured configured) {
        List<Place> places = List.copyOf(gathering.places);
        Place runner = places.stream()
                .filter(Place::isRunning)
                .min(Comparator.comparingInt(place -> preference(place.state())))
                .orElse(null);
        return new InstanceView(summary(name, gathering.managed, places, runner, configured), places, runner);
    }

    private static int preference(String state) {
        int place = PREFERENCE.indexOf(state);
        return place < 0 ? PREFERENCE.size() : place;
    }

    private static InstanceSummary summary(
            String name,
            @Nullable InstanceRow managed,
            List<Place> places,
            @Nullable Place runner,
            Configured configured) {
        InstanceReport report = runner == null ? null : runner.report();
        boolean isEnabled = managed == null || managed.enabled();
        String state = report != null ? report.state() : stateWithoutRunner(managed, places);
        String problem = InstanceProblems.mostImportant(state, report, places);
        Place first = places.isEmpty() ? null : places.get(0);
        Long clusterId = managed != null
                ? managed.clusterId()
                : first == null ? null : first.server().clusterId();
        Long serverId = managed != null
                ? (managed.clusterId() != null ? null : managed.serverId())
                : first == null || clusterId != null
                        ? null
                        : Long.valueOf(first.server().id());
        Place shown = runner != null ? runner : first;
        return new InstanceSummary(
                name,
                managed != null,
                isEnabled,
                clusterId,
                clusterId == null ? null : configured.clusters().get(clusterId),
                serverId,
                serverId == null ? null : nameOf(serverId, configured),
                runner == null ? null : runner.server().name(),
                runner == null ? null : Long.valueOf(runner.server().id()),
                state,
                isHealthy(state, report, problem),
                report != null && report.pace().paused(),
                report == null ? 0 : report.rowsPerSecond(),
                report == null ? 0 : report.bytesPerSecond(),
                known(
                        report == null || report.source() == null
                                ? -1
                                : report.source().lagSeconds()),
                known(
                        report == null || report.source() == null
                                ? -1
                                : report.source().lagBytes()),
                known(report == null ? -1 : report.deliveryDelaySeconds()),
                known(report == null ? -1 : report.cursorUnwrittenSeconds()),
                problem,
                shown == null ? null : shown.status().lastSeen());
    }

    /** It is stopped only if no server is left that could run it: that it is stopped on one of a cluster leaves it to the others. */
    private static String stateWithoutRunner(@Nullable InstanceRow managed, List<Place> places) {
        if (managed != null && !managed.enabled()) {
            return "disabled";
        }
        if (managed == null && places.stream().anyMatch(place -> place.failedRemoval() != null)) {
            return "not_ended";
        }
        List<Place> present =
                places.stream().filter(place -> place.failedRemoval() == null).toList();
        List<Place> possible = present.isEmpty() ? places : present;
        if (!possible.isEmpty() && possible.stream().allMatch(Place::isStopped)) {
            return "stopped";
        }
        if (possible.stream().anyMatch(place -> place.invalidity() != null)) {
            return "invalid";
        }
        if (possible.stream().anyMatch(place -> place.pending() != null)) {
            return "pending";
        }
        boolean isAnyFree = possible.stream()
                .anyMatch(place -> !place.isStopped() && place.status().state().isAnswering());
        return isAnyFree ? "not_here" : "unknown";
    }

    private static boolean isHealthy(String state, @Nullable InstanceReport report, @Nullable String problem) {
        if (report != null) {
            return report.healthy() && !state.equals("failed") && problem == null && !report.isCursorUnwritten();
        }
        return problem == null && (state.equals("stopped") || state.equals("disabled"));
    }

    private static @Nullable String nameOf(long serverId, Configured configured) {
        return configured.servers().stream()
                .filter(server -> server.id() == serverId)
                .map(ServerRow::name)
                .findFirst()
                .orElse(null);
    }

    static @Nullable Long known(long amount) {
        return amount < 0 ? null : Long.valueOf(amount);
    }

    private static List<ServerView> servers(
            Configured configured,
            Map<Long, ServerStatus> statuses,
            Map<String, InstanceView> instances,
            Map<Long, Map<String, InstanceReport>> reports) {
        Map<Long, Integer> ofServer = new HashMap<>();
        Map<Long, Integer> ofCluster = new HashMap<>();
        for (InstanceRow instance : configured.instances()) {
            Long cluster = instance.clusterId();
            Long server = instance.serverId();
            if (cluster != null) {
                ofCluster.merge(cluster, 1, Integer::sum);
            } else if (server != null) {
                ofServer.merge(server, 1, Integer::sum);
            }
        }
        List<ServerView> views = new ArrayList<>();
        for (ServerRow server : configured.servers()) {
            Map<String, InstanceReport> own = reports.getOrDefault(server.id(), Map.of());
            Long cluster = server.clusterId();
            int configuredHere =
                    cluster == null ? ofServer.getOrDefault(server.id(), 0) : ofCluster.getOrDefault(cluster, 0);
            views.add(Summing.server(server, statusOf(server, statuses), own, instances, configuredHere));
        }
        return List.copyOf(views);
    }

    /** What is gathered of an instance. */
    private static final class Gathering {
        private @Nullable InstanceRow managed;
        private final List<Place> places = new ArrayList<>();
    }
}
