package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.live.InstanceView.Place;
import io.sluice.admin.fleet.watch.InstanceReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with servers and instances, with the remedy. Has no state. */
final class InstanceProblems {
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    private InstanceProblems() {}

    /** What is wrong most with an instance; null if nothing is. */
    static @Nullable String mostImportant(String state, @Nullable InstanceReport report, List<Place> places) {
        if (isDoubled(places)) {
            return doubled(places);
        }
        if (report == null) {
            return switch (state) {
                case "unknown" -> idle("no server that could run it answers", places);
                case "not_here" -> idle("no server runs it", places);
                case "invalid" -> invalidity(places);
                case "pending" -> pending(places);
                case "disabled", "stopped", "not_ended" -> failedRemoval(places);
                default -> null;
            };
        }
        InstanceReport.Stall stall = report.stall();
        InstanceReport.Failure failure = report.failure();
        if (state.equals("failed")) {
            return "it has failed" + reason(report.cause(), failure == null ? null : failure.kind());
        }
        if (failure != null && isWhileRead(report, failure, "duplicate_server_id")) {
            return "another replica uses its server id" + reason(report.cause(), null);
        }
        if (failure != null && isWhileRead(report, failure, "other_server")) {
            return "its address leads to another server, and nothing comes from the one that is read";
        }
        if (isOfSource(report)) {
            return "its source cannot be read" + reason(report.cause(), failure == null ? null : failure.kind());
        }
        if (stall != null) {
            return "no progress for " + lasting(stall.seconds()) + ", stage " + stall.stage()
                    + reason(report.cause(), null);
        }
        if (report.configurationProblem() != null) {
            return "its newest configuration is not in force: " + report.configurationProblem();
        }
        if (state.equals("retrying")) {
            return "it is being tried again";
        }
        return report.healthy() ? null : "it needs attention";
    }

    /** Whether the reason is known to be the source: also if that has stalled the instance meanwhile. */
    static boolean isOfSource(InstanceReport report) {
        return report.failure() != null
                && (report.stall() == null || "source".equals(report.stall().stage()));
    }

    /** Whether a failure is of this kind, and the source is read nevertheless, as between the times when another replica with its id ends that. */
    private static boolean isWhileRead(InstanceReport report, InstanceReport.Failure failure, String kind) {
        return report.state().equals("running") && failure.kind().equals(kind) && isOfSource(report);
    }

    private static String reason(@Nullable String message, @Nullable String kind) {
        String reason = message != null ? message : kind;
        return reason == null ? "" : ": " + reason;
    }

    /** A time in its two largest units. */
    static String lasting(long seconds) {
        long whole = Math.max(0, seconds);
        if (whole < MINUTE) {
            return whole + " s";
        }
        if (whole < HOUR) {
            return "%d min %d s".formatted(whole / MINUTE, whole % MINUTE);
        }
        return "%d h %d min".formatted(whole / HOUR, whole % HOUR / MINUTE);
    }

    /** All problems, in no order. */
    static List<FleetProblem> all(List<ServerView> servers, Collection<InstanceView> instances, Instant now) {
        List<FleetProblem> problems = new ArrayList<>();
        for (ServerView server : servers) {
            FleetProblem problem = of(server, now);
            if (problem != null) {
                problems.add(problem);
            }
            String ofCluster = server.status().problems().cluster();
            if (ofCluster != null) { // it has the remedy
                problems.add(problem(server, "server_in_cluster", "error", ofCluster, null, now));
            }
        }
        for (InstanceView instance : instances) {
            addAll(instance, now, problems);
        }
        return problems;
    }

    private static @Nullable FleetProblem of(ServerView server, Instant now) {
        ServerStatusView status = server.status();
        String detail = status.detail();
        return switch (status.state()) {
            case UNREACHABLE ->
                problem(server, "server_unreachable", "error", "the server does not answer", detail, now);
            case UNAUTHORIZED ->
                problem(server, "server_unauthorized", "error", "the server does not accept the login", detail, now);
            case STOPPED -> problem(server, "server_stopped", "warning", "the server is stopped", "start it", now);
            case RUNNING, CONNECTING -> null;
        };
    }

    private static FleetProblem problem(
            ServerView server, String kind, String severity, String message, @Nullable String remedy, Instant now) {
        return new FleetProblem(severity, null, server.row().id(), server.row().name(), kind, message, remedy, now);
    }

    private static void addAll(InstanceView instance, Instant now, List<FleetProblem> problems) {
        InstanceSummary summary = instance.summary();
        Place runner = instance.runner();
        InstanceReport report = runner == null ? null : runner.report();
        if (isDoubled(instance.places())) {
            problems.add(of(
                    instance,
                    "error",
                    "runs_twice",
                    doubled(instance.places()),
                    "if these are two instances, give one of them another name; else put both servers into one cluster",
                    now));
        }
        for (Place place : instance.places()) {
            String failure = place.failedRemoval();
            if (failure != null) {
                problems.add(of(
                        instance,
                        "error",
                        "removal",
                        "on %s %s".formatted(place.server().name(), failure),
                        "restart %s if a part of the instance still runs there, as its source shows"
                                .formatted(place.server().name()),
                        now));
            }
        }
        if (report == null) {
            addIdle(instance, now, problems);
            return;
        }
        if (!report.isStopping() && isStoppedOnAllOthers(instance)) {
            problems.add(of(
                    instance,
                    "warning",
                    "no_standby",
                    idle(
                            "it runs on %s, and no other server would take it over".formatted(summary.runningOn()),
                            instance.places()),
                    "start it, which starts it where it is stopped",
                    now));
        }
        InstanceReport.Stall stall = report.stall();
        InstanceReport.Failure failure = report.failure();
        String message = mostImportant(summary.state(), report, List.of());
        if (summary.state().equals("failed")) {
            String remedy = failure == null ? "look at its errors, then start it again" : failure.remedy();
            problems.add(of(instance, "error", "failed", text(message), remedy, now));
        } else if (failure != null && isOfSource(report)) {
            problems.add(of(instance, "error", "source", text(message), failure.remedy(), now));
        } else if (stall != null) {
            problems.add(of(instance, "error", "stalled", text(message), stall.meaning(), now));
        } else if (summary.state().equals("retrying")) {
            problems.add(of(instance, "warning", "retrying", text(message), "look at its errors", now));
        } else if (!report.healthy()) {
            problems.add(of(instance, "warning", "unhealthy", text(message), "look at its errors", now));
        }
        if (report.isCursorUnwritten()) {
            problems.add(of(
                    instance,
                    "warning",
                    "cursor",
                    "its cursor has not been written for %s: a restart would deliver again what was delivered since"
                            .formatted(lasting(report.cursorUnwrittenSeconds())),
                    "look at the disk of the server or at ZooKeeper, and at the server's log; do not restart it before",
                    now));
        }
        String configuration = report.configurationProblem();
        if (configuration != null) {
            problems.add(of(
                    instance,
                    "warning",
                    "configuration",
                    "its newest configuration is not in force: " + configuration,
                    "correct the configuration and save it",
                    now));
        }
    }

    /** Whether an operator has stopped it on other servers, and none is left that would take it over. */
    private static boolean isStoppedOnAllOthers(InstanceView instance) {
        List<Place> others = instance.places().stream()
                .filter(place -> !place.equals(instance.runner()))
                .toList();
        return others.stream().anyMatch(Place::isStopped)
                && others.stream()
                        .allMatch(place ->
                                place.isStopped() || !place.status().state().isAnswering());
    }

    /** Of an instance that no server runs. A failure of the server is reported for the server. */
    private static void addIdle(InstanceView instance, Instant now, List<FleetProblem> problems) {
        String state = instance.summary().state();
        if (state.equals("invalid")) {
            problems.add(of(
                    instance,
                    "error",
                    "configuration",
                    invalidity(instance.places()),
                    "correct the configuration and save it",
                    now));
        } else if (state.equals("pending")) {
            problems.add(of(
                    instance,
                    "warning",
                    "configuration",
                    pending(instance.places()),
                    "wait until the other change has ended, then reload the configuration if the instance is still not there",
                    now));
        } else if (state.equals("not_here")) {
            problems.add(of(
                    instance,
                    "error",
                    "not_running",
                    idle("no server runs it", instance.places()),
                    instance.places().stream().anyMatch(place -> place.knowsIt() && !place.isStopped())
                            ? "look at the logs of its servers: none of them takes it"
                            : "its servers do not know it: they take it when they read their configuration next; if they have canal.admin.manager set and do not read it by canal.auto.scan = true, reload or restart them",
                    now));
        } else if (state.equals("unknown") && instance.places().isEmpty()) {
            problems.add(of(
                    instance,
                    "warning",
                    "no_server",
                    "there is no server that could run it",
                    "add a server to its cluster, or move it to one that has servers",
                    now));
        }
    }

    /** Appends where it is stopped. */
    private static String idle(String problem, List<Place> places) {
        String stopped = places.stream()
                .filter(Place::isStopped)
                .map(place -> place.server().name())
                .collect(Collectors.joining(", "));
        return stopped.isEmpty() ? problem : problem + "; it is stopped on " + stopped;
    }

    private static String invalidity(List<Place> places) {
        String problem = "see its server";
        for (Place place : places) {
            String found = place.invalidity();
            if (found != null) {
                problem = found;
            }
        }
        return "it does not run, since its configuration was never right: " + problem;
    }

    private static @Nullable String failedRemoval(List<Place> places) {
        for (Place place : places) {
            String failure = place.failedRemoval();
            if (failure != null) {
                return "on %s %s".formatted(place.server().name(), failure);
            }
        }
        return null;
    }

    private static String pending(List<Place> places) {
        return places.stream()
                .map(Place::pending)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("it is not added yet");
    }

    private static String text(@Nullable String message) {
        return message == null ? "it needs attention" : message;
    }

    private static FleetProblem of(
            InstanceView instance, String severity, String kind, String message, @Nullable String remedy, Instant now) {
        InstanceSummary summary = instance.summary();
        return new FleetProblem(
                severity, summary.name(), summary.runningOnId(), summary.runningOn(), kind, message, remedy, now);
    }

    private static boolean isDoubled(List<Place> places) {
        return places.stream().filter(place -> place.state().equals("running")).count() > 1;
    }

    private static String doubled(List<Place> places) {
        return "it runs on more than one server: "
                + places.stream()
                        .filter(place -> place.state().equals("running"))
                        .map(place -> place.server().name())
                        .collect(Collectors.joining(", "));
    }
}
