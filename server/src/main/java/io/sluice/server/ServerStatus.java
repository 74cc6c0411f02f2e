package io.sluice.server;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.InstanceProblems;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.destination.DestinationStates;
import io.sluice.server.destination.ThroughputMeters;
import io.sluice.server.ha.Absence;
import io.sluice.server.health.HealthWatch;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.ReportingGuard;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.metrics.DestinationStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of a server and its destinations, as operators, alarms and metrics see it. Only reads, and never waits. Thread-safe. */
final class ServerStatus {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStatus.class);

    private final DestinationRegistry registry;
    private final DestinationStates states;
    private final ThroughputMeters meters;
    private final HealthWatch watch;
    private final ConfigurationProblems problems;
    private final Supplier<Optional<String>> clusterProblem;
    private final Duration absenceLimit;
    private final ReportingGuard alarms;

    /**
     * Creates one.
     *
     * @param clusterProblem what is wrong with this server among those of its cluster
     * @param absenceLimit how long a destination that should run here may run on no server without having failed here; zero: for ever
     * @param time measures how long the same failure is not logged again
     */
    ServerStatus(
            DestinationRegistry registry,
            DestinationStates states,
            ThroughputMeters meters,
            HealthWatch watch,
            ConfigurationProblems problems,
            Supplier<Optional<String>> clusterProblem,
            Duration absenceLimit,
            Time time) {
        this.registry = registry;
        this.states = states;
        this.meters = meters;
        this.watch = watch;
        this.problems = problems;
        this.clusterProblem = clusterProblem;
        this.absenceLimit = absenceLimit;
        this.alarms = new ReportingGuard(
                time,
                (instance, e) -> LOG.error(
                        "the problems of instances cannot be determined for alarms: instance={}", instance, e));
    }

    /** Why nothing of the newest configuration is in force, or it cannot be read; null if it is in force. */
    @Nullable String configurationProblem() {
        return problems.ofServer();
    }

    /** What is wrong with this server among those of its cluster, with the remedy; null if nothing is. */
    @Nullable String clusterProblem() {
        return clusterProblem.get().orElse(null);
    }

    /** The instances that run here now, in the order of the configuration. */
    List<Instance> instances() {
        return registry.instances();
    }

    /**
     * The health of the instances that run here, and of those that should and could not be made. Among other servers, also of those that
     * have failed here, or were not started for long, while no other server is known to run them.
     */
    List<InstanceHealth> health() {
        List<InstanceHealth> all = new ArrayList<>(watch.health());
        Set<String> here = all.stream().map(InstanceHealth::destination).collect(Collectors.toSet());
        for (DestinationRunner runner : registry.runners()) {
            if (!here.contains(runner.name())) {
                healthOfMissing(runner).ifPresent(all::add);
            }
        }
        return all;
    }

    private Optional<InstanceHealth> health(DestinationRunner runner) {
        return runner.instance().map(watch::health).or(() -> healthOfMissing(runner));
    }

    private Optional<InstanceHealth> healthOfMissing(DestinationRunner runner) {
        boolean isMissing =
                runner.isObstructed() || runner.absence().filter(this::counts).isPresent();
        return isMissing
                ? Optional.of(new InstanceHealth(runner.name(), InstanceState.FAILED, null, runner.lastSourceFailure()))
                : Optional.empty();
    }

    private boolean counts(Absence absence) {
        return absence.hasFailed()
                || !absenceLimit.isZero() && absence.lasting().compareTo(absenceLimit) >= 0;
    }

    /** What an operator can do about a failure of the source of a destination that the server has. */
    String remedy(String destination, SourceFailure failure) {
        return ErrorLog.remedy(failure, states.of(destination).errors().newest());
    }

    /** The state of a destination. */
    InstanceSnapshot snapshot(DestinationRunner runner) {
        return new InstanceSnapshot(
                runner.name(),
                runner.isStopped(),
                runner.instance(),
                health(runner),
                runner.pace().status(),
                states.of(runner.name()).errors().newest(),
                meters.of(runner.name()),
                runner.problem(),
                runner.retryAt());
    }

    /** The state of all destinations, in the order of the configuration; those that the server does not have come last. */
    List<InstanceSnapshot> snapshots() {
        List<DestinationRunner> runners = registry.runners();
        List<InstanceSnapshot> all = new ArrayList<>();
        runners.forEach(runner -> all.add(snapshot(runner)));
        problems.missingBeside(runners).forEach((name, missing) -> all.add(InstanceSnapshot.ofMissing(name, missing)));
        return all;
    }

    /** What alarms are raised about: the server first, then its destinations. */
    List<InstanceProblems> standings() {
        List<InstanceProblems> all = new ArrayList<>();
        all.add(standing("", () -> InstanceProblems.ofServer(problems.ofServer(), clusterProblem())));
        List<DestinationRunner> runners = registry.runners();
        runners.forEach(runner -> all.add(standing(runner.name(), () -> InstanceProblems.of(snapshot(runner)))));
        problems.missingBeside(runners)
                .forEach((name, missing) ->
                        all.add(standing(name, () -> InstanceProblems.of(InstanceSnapshot.ofMissing(name, missing)))));
        return all;
    }

    private InstanceProblems standing(String destination, Supplier<InstanceProblems> standing) {
        return alarms.get(destination, standing, InstanceProblems.unknown(destination));
    }

    /** What metrics show of all destinations, also of those that do not run. */
    List<DestinationStatus> destinations() {
        List<DestinationRunner> runners = registry.runners();
        List<DestinationStatus> all = new ArrayList<>();
        runners.forEach(runner -> all.add(DestinationStatus.of(
                runner.name(),
                runner.isStopped(),
                runner.problem() != null,
                runner.pace().status())));
        problems.missingBeside(runners)
                .forEach((name, missing) -> all.add(DestinationStatus.ofMissing(name, missing.reason())));
        return all;
    }
}
