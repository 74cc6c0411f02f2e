package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import io.sluice.server.control.ReloadReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes over changes of the configuration while the server runs: instances that were added, changed and removed. What is wrong is
 * reported, and what was there before continues.
 *
 * <p>{@link Readings} read, {@link ReloadPlanner} and {@link ConfiguredStarts} find out what is to change, {@link ReloadOutcome} what became of it, and
 * {@link NotInForce} what is open.
 *
 * <p>Thread-safe: one reads at a time; a destination is changed by one at a time, and others meanwhile. A command waits for that only for a while. The
 * monitor guards what is known of the configuration: what {@link TakenOver}, {@link NotInForce} and {@link ReloadLog} note. It is not held while
 * the configuration is read, or a destination is changed.
 */
public final class Reloads {
    /**
     * How long a command waits for other changes. With what is in flight, which may take half a minute, that is less than canal's console waits for an
     * answer: what its caller has given up must not be carried out later.
     */
    public static final Duration WAIT_LIMIT = Duration.ofSeconds(20);

    private final ConfigSource source;
    private final ReloadTarget target;
    private final Time time;
    private final Claims claims;
    private final Readings readings;

    @GuardedBy("this") private final ReloadPlanner planner;

    @GuardedBy("this") private final ConfiguredStarts starts;

    @GuardedBy("this") private final ReloadLog log;

    @GuardedBy("this") private final NotInForce notInForce;

    /** Whether destinations were removed since the target was told that. */
    @GuardedBy("this") private boolean isRemovalUntold;

    /** What a look has found to be done. */
    private record Found(Claims.Claim claim, ReloadPlanner.Begun begun) {}

    /**
     * Creates one for a server.
     *
     * @param source is read again by each reload
     * @param current what is in force
     */
    public Reloads(ConfigSource source, Configuration current, ReloadTarget target, Time time) {
        this.source = source;
        this.target = target;
        this.time = time;
        this.claims = new Claims(time);
        this.readings = new Readings(source, time);
        this.log = new ReloadLog(current);
        this.notInForce = new NotInForce(target, source.problemsAtStart());
        ConfigDigests atStart = current.digests();
        TakenOver takenOver = new TakenOver(atStart);
        this.planner = new ReloadPlanner(source, target, atStart, claims, takenOver, notInForce, log);
        this.starts = new ConfiguredStarts(source, target, atStart, takenOver, notInForce, log);
    }

    /** What is read by each reload. */
    public ConfigSource source() {
        return source;
    }

    /**
     * Reads the configuration, and takes over what has changed.
     *
     * @param only the destination that is taken over, and restarted also if nothing has changed; null for all that have changed
     * @throws CommandRejectedException if something else is under way for too long; nothing is changed then, neither now nor later
     */
    public ReloadReport reload(@Nullable String only) {
        String by = only == null ? "a reload" : "a reload of " + only;
        Deadline others = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = only == null ? claims.claimAll(by, others) : claims.claim(only, by, others);
        Deadline deadline =
                only == null ? Deadline.in(WAIT_LIMIT, time) : others; // those that are changed still are left out
        ReloadScope scope = only == null ? ReloadScope.ALL : ReloadScope.of(only);
        return carryOut(
                claim, scope, () -> readings.read(by, deadline, read -> plan(read, scope, claim, ReloadCause.COMMAND)));
    }

    /**
     * Reads the configuration, and adds a destination that is not there: its configuration was never right, it waits, or it was removed before.
     *
     * @return empty if it is there meanwhile
     * @throws CommandRejectedException as {@link #reload}
     */
    public Optional<ReloadReport> add(String destination) {
        String by = "a start of " + destination;
        Deadline deadline = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = claims.claim(destination, by, deadline);
        if (target.destinations().contains(destination)) {
            release(claim);
            return Optional.empty();
        }
        ReloadScope scope = ReloadScope.of(destination);
        return Optional.of(carryOut(
                claim,
                scope,
                () -> readings.read(by, deadline, read -> plan(read, scope, claim, ReloadCause.COMMAND))));
    }

    /** Carries out what is begun with a claim, which is released then. */
    private ReloadReport carryOut(Claims.Claim claim, ReloadScope scope, Supplier<ReloadPlanner.Begun> begin) {
        try {
            ReloadPlanner.Begun begun = begin.get();
            if (begun instanceof ReloadPlanner.Planned planned) {
                ReloadOutcome outcome = ReloadOutcome.of(
                        planned.plan(), target, destination -> endChange(claim, destination, planned.kept()));
                return end(planned, outcome, scope);
            }
            return ((ReloadPlanner.Rejected) begun).report();
        } finally {
            release(claim);
        }
    }

    /** Notes that a destination has its new configuration: others need not wait until all have theirs. */
    private void endChange(Claims.Claim claim, String destination, Set<String> kept) {
        synchronized (this) {
            if (!kept.contains(destination)) {
                notInForce.noteChanged(destination);
            }
        }
        claims.release(claim, destination);
    }

    private void release(Claims.Claim claim) {
        if (claims.release(claim)) {
            tellOfRemovals();
        }
    }

    private synchronized void tellOfRemovals() {
        if (isRemovalUntold) {
            isRemovalUntold = false;
            target.instancesRemoved();
        }
    }

    /**
     * Reads the configuration, and has a destination that is to be started or restarted run with what is configured for it now. Others stay as they
     * are, and may be changed at the same time.
     *
     * @param by what this is, for messages
     * @param run has the destination run with a configuration, and is told how long it may wait for another change of it; throws
     *     {@link CommandRejectedException} if it has not tried
     * @return what that returns
     * @throws CommandRejectedException if what was read is not right, with all that is wrong with it, or something else is under way for too long;
     *     nothing is run then, neither now nor later
     */
    public <T extends @Nullable Object> T start(
            String destination, String by, BiFunction<InstanceConfig, Duration, T> run) {
        return run(destination, by, run, result -> null);
    }

    /**
     * Reads the configuration, and has a destination run with what is configured for it now, as {@link #start} does, where {@code run} returns why it
     * could not be run. That is kept as the problem of the destination, as what {@code run} throws.
     */
    public Outcome tryStart(String destination, String by, BiFunction<InstanceConfig, Duration, Outcome> run) {
        return run(destination, by, run, outcome -> outcome instanceof Outcome.Failed failed ? failed.why() : null);
    }

    /**
     * Has a destination run with what is configured for it now, as {@link #start} says.
     *
     * @param failed tells from what was returned why the destination could not be run with the configuration; null if it could
     */
    private <T extends @Nullable Object> T run(
            String destination,
            String by,
            BiFunction<InstanceConfig, Duration, T> start,
            Function<T, @Nullable String> failed) {
        Deadline deadline = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = claims.claim(destination, by, deadline);
        try {
            ConfiguredStarts.Configured next = readings.read(by, deadline, read -> beginStart(read, destination));
            @Nullable String failure = null;
            try {
                T result = start.apply(next.config(), deadline.left());
                failure = failed.apply(result);
                return result;
            } catch (CommandRejectedException e) { // it was not tried
                throw e;
            } catch (RuntimeException e) {
                failure = String.valueOf(e.getMessage());
                throw e;
            } finally {
                endStart(destination, next, failure);
            }
        } finally {
            release(claim);
        }
    }

    private synchronized ConfiguredStarts.Configured beginStart(ReadConfiguration read, String destination) {
        return starts.begin(read, destination);
    }

    private synchronized void endStart(String destination, ConfiguredStarts.Configured next, @Nullable String failure) {
        starts.end(destination, next, failure);
    }

    /**
     * Reads the configuration, and takes over what has changed if the look before has found the same: a file may be in the middle of being
     * written, a directory away for a moment, or an admin server in the middle of a change. Waits for nothing: what is being changed, or cannot be read now,
     * is left to the next look.
     */
    public void look() {
        String by = "automatic scanning";
        readings.look(by, read -> claims.claimFree(by).map(claim -> begin(read, claim)))
                .ifPresent(found -> ReloadLog.logInCanalsWords(carryOut(found.claim(), ReloadScope.ALL, found::begun)));
    }

    private synchronized ReloadPlanner.Begun plan(
            ReadConfiguration read, ReloadScope scope, Claims.Claim claim, ReloadCause cause) {
        return planner.plan(read, scope, claim, cause);
    }

    private Found begin(ReadConfiguration read, Claims.Claim claim) {
        boolean isBegun = false;
        try {
            ReloadPlanner.Begun begun = plan(read, ReloadScope.ALL, claim, ReloadCause.SCAN);
            isBegun = true;
            return new Found(claim, begun);
        } finally {
            if (!isBegun) {
                release(claim);
            }
        }
    }

    /** Notes what became of a plan. */
    private synchronized ReloadReport end(ReloadPlanner.Planned planned, ReloadOutcome outcome, ReloadScope scope) {
        notInForce.noteOutcome(outcome, scope);
        Map<String, List<String>> refused = notInForce.refused(scope);
        Optional<String> note = planned.read().noteOfSource();
        List<String> waiting = planned.postponed().keySet().stream()
                .map(destination ->
                        "the newest configuration of %s is not in force yet: it waits for a change that is under way"
                                .formatted(destination))
                .toList();
        List<String> lines = lines(refused, note, planned.restartKeys().keys());
        lines.addAll(waiting);
        log.logNotInForce(lines, scope);
        if (!planned.plan().removed().isEmpty()
                && notInForce.invalid().isEmpty()) { // one that is wrong may be corrected
            isRemovalUntold = true;
        }
        refused.putAll(outcome.notStarted()); // reported once: its configuration is in force, and its state is failed
        refused.putAll(outcome.notStopped());
        planned.postponed().forEach((destination, why) -> refused.put(destination, List.of(why + Claims.REPEAT)));
        List<String> serverProblems = new ArrayList<>();
        note.ifPresent(serverProblems::add);
        serverProblems.addAll(waiting); // to be repeated, unlike what is wrong with an instance
        return new ReloadReport(
                outcome.added(),
                outcome.changed(),
                outcome.removed(),
                refused,
                outcome.otherTables(),
                serverProblems,
                planned.warnings(),
                planned.restartKeys().keys());
    }

    private static List<String> lines(
            Map<String, List<String>> refused, Optional<String> note, List<String> restartKeys) {
        List<String> lines = new ArrayList<>();
        refused.values().forEach(lines::addAll);
        note.ifPresent(lines::add);
        restartKeys.forEach(key -> lines.add(key + " has changed, and takes effect when the server is restarted"));
        return lines;
    }
}
