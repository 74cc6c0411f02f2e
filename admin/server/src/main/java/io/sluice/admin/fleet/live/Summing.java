package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.InstanceReport;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up rates and states. Has no state. */
final class Summing {
    private Summing() {}

    /**
     * A server with the sums of its instances.
     *
     * @param own what it reports
     * @param configured how many instances it is configured with here
     */
    static ServerView server(
            ServerRow row,
            ServerStatus status,
            Map<String, InstanceReport> own,
            Map<String, InstanceView> instances,
            int configured) {
        long rows = 0;
        long bytes = 0;
        long lag = -1;
        long delay = -1;
        int running = 0;
        int unhealthy = 0;
        for (InstanceReport report : own.values()) {
            rows += report.rowsPerSecond();
            bytes += report.bytesPerSecond();
            InstanceReport.Source source = report.source();
            lag = Math.max(lag, source == null ? -1 : source.lagSeconds());
            delay = Math.max(delay, report.deliveryDelaySeconds());
            if (report.isHere()) {
                running++;
            }
            if (!isHealthy(row, report, instances.get(report.name()))) {
                unhealthy++;
            }
        }
        return new ServerView(
                row,
                ServerStatusView.of(status),
                Math.max(configured, own.size()),
                status.state().isAnswering() ? running : null,
                unhealthy,
                rows,
                bytes,
                lag,
                delay);
    }

    private static boolean isHealthy(ServerRow row, InstanceReport report, @Nullable InstanceView view) {
        InstanceView.Place runner = view == null ? null : view.runner();
        boolean isRunner = runner != null && runner.server().id() == row.id();
        return view != null && isRunner
                ? view.summary().healthy()
                : report.healthy() || !report.isHere() && !report.isNotEnded();
    }

    /** What runs, and what is wrong; problems begin now. */
    static Overview overview(List<ServerView> servers, Collection<InstanceView> instances, Instant now) {
        Map<ServerState, Long> states = new EnumMap<>(ServerState.class);
        servers.forEach(server -> states.merge(server.status().state(), 1L, Long::sum));
        Map<String, Long> kinds = new HashMap<>();
        long rows = 0;
        long bytes = 0;
        long lag = -1;
        for (InstanceView instance : instances) {
            InstanceSummary summary = instance.summary();
            kinds.merge(kind(instance), 1L, Long::sum);
            rows += summary.rowsPerSecond();
            bytes += summary.bytesPerSecond();
            Long own = summary.totalLagSeconds();
            lag = Math.max(lag, own == null ? -1 : own);
        }
        List<FleetProblem> problems = InstanceProblems.all(servers, instances, now);
        return new Overview(
                now,
                new Overview.ServerCounts(
                        states.getOrDefault(ServerState.RUNNING, 0L),
                        states.getOrDefault(ServerState.STOPPED, 0L),
                        states.getOrDefault(ServerState.UNREACHABLE, 0L),
                        states.getOrDefault(ServerState.UNAUTHORIZED, 0L),
                        states.getOrDefault(ServerState.CONNECTING, 0L)),
                new Overview.InstanceCounts(
                        kinds.getOrDefault("running", 0L),
                        kinds.getOrDefault("paused", 0L),
                        kinds.getOrDefault("retrying", 0L),
                        kinds.getOrDefault("failed", 0L),
                        kinds.getOrDefault("stopped", 0L),
                        kinds.getOrDefault("disabled", 0L),
                        kinds.getOrDefault("unknown", 0L),
                        kinds.getOrDefault("stalled", 0L),
                        kinds.getOrDefault("invalid", 0L),
                        kinds.getOrDefault("not_here", 0L)),
                rows,
                bytes,
                Merger.known(lag),
                problems,
                problems.size());
    }

    /** As what an instance is counted in the overview: its state, but for paused and stalled ones, and those that are about to run or to be stopped. */
    static String kind(InstanceView instance) {
        InstanceView.Place runner = instance.runner();
        InstanceReport report = runner == null ? null : runner.report();
        String state = instance.summary().state();
        if (state.equals("stopping")) { // also if it is stalled: that is why it takes long
            return "stopped";
        }
        if (report != null && report.stall() != null && !InstanceProblems.isOfSource(report)) {
            return "stalled";
        }
        if (instance.summary().paused()) {
            return "paused";
        }
        return switch (state) {
            case "running", "new", "connecting", "pending" -> "running";
            case "not_ended" -> "failed";
            case "retrying", "failed", "invalid", "stopped", "disabled", "not_here" -> state;
            default -> "unknown";
        };
    }
}
