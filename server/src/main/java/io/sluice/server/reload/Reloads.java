package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.ConfigSource;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.key.KeyCatalog;
import io.sluice.server.config.text.Problem;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.ReloadReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes over changes of the configuration while the server runs: instances that were added, changed and removed. What is wrong is
 * reported, and what was there before continues. Thread-safe: one reads at a time; a destination is changed by one at a time, and others meanwhile. A
 * command waits for that only for a while.
 *
 * <p>Owns what was tried before; {@link Readings} read, {@link ReloadPlan} says what is to change, {@link ReloadOutcome} what became of it, and
 * {@link NotInForce} what is open.
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
    private final ConfigDigests atStart;
    private final Claims claims;
    private final Readings readings;

    @GuardedBy("this") private ConfigDigests inForce;

    @GuardedBy("this") private final ReloadLog log;

    @GuardedBy("this") private final NotInForce notInForce;

    /** The destinations that were taken over alone, with a server's text that was not: what the source knows of them may be older. */
    @GuardedBy("this") private final Set<String> takenAlone = new TreeSet<>();

    /** Whether destinations were removed since the target was told that. */
    @GuardedBy("this") private boolean isRemovalUntold;

    /** What is to be done after a reading. */
    private sealed interface Begun {}

    /** Nothing. */
    private record Rejected(ReloadReport report) implements Begun {}

    /**
     * Changes.
     *
     * @param kept the destinations of which the source does not know the newest configuration
     * @param postponed those that are to be changed and cannot be now, and why
     */
    private record Planned(
            ReadConfiguration read,
            ReloadPlan plan,
            Set<String> kept,
            Map<String, String> postponed,
            List<String> warnings,
            List<String> restartKeys)
            implements Begun {}

    /** What a look has found to be done. */
    private record Found(Claims.Claim claim, Begun begun) {}

    /**
     * With what a destination is to be started.
     *
     * @param isNewest whether no newer configuration of it is known
     */
    private record Configured(InstanceConfig config, boolean isNewest) {}

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
        this.atStart = current.digests();
        this.inForce = current.digests();
        this.log = new ReloadLog(current);
        this.notInForce = new NotInForce(target, source.problemsAtStart());
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
        return carryOut(claim, scope, () -> readings.read(by, deadline, read -> begin(read, scope, claim, false)));
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
                claim, scope, () -> readings.read(by, deadline, read -> begin(read, scope, claim, false))));
    }

    /** Carries out what is begun with a claim, which is released then. */
    private ReloadReport carryOut(Claims.Claim claim, ReloadScope scope, Supplier<Begun> begin) {
        try {
            Begun begun = begin.get();
            if (begun instanceof Planned planned) {
                ReloadOutcome outcome = ReloadOutcome.of(
                        planned.plan(), target, destination -> endChange(claim, destination, planned.kept()));
                return end(planned, outcome, scope);
            }
            return ((Rejected) begun).report();
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
        return start(destination, by, run, result -> null);
    }

    /**
     * The same.
     *
     * @param failed tells from what was returned why the destination could not be run with the configuration; null if it could
     */
    public <T extends @Nullable Object> T start(
            String destination,
            String by,
            BiFunction<InstanceConfig, Duration, T> run,
            Function<T, @Nullable String> failed) {
        Deadline deadline = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = claims.claim(destination, by, deadline);
        try {
            Configured next = readings.read(by, deadline, read -> toStart(read, destination));
            @Nullable String failure = null;
            try {
                T result = run.apply(next.config(), deadline.left());
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

    private synchronized void endStart(String destination, Configured next, @Nullable String failure) {
        if (target.inForce(destination).filter(next.config()::equals).isPresent()) {
            target.started();
            if (next.isNewest()) {
                notInForce.noteStarted(destination);
            }
        } else if (failure != null) {
            notInForce.noteFailedStart(destination, failure);
        } else { // it was not run after all, so that this configuration is to be taken over later
            Map<String, String> tried = new TreeMap<>(inForce.ofInstances());
            tried.remove(destination);
            inForce = new ConfigDigests(inForce.ofServer(), tried, inForce.modified());
        }
    }

    /** The configuration with which a destination is to be started. It counts as tried. */
    private synchronized Configured toStart(ReadConfiguration read, String destination) {
        List<String> problems = new ArrayList<>(Problem.texts(read.serverProblems()));
        problems.addAll(Problem.texts(read.instanceProblems().getOrDefault(destination, List.of())));
        if (!problems.isEmpty()) {
            noteOf(read).ifPresent(problems::add);
            throw new CommandRejectedException(
                    "the configuration of %s is wrong: %s; correct it, and repeat the command: until then it stays as it is"
                            .formatted(destination, String.join("; ", problems)));
        }
        ConfigDigests next = read.configuration().digests();
        List<String> restartKeys = List.copyOf(atStart.changedServerKeys(next));
        target.setRestartKeys(restartKeys);
        Optional<InstanceConfig> now = target.inForce(destination);
        boolean isSame =
                now.isPresent() && !inForce.hasChanged(destination, next) && !notInForce.hasFailed(destination);
        List<String> blocking = blocking(restartKeys);
        if (!blocking.isEmpty()) {
            return new Configured(
                    now.filter(config -> isSame)
                            .orElseThrow(() -> new CommandRejectedException(
                                    "the configuration of %s has changed, and cannot be taken over: %s"
                                            .formatted(destination, String.join("; ", blocking)))),
                    true);
        }
        log.warn(read, ReloadScope.of(destination));
        target.setServerProblem(noteOf(read).orElse(null));
        if (now.isPresent() && kept(read).contains(destination)) {
            return new Configured(now.get(), false);
        }
        InstanceConfig configured = read.configuration().instances().stream()
                .filter(one -> one.destination().equals(destination))
                .findFirst()
                .orElseThrow(() -> new CommandRejectedException(notConfigured(read.configuration(), destination)));
        InstanceConfig config = now.filter(same -> isSame).orElse(configured); // two that were read are not equal
        if (noteOf(read).isEmpty()) {
            source.takenOver(destination);
            takenAlone.add(destination);
        }
        Map<String, String> tried = new TreeMap<>(inForce.ofInstances());
        tried.put(destination, next.ofInstances().getOrDefault(destination, ""));
        inForce = new ConfigDigests(inForce.ofServer(), tried, inForce.modifiedWith(next, destination));
        notInForce.noteNoLongerLate(destination);
        return new Configured(config, true);
    }

    private static String notConfigured(Configuration read, String destination) {
        Path missing = read.withoutFile().get(destination);
        return missing == null
                ? "%s is not configured any more: add it again, or have sluice.sh reload remove it"
                        .formatted(destination)
                : "the file of %s is gone: write %s again, which may be empty".formatted(destination, missing);
    }

    /** The destinations of which the source, which could not be asked, may know an older configuration only. */
    @GuardedBy("this") private Set<String> kept(ReadConfiguration read) {
        return noteOf(read).isPresent() ? Set.copyOf(takenAlone) : Set.of();
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

    private Found begin(ReadConfiguration read, Claims.Claim claim) {
        boolean isBegun = false;
        try {
            Begun begun = begin(read, ReloadScope.ALL, claim, true);
            isBegun = true;
            return new Found(claim, begun);
        } finally {
            if (!isBegun) {
                release(claim);
            }
        }
    }

    /**
     * Plans what is to be changed, and notes that it is tried.
     *
     * @param isRepeated whether what cannot be changed now is found by a later look
     */
    private synchronized Begun begin(
            ReadConfiguration read, ReloadScope scope, Claims.Claim claim, boolean isRepeated) {
        Optional<String> note = noteOf(read);
        if (!read.serverProblems().isEmpty()) {
            List<String> problems = new ArrayList<>(Problem.texts(read.serverProblems()));
            note.ifPresent(problems::add);
            return rejectAll(problems, List.of());
        }
        if (scope.isAll()) { // also if the server is to be restarted, which then finds it without the source, too
            source.takenOver(null);
        }
        ConfigDigests next = read.configuration().digests();
        List<String> restartKeys = List.copyOf(atStart.changedServerKeys(next));
        target.setRestartKeys(restartKeys);
        List<String> blocking = blocking(restartKeys);
        if (!blocking.isEmpty()) {
            return rejectAll(blocking, restartKeys);
        }
        notInForce.noteNewestProblems(read.instanceProblems());
        target.setServerProblem(note.orElse(null));
        if (scope.isAll()) {
            target.setServer(read.configuration().server());
        } else {
            source.takenOver(scope.only());
        }
        Set<String> kept = kept(read);
        ReloadPlan all = ReloadPlan.of(read, inForce, target.destinations(), scope, target::hasFailed);
        claims.refresh(claim);
        Set<String> busy = Set.copyOf(claim.busy().keySet());
        Map<String, String> postponed = postponed(all, claim.busy());
        Set<String> leftAlone = new HashSet<>(busy);
        leftAlone.addAll(postponed.keySet());
        notInForce.notePostponed(postponed, scope, isRepeated);
        notInForce.notePending(all.taken(), kept, postponed, scope, isRepeated);
        ReloadPlan plan = planned(all, scope, kept, leftAlone);
        if (note.isEmpty()) {
            noteTakenOver(scope);
        }
        if (scope.isAll()) {
            claims.narrow(claim, plan.destinations());
        }
        List<String> newWarnings = log.warn(read, scope);
        log.warnOfMissingFiles(read.configuration().withoutFile(), scope);
        if (scope.isAll()) {
            logTouched(next, plan);
        }
        notInForce.noteWrong(plan.wrong(), scope, kept, busy);
        String only = scope.only();
        inForce = new ConfigDigests(
                next.ofServer(),
                plan.digests(),
                only == null ? modified(next, leftAlone) : inForce.modifiedWith(next, only));
        return new Planned(read, plan, kept, postponed, newWarnings, restartKeys);
    }

    /** Notes what was taken over from a source that could be asked. */
    @GuardedBy("this") private void noteTakenOver(ReloadScope scope) {
        String only = scope.only();
        if (only == null) {
            takenAlone.clear();
        } else {
            takenAlone.add(only);
        }
    }

    /**
     * The destinations that cannot be changed now, and why. What is added may take over from one that is being changed, and what is changed or added from one that is
     * removed, so additions wait for all changes that are under way, and so does the whole plan if something is removed.
     */
    @GuardedBy("this") private Map<String, String> postponed(ReloadPlan all, Map<String, String> busy) {
        Map<String, String> postponed = new TreeMap<>(busy);
        Set<String> changes = all.destinations();
        postponed
                .keySet()
                .removeIf(destination ->
                        !changes.contains(destination) && !all.wrong().containsKey(destination));
        if (!busy.isEmpty()) {
            List<String> there = target.destinations();
            String why = busy.values().iterator().next();
            // One that is busy and not there is being removed, or added.
            boolean isRemoving = !all.removed().isEmpty()
                    || busy.keySet().stream().anyMatch(destination -> !there.contains(destination));
            changes.stream()
                    .filter(destination -> isRemoving || !there.contains(destination))
                    .forEach(destination -> postponed.putIfAbsent(
                            destination, "%s waits for another change: %s".formatted(destination, why)));
        }
        return postponed;
    }

    @GuardedBy("this") private ReloadPlan planned(ReloadPlan all, ReloadScope scope, Set<String> kept, Set<String> leftAlone) {
        Set<String> unchanged = new HashSet<>(kept);
        unchanged.addAll(leftAlone);
        ReloadPlan plan = all.without(unchanged, inForce);
        String only = scope.only();
        // Restarted with what is in force, since the source cannot be asked for what that was.
        return only != null && kept.contains(only) ? plan.with(target.inForce(only)) : plan;
    }

    /** When files were modified; those of some destinations as it was known before. */
    @GuardedBy("this") private Map<String, Instant> modified(ConfigDigests next, Set<String> leftAlone) {
        Map<String, Instant> modified = new HashMap<>(next.modified());
        modified.keySet().removeAll(leftAlone);
        inForce.modified().forEach((destination, time) -> {
            if (leftAlone.contains(destination)) {
                modified.put(destination, time);
            }
        });
        return modified;
    }

    /** Notes what became of a plan. */
    private synchronized ReloadReport end(Planned planned, ReloadOutcome outcome, ReloadScope scope) {
        notInForce.noteOutcome(outcome, scope);
        Map<String, List<String>> refused = notInForce.refused(scope);
        Optional<String> note = noteOf(planned.read());
        List<String> waiting = planned.postponed().keySet().stream()
                .map(destination ->
                        "the newest configuration of %s is not in force yet: it waits for a change that is under way"
                                .formatted(destination))
                .toList();
        List<String> lines = lines(refused, note, planned.restartKeys());
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
                planned.restartKeys());
    }

    private static List<String> blocking(List<String> restartKeys) {
        return restartKeys.stream()
                .filter(KeyCatalog.blockingKeys()::contains)
                .map(key -> key + " has changed: restart the server; until then no changes of instances are taken over")
                .toList();
    }

    /** Reports why nothing of what was read is put into force. */
    @GuardedBy("this") private Rejected rejectAll(List<String> problems, List<String> restartKeys) {
        log.logNotInForce(problems, ReloadScope.ALL);
        target.setServerProblem(String.join("; ", problems));
        return new Rejected(new ReloadReport(
                List.of(), List.of(), List.of(), Map.of(), List.of(), problems, List.of(), restartKeys));
    }

    private static List<String> lines(
            Map<String, List<String>> refused, Optional<String> note, List<String> restartKeys) {
        List<String> lines = new ArrayList<>();
        refused.values().forEach(lines::addAll);
        note.ifPresent(lines::add);
        restartKeys.forEach(key -> lines.add(key + " has changed, and takes effect when the server is restarted"));
        return lines;
    }

    @GuardedBy("this") private void logTouched(ConfigDigests next, ReloadPlan plan) {
        Set<String> known = plan.destinations();
        known.addAll(plan.wrong().keySet());
        for (String destination : target.destinations()) {
            if (!known.contains(destination)
                    && inForce.isTouched(destination, next)
                    && !inForce.hasChanged(destination, next)) {
                log.logTouched(destination);
            }
        }
    }

    private static Optional<String> noteOf(ReadConfiguration read) {
        return read.sourceProblem().isEmpty() ? Optional.empty() : Optional.of(read.sourceProblem());
    }
}
