package io.sluice.server;

import io.sluice.protocol.position.Cursor;
import io.sluice.server.alarm.Alarms;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.control.Operations;
import io.sluice.server.control.Outcome;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.destination.DelayedStarts;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.destination.DestinationStates;
import io.sluice.server.instance.DeliveryTap;
import io.sluice.server.instance.Instance;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.SourceListing;
import io.sluice.server.probe.Trials;
import io.sluice.server.reload.Reloads;
import io.sluice.server.tables.TableTally;
import io.sluice.stream.options.Omitted;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what an operator requests of a running server, however it is asked. Owns no state of the destinations: it finds the runner that a
 * request names, and has it do the work. Thread-safe.
 */
final class ServerOperations implements Operations {
    private final Configuration atStart;
    private final DestinationRegistry registry;
    private final DestinationStates states;
    private final ServerStatus status;
    private final ConfigurationProblems problems;
    private final Alarms alarms;
    private final DelayedStarts delayedStarts;
    private final Trials trials;
    private final Reloads reloads;

    /** Tries something, unless something else is being tried. */
    @FunctionalInterface
    private interface Trial<T> {
        Optional<T> run() throws InterruptedException;
    }

    /**
     * Creates them for a server.
     *
     * @param atStart the configuration with which the server was started
     */
    ServerOperations(
            Configuration atStart,
            DestinationRegistry registry,
            DestinationStates states,
            ServerStatus status,
            ConfigurationProblems problems,
            Alarms alarms,
            DelayedStarts delayedStarts,
            Trials trials,
            Reloads reloads) {
        this.atStart = atStart;
        this.registry = registry;
        this.states = states;
        this.status = status;
        this.problems = problems;
        this.alarms = alarms;
        this.delayedStarts = delayedStarts;
        this.trials = trials;
        this.reloads = reloads;
    }

    @Override
    public Configuration configuration() {
        return new Configuration(atStart.server(), registry.configs(), atStart.warnings());
    }

    @Override
    public List<String> destinations() {
        return registry.names();
    }

    private DestinationRunner known(String destination) {
        Optional<DestinationRunner> runner = registry.find(destination);
        Missing missing = problems.missing(destination);
        if (runner.isEmpty() && missing != null) {
            throw new CommandRejectedException(destination + refusal(missing));
        }
        return runner.orElseThrow(() -> new UnknownDestinationException(
                "there is no destination " + destination + "; this server has " + String.join(", ", registry.names())));
    }

    private static String refusal(Missing missing) {
        return switch (missing.reason()) {
            case INVALID ->
                " does not run, since its configuration was never right: %s; correct it, and reload it"
                        .formatted(missing.problem());
            case PENDING -> " does not run yet: " + missing.problem();
            case NOT_ENDED ->
                " does not run any more: %s; start it if it is configured again".formatted(missing.problem());
        };
    }

    /** Why a destination that is known is not there; null if it is, or is not known. */
    private @Nullable Missing missing(String destination) {
        Missing missing = problems.missing(destination);
        return registry.find(destination).isPresent() ? null : missing;
    }

    @Override
    public @Nullable String configurationProblem() {
        return problems.ofServer();
    }

    @Override
    public @Nullable String clusterProblem() {
        return status.clusterProblem();
    }

    @Override
    public List<String> restartKeys() {
        return problems.restartKeys();
    }

    @Override
    public InstanceSnapshot snapshot(String destination) {
        Missing missing = missing(destination);
        if (missing != null) {
            return InstanceSnapshot.ofMissing(destination, missing);
        }
        return status.snapshot(known(destination));
    }

    @Override
    public List<InstanceSnapshot> snapshots() {
        return status.snapshots();
    }

    @Override
    public DeliveryTap tap(String destination) {
        known(destination);
        return states.of(destination).tap();
    }

    @Override
    public TableTally tables(String destination) {
        known(destination);
        return states.of(destination).tables();
    }

    @Override
    public boolean start(String destination) {
        Missing missing = missing(destination);
        if (missing != null) {
            Optional<ReloadReport> report = reloads.add(destination);
            if (report.isPresent()) {
                requireAdded(destination, missing, report.get());
                return true;
            }
        }
        DestinationRunner runner = known(destination);
        long stops = runner.stops();
        if (runner.runsUnchanged()) {
            return false;
        }
        try {
            return reloads.start(destination, "a start of " + destination, (config, wait) -> {
                DestinationRunner now = known(destination); // it may have been made again
                return now.start(config, wait, now == runner ? stops : now.stops());
            });
        } catch (RuntimeException e) {
            throw new CommandRejectedException(destination + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Says why one could not be added that was not there until now. */
    private void requireAdded(String destination, Missing before, ReloadReport report) {
        if (report.added().contains(destination)) {
            return;
        }
        String reasons = String.join("; ", report.refused().getOrDefault(destination, List.of()));
        if (registry.find(destination).isPresent()) { // it was added, and has failed
            throw new CommandRejectedException(
                    "the configuration of %s is right now and in force, but %s".formatted(destination, reasons));
        }
        if (!reasons.isEmpty()) {
            Missing now = missing(destination);
            throw new CommandRejectedException(
                    now != null && now.reason() == Missing.Reason.INVALID
                            ? "%s cannot be started: its configuration was never right: %s; correct it first"
                                    .formatted(destination, reasons)
                            : "%s cannot be started: %s".formatted(destination, reasons));
        }
        throw new CommandRejectedException(
                report.serverProblems().isEmpty()
                        ? "%s cannot be started: it is not configured any more%s"
                                .formatted(
                                        destination,
                                        before.reason() == Missing.Reason.NOT_ENDED ? ": " + before.problem() : "")
                        : "%s cannot be started, since nothing of the configuration can be taken over: %s"
                                .formatted(destination, String.join("; ", report.serverProblems())));
    }

    @Override
    public boolean stop(String destination) {
        return known(destination).stop(DestinationRunner.STOP_LIMIT);
    }

    @Override
    public void restart(String destination) {
        DestinationRunner runner = known(destination);
        if (!runner.isHere()) {
            throw new CommandRejectedException(destination + " does not run here, so it cannot be restarted: start it");
        }
        boolean isRestarted;
        try {
            isRestarted = restart(runner);
        } catch (RuntimeException e) {
            throw new CommandRejectedException(destination + " cannot be started again: " + e.getMessage(), e);
        }
        if (!isRestarted) {
            throw new CommandRejectedException(destination + " was not restarted: " + notHere(runner));
        }
    }

    private static String notHere(DestinationRunner runner) {
        if (runner.isStopped()) {
            return "it was stopped meanwhile: start it";
        }
        return runner.isShared()
                ? "another server of the cluster runs it, or will: this one was not its owner any more"
                : "it was removed meanwhile, or the server is stopping";
    }

    private boolean restart(DestinationRunner runner) {
        return reloads.start(
                runner.name(),
                "a restart of " + runner.name(),
                (config, wait) -> runner.restart(config, DestinationRunner.STOP_LIMIT, wait));
    }

    @Override
    public void release(String destination) {
        DestinationRunner runner = known(destination);
        if (!runner.isShared() && runner.isHere()) {
            restart(destination);
            return;
        }
        if (!runner.release(DestinationRunner.STOP_LIMIT, Reloads.WAIT_LIMIT)) {
            throw new CommandRejectedException(destination + " was stopped, so there is nothing to release");
        }
        delayedStarts.enterCandidacyLater(runner);
    }

    @Override
    public void pause(String destination, String reason) {
        known(destination).pace().change(pace -> pace.pause(reason));
    }

    @Override
    public void pauseAt(String destination, PauseTarget target) {
        DestinationRunner runner = known(destination);
        if (runner.pace().status().paused()) {
            throw new CommandRejectedException(
                    destination + " is paused already: resume it first, or at a point with the same call");
        }
        if (runner.config().stream().omitted().contains(Omitted.TRANSACTION_BOUNDARIES)) {
            throw new CommandRejectedException(destination
                    + " leaves out where transactions begin and end, so it cannot pause between them:"
                    + " canal.instance.filter.transaction.entry");
        }
        Cursor cursor = runner.instance().flatMap(Instance::cursor).orElse(null);
        String obstacle = target.obstacleAt(cursor);
        if (obstacle != null) {
            throw new CommandRejectedException(destination + ": " + obstacle);
        }
        runner.pace().change(pace -> pace.pauseAt(target.at(cursor)));
    }

    @Override
    public Outcome whileStopped(String destination, Function<InstanceConfig, Runnable> plan) {
        DestinationRunner runner = known(destination);
        if (runner.isShared() || !runner.isHere()) {
            return runner.whileStopped(plan.apply(runner.config()), DestinationRunner.STOP_LIMIT, Reloads.WAIT_LIMIT);
        }
        return reloads.tryStart(
                destination,
                "a change of the cursor of " + destination,
                (config, wait) ->
                        runner.whileStopped(plan.apply(config), () -> config, DestinationRunner.STOP_LIMIT, wait));
    }

    @Override
    public void resume(String destination) {
        known(destination).pace().change(Pace::resume);
    }

    @Override
    public void limit(String destination, RateLimits limits) {
        known(destination).pace().change(pace -> pace.limit(limits));
    }

    @Override
    public ReloadReport reload(String destination) {
        Missing missing = missing(destination);
        if (missing == null) {
            known(destination);
        }
        ReloadReport report = reloads.reload(destination);
        if (missing != null && registry.find(destination).isEmpty() && isNothing(report)) {
            throw new CommandRejectedException(
                    "%s is not configured any more: %s".formatted(destination, missing.problem()));
        }
        return report;
    }

    /** Whether nothing was tried, and nothing was wrong. */
    private static boolean isNothing(ReloadReport report) {
        return report.refused().isEmpty() && report.serverProblems().isEmpty();
    }

    @Override
    public ReloadReport reload() {
        return reloads.reload(null);
    }

    @Override
    public List<AlarmTest> testAlarm() {
        return alarms.test();
    }

    @Override
    public CheckedTexts check(GivenTexts texts) {
        return reloads.source().check(texts);
    }

    @Override
    public TrialTexts forTrial(GivenTexts texts) {
        return reloads.source().forTrial(texts);
    }

    @Override
    public ConnectReport connect(TrialTexts texts) {
        return once(() -> trials.connect(texts, configuration()));
    }

    @Override
    public SourceListing sourceTables(TrialTexts texts) {
        return once(() -> trials.tables(texts));
    }

    private static <T> T once(Trial<T> trial) {
        try {
            return trial.run()
                    .orElseThrow(() -> new CommandRejectedException(
                            "another configuration is being tried, and only one is at a time: try again in a minute"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandRejectedException("the server is stopping");
        }
    }
}
