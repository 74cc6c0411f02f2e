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
import io.sluice.server.control.ControlRefusedException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes over changes of the configuration while the server runs: instances that were added, changed and removed. What is wrong is
 * reported, and what was there before continues. Thread-safe: one reads at a time; a destination is changed by one at a time, and others meanwhile. A
 * command waits for that only for a while.
 *
 * <p>Owns what was read and tried before; {@link ReloadPlan} says what is to change, {@link ReloadOutcome} what became of it.
 */
public final class Reloads {
    /**
     * How long a command waits for other changes. With what is in flight, which may take half a minute, that is less than canal's console waits for an
     * answer: what its caller has given up must not be carried out later.
     */
    public static final Duration WAIT_LIMIT = Duration.ofSeconds(20);

    /** How much longer than that the reading of the configuration may take. */
    private static final Duration READING_LIMIT = Duration.ofSeconds(5);

    private final ConfigSource source;
    private final ReloadTarget target;
    private final Time time;
    private final ConfigDigests atStart;
    private final Claims claims;

    /** Held while the source is read, and until is known what is to be done with that. */
    private final ReentrantLock readings = new ReentrantLock(true); // so that those that wait share the next reading

    /** Who holds it, for messages. */
    private volatile @Nullable Reader reader;

    /** How many readings have begun. */
    private final AtomicLong begunReadings = new AtomicLong();

    /** The newest reading, while commands wait that may use it. Used while {@code readings} is held. */
    private volatile @Nullable Reading newest;

    @GuardedBy("readings") private @Nullable Seen seen;

    @GuardedBy("this") private ConfigDigests inForce;

    @GuardedBy("this") private final ReloadLog log;

    /** What is wrong with the newest configurations of destinations, as far as these were to be taken over. */
    @GuardedBy("this") private final Map<String, List<String>> wrong = new TreeMap<>();

    /** Why configurations that were right could not be put into force, by destination, until they are changed again. */
    @GuardedBy("this") private final Map<String, List<String>> failed = new TreeMap<>();

    /** What the newest reading has found to be wrong with instances. */
    @GuardedBy("this") private Map<String, List<Problem>> newestProblems;

    /** Why destinations do not have their newest configuration although it is right, if nothing puts that into force by itself. */
    @GuardedBy("this") private final Map<String, String> late = new TreeMap<>();

    /** Why destinations that are configured and right are not there yet. */
    @GuardedBy("this") private final Map<String, String> pending = new TreeMap<>();

    /** The destinations that were taken over alone, with a server's text that was not: what the source knows of them may be older. */
    @GuardedBy("this") private final Set<String> takenAlone = new TreeSet<>();

    /** Whether destinations were removed since the target was told that. */
    @GuardedBy("this") private boolean isRemovalUntold;

    /** What the look before has found. */
    private record Seen(
            ConfigDigests digests,
            List<String> destinations,
            List<String> serverProblems,
            Set<String> wrongInstances) {}

    private record Reader(String by, long sinceNanos) {}

    private record Reading(long number, ReadConfiguration read) {}

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
        this.atStart = current.digests();
        this.inForce = current.digests();
        this.log = new ReloadLog(current);
        source.problemsAtStart().forEach((destination, problems) -> {
            if (target.destinations().contains(destination)) {
                wrong.put(destination, texts(problems));
                target.setProblem(destination, String.join("; ", texts(problems)));
            }
        });
        this.newestProblems = source.problemsAtStart();
        target.setInvalid(invalid(newestProblems));
    }

    /** What is read by each reload. */
    public ConfigSource source() {
        return source;
    }

    /**
     * Reads the configuration, and takes over what has changed.
     *
     * @param only the destination that is taken over, and restarted also if nothing has changed; null for all that have changed
     * @throws ControlRefusedException if something else is under way for too long; nothing is changed then, neither now nor later
     */
    public ReloadReport reload(@Nullable String only) {
        String by = only == null ? "a reload" : "a reload of " + only;
        Deadline others = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = only == null ? claims.claimAll(by, others) : claims.claim(only, by, others);
        Deadline deadline =
                only == null ? Deadline.in(WAIT_LIMIT, time) : others; // those that are changed still are left out
        return carryOut(claim, only, () -> reading(by, deadline, read -> begin(read, only, claim, false)));
    }

    /**
     * Reads the configuration, and adds a destination that is not there: its configuration was never right, it waits, or it was removed before.
     *
     * @return empty if it is there meanwhile
     * @throws ControlRefusedException as {@link #reload}
     */
    public Optional<ReloadReport> add(String destination) {
        String by = "a start of " + destination;
        Deadline deadline = Deadline.in(WAIT_LIMIT, time);
        Claims.Claim claim = claims.claim(destination, by, deadline);
        if (target.destinations().contains(destination)) {
            release(claim);
            return Optional.empty();
        }
        return Optional.of(carryOut(
                claim, destination, () -> reading(by, deadline, read -> begin(read, destination, claim, false))));
    }

    /** Carries out what is begun with a claim, which is released then. */
    private ReloadReport carryOut(Claims.Claim claim, @Nullable String only, Supplier<Begun> begin) {
        try {
            Begun begun = begin.get();
            if (begun instanceof Planned planned) {
                ReloadOutcome outcome = ReloadOutcome.of(
                        planned.plan(), target, destination -> endChange(claim, destination, planned.kept()));
                return end(planned, outcome, only);
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
                failed.remove(destination);
                target.setProblem(destination, late.get(destination));
            }
        }
        claims.release(claim, destination);
    }

    /**
     * Reads the configuration when no other thread does. Of several that wait, the next ones use what one has read that began after they did.
     *
     * @param by for what, for messages
     * @param use what is to be done with it, before it is read again
     * @throws ControlRefusedException if the deadline has passed before that
     */
    private <T> T reading(String by, Deadline deadline, Function<ReadConfiguration, T> use) {
        long before = begunReadings.get();
        Deadline end = deadline.plus(READING_LIMIT);
        if (!tryReading(end.left())) { // it may use what another one reads
            Reader other = reader;
            throw new ControlRefusedException(
                    "the configuration is being read: by %s; repeat the command when that has ended; if it is at an admin server, check that that answers"
                            .formatted(
                                    other == null
                                            ? "a change that has just ended"
                                            : Claims.since(other.by(), other.sinceNanos(), time)));
        }
        try {
            reader = new Reader(by, time.nanos());
            ReadConfiguration read = readSince(before);
            if (end.left().isZero()) {
                throw new ControlRefusedException(
                        "it took too long to read the configuration: nothing was done; if it is at an admin server, check that that answers, and repeat the command");
            }
            return use.apply(read);
        } finally {
            endReading();
            readings.unlock();
        }
    }

    /**
     * Reads the configuration, if that was not done by a reading which has begun later.
     *
     * @param before how many readings had begun when the command did
     */
    private ReadConfiguration readSince(long before) {
        Reading known = newest;
        if (known == null || known.number() <= before) {
            known = new Reading(begunReadings.incrementAndGet(), source.read());
            newest = known;
        }
        return known.read();
    }

    private void endReading() {
        reader = null;
        if (!readings.hasQueuedThreads()) {
            newest = null;
        }
    }

    private boolean tryReading(Duration wait) {
        try {
            return readings.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlRefusedException("the server is stopping");
        }
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
     *     {@link ControlRefusedException} if it has not tried
     * @return what that returns
     * @throws ControlRefusedException if what was read is not right, with all that is wrong with it, or something else is under way for too long;
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
            Configured next = reading(by, deadline, read -> toStart(read, destination));
            @Nullable String failure = null;
            try {
                T result = run.apply(next.config(), deadline.left());
                failure = failed.apply(result);
                return result;
            } catch (ControlRefusedException e) { // it was not tried
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
                failed.remove(destination);
                wrong.remove(destination);
                target.setProblem(destination, late.get(destination));
            }
        } else if (failure != null) {
            failed.put(destination, List.of(failure));
            target.setProblem(destination, failure);
        } else { // it was not run after all, so that this configuration is to be taken over later
            Map<String, String> tried = new TreeMap<>(inForce.ofInstances());
            tried.remove(destination);
            inForce = new ConfigDigests(inForce.ofServer(), tried, inForce.modified());
        }
    }

    /** The configuration with which a destination is to be started. It counts as tried. */
    private synchronized Configured toStart(ReadConfiguration read, String destination) {
        List<String> problems = texts(read.serverProblems());
        problems.addAll(texts(read.instanceProblems().getOrDefault(destination, List.of())));
        if (!problems.isEmpty()) {
            noteOf(read).ifPresent(problems::add);
            throw new ControlRefusedException(
                    "the configuration of %s is wrong: %s; correct it, and repeat the command: until then it stays as it is"
                            .formatted(destination, String.join("; ", problems)));
        }
        ConfigDigests next = read.configuration().digests();
        List<String> restartKeys = List.copyOf(atStart.changedServerKeys(next));
        target.setRestartKeys(restartKeys);
        Optional<InstanceConfig> now = target.inForce(destination);
        boolean isSame = now.isPresent() && !inForce.hasChanged(destination, next) && !failed.containsKey(destination);
        List<String> blocking = blocking(restartKeys);
        if (!blocking.isEmpty()) {
            return new Configured(
                    now.filter(config -> isSame)
                            .orElseThrow(() -> new ControlRefusedException(
                                    "the configuration of %s has changed, and cannot be taken over: %s"
                                            .formatted(destination, String.join("; ", blocking)))),
                    true);
        }
        log.warn(read, destination);
        target.setServerProblem(noteOf(read).orElse(null));
        if (now.isPresent() && kept(read).contains(destination)) {
            return new Configured(now.get(), false);
        }
        InstanceConfig configured = read.configuration().instances().stream()
                .filter(one -> one.destination().equals(destination))
                .findFirst()
                .orElseThrow(() -> new ControlRefusedException(notConfigured(read.configuration(), destination)));
        InstanceConfig config = now.filter(same -> isSame).orElse(configured); // two that were read are not equal
        if (noteOf(read).isEmpty()) {
            source.takenOver(destination);
            takenAlone.add(destination);
        }
        Map<String, String> tried = new TreeMap<>(inForce.ofInstances());
        tried.put(destination, next.ofInstances().getOrDefault(destination, ""));
        inForce = new ConfigDigests(inForce.ofServer(), tried, inForce.modifiedWith(next, destination));
        late.remove(destination);
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
        find().ifPresent(found -> ReloadLog.logInCanalsWords(carryOut(found.claim(), null, found::begun)));
    }

    private Optional<Found> find() {
        if (!tryReading(Duration.ZERO)) { // others that wait come first
            return Optional.empty();
        }
        String by = "automatic scanning";
        try {
            reader = new Reader(by, time.nanos());
            ReadConfiguration read = readSince(begunReadings.get());
            return isSettled(read) ? claims.claimFree(by).map(claim -> begin(read, claim)) : Optional.empty();
        } finally {
            endReading();
            readings.unlock();
        }
    }

    private Found begin(ReadConfiguration read, Claims.Claim claim) {
        boolean isBegun = false;
        try {
            Begun begun = begin(read, null, claim, true);
            isBegun = true;
            return new Found(claim, begun);
        } finally {
            if (!isBegun) {
                release(claim);
            }
        }
    }

    /** Whether the look before has found the same. */
    @GuardedBy("readings") private boolean isSettled(ReadConfiguration read) {
        Seen now = new Seen(
                read.configuration().digests(),
                read.configuration().server().destinations(),
                texts(read.serverProblems()),
                read.instanceProblems().keySet());
        boolean isSettled = now.equals(seen);
        seen = now;
        return isSettled;
    }

    /**
     * Plans what is to be changed, and notes that it is tried.
     *
     * @param isRepeated whether what cannot be changed now is found by a later look
     */
    private synchronized Begun begin(
            ReadConfiguration read, @Nullable String only, Claims.Claim claim, boolean isRepeated) {
        Optional<String> note = noteOf(read);
        if (!read.serverProblems().isEmpty()) {
            List<String> problems = texts(read.serverProblems());
            note.ifPresent(problems::add);
            return rejectAll(problems, List.of());
        }
        if (only == null) {
            source.takenOver(
                    null); // also if the server is to be restarted, which then finds it without the source, too
        }
        ConfigDigests next = read.configuration().digests();
        List<String> restartKeys = List.copyOf(atStart.changedServerKeys(next));
        target.setRestartKeys(restartKeys);
        List<String> blocking = blocking(restartKeys);
        if (!blocking.isEmpty()) {
            return rejectAll(blocking, restartKeys);
        }
        newestProblems = read.instanceProblems();
        target.setServerProblem(note.orElse(null));
        if (only == null) {
            target.setServer(read.configuration().server());
        } else {
            source.takenOver(only);
        }
        Set<String> kept = kept(read);
        ReloadPlan all = ReloadPlan.of(read, inForce, target.destinations(), only, target::hasFailed);
        claims.refresh(claim);
        Set<String> busy = Set.copyOf(claim.busy().keySet());
        Map<String, String> postponed = postponed(all, claim.busy());
        Set<String> left = new HashSet<>(busy);
        left.addAll(postponed.keySet());
        noteLate(postponed, only, isRepeated);
        notePending(all, kept, postponed, only, isRepeated);
        ReloadPlan plan = planned(all, only, kept, left);
        if (note.isEmpty() && only == null) {
            takenAlone.clear();
        } else if (note.isEmpty()) {
            takenAlone.add(only);
        }
        if (only == null) {
            claims.narrow(claim, plan.destinations());
        }
        List<String> newWarnings = log.warn(read, only);
        log.warnOfMissingFiles(read.configuration().withoutFile(), only);
        logTouched(next, plan, only);
        noteWrong(plan, only, kept, busy);
        inForce = new ConfigDigests(
                next.ofServer(),
                plan.digests(),
                only == null ? modified(next, left) : inForce.modifiedWith(next, only));
        return new Planned(read, plan, kept, postponed, newWarnings, restartKeys);
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

    @GuardedBy("this") private void noteLate(Map<String, String> postponed, @Nullable String only, boolean isRepeated) {
        late.keySet().removeIf(destination -> only == null || only.equals(destination));
        if (!isRepeated) {
            postponed.forEach((destination, why) ->
                    late.put(destination, "its newest configuration is not in force yet: " + why + Claims.REPEAT));
        }
    }

    /** Notes which destinations are to be added, until they are there: what is added waits for removals and changes, also of the same plan. */
    @GuardedBy("this") private void notePending(
            ReloadPlan all,
            Set<String> kept,
            Map<String, String> postponed,
            @Nullable String only,
            boolean isRepeated) {
        pending.keySet().removeIf(destination -> only == null || only.equals(destination));
        List<String> there = target.destinations();
        for (InstanceConfig config : all.taken()) {
            String destination = config.destination();
            if (!there.contains(destination) && !kept.contains(destination)) {
                pending.put(destination, whyPending(destination, postponed.get(destination), isRepeated));
            }
        }
        target.setPending(pending);
    }

    private static String whyPending(String destination, @Nullable String postponed, boolean isRepeated) {
        if (postponed == null) {
            return "it is added as soon as other instances are removed and changed";
        }
        return isRepeated
                ? "it is not added yet: %s; canal.auto.scan adds it when that has ended".formatted(postponed)
                : "it was not added by the last reload, when %s; start it when that has ended: sluice.sh start %s"
                        .formatted(postponed, destination);
    }

    @GuardedBy("this") private ReloadPlan planned(ReloadPlan all, @Nullable String only, Set<String> kept, Set<String> busy) {
        Set<String> left = new HashSet<>(kept);
        left.addAll(busy);
        ReloadPlan plan = all.without(left, inForce);
        // Restarted with what is in force, since the source cannot be asked for what that was.
        return only != null && kept.contains(only) ? plan.with(target.inForce(only)) : plan;
    }

    /** When files were modified; those of some destinations as it was known before. */
    @GuardedBy("this") private Map<String, Instant> modified(ConfigDigests next, Set<String> busy) {
        Map<String, Instant> modified = new HashMap<>(next.modified());
        modified.keySet().removeAll(busy);
        inForce.modified().forEach((destination, time) -> {
            if (busy.contains(destination)) {
                modified.put(destination, time);
            }
        });
        return modified;
    }

    @GuardedBy("this") private void noteWrong(ReloadPlan plan, @Nullable String only, Set<String> kept, Set<String> busy) {
        wrong.keySet()
                .removeIf(destination -> (only == null || only.equals(destination))
                        && !kept.contains(destination)
                        && !busy.contains(destination));
        wrong.putAll(plan.wrong());
    }

    /** Notes what became of a plan. */
    private synchronized ReloadReport end(Planned planned, ReloadOutcome outcome, @Nullable String only) {
        noteFailed(outcome);
        Map<String, String> invalid = invalid(newestProblems);
        target.setInvalid(invalid);
        setProblems(only);
        Map<String, List<String>> refused = new TreeMap<>(failed);
        wrong.forEach((destination, problems) -> {
            if (only == null || only.equals(destination)) {
                refused.put(destination, problems);
            }
        });
        List<String> lines = notInForce(refused, noteOf(planned.read()), planned.restartKeys());
        planned.postponed().keySet().forEach(destination -> lines.add(waits(destination)));
        log.logNotInForce(lines, only);
        if (!planned.plan().removed().isEmpty() && invalid.isEmpty()) { // one that is wrong may be corrected
            isRemovalUntold = true;
        }
        refused.putAll(outcome.notStarted()); // reported once: its configuration is in force, and its state is failed
        refused.putAll(outcome.notStopped());
        planned.postponed().forEach((destination, why) -> refused.put(destination, List.of(why + Claims.REPEAT)));
        List<String> serverProblems = new ArrayList<>();
        noteOf(planned.read()).ifPresent(serverProblems::add);
        planned.postponed()
                .keySet()
                .forEach(destination -> serverProblems.add(
                        waits(destination))); // to be repeated, unlike what is wrong with an instance
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

    private static String waits(String destination) {
        return "the newest configuration of %s is not in force yet: it waits for a change that is under way"
                .formatted(destination);
    }

    private static List<String> blocking(List<String> restartKeys) {
        return restartKeys.stream()
                .filter(KeyCatalog.blockingKeys()::contains)
                .map(key -> key + " has changed: restart the server; until then no changes of instances are taken over")
                .toList();
    }

    /** Reports why nothing of what was read is put into force. */
    @GuardedBy("this") private Rejected rejectAll(List<String> problems, List<String> restartKeys) {
        log.logNotInForce(problems, null);
        target.setServerProblem(String.join("; ", problems));
        return new Rejected(new ReloadReport(
                List.of(), List.of(), List.of(), Map.of(), List.of(), problems, List.of(), restartKeys));
    }

    /** Notes which configurations could not be put into force. */
    @GuardedBy("this") private void noteFailed(ReloadOutcome outcome) {
        failed.keySet().retainAll(target.destinations());
        failed.keySet().removeAll(outcome.added());
        failed.putAll(outcome.refused()); // of those that were changed it was noted at once
    }

    @GuardedBy("this") private void setProblems(@Nullable String only) {
        for (String destination : target.destinations()) {
            List<String> problems = wrong.getOrDefault(destination, failed.getOrDefault(destination, List.of()));
            if (!problems.isEmpty()) {
                target.setProblem(destination, String.join("; ", problems));
            } else if (late.containsKey(destination)) {
                target.setProblem(destination, late.get(destination));
            } else if (only == null || only.equals(destination)) {
                target.setProblem(destination, null);
            }
        }
    }

    private static List<String> notInForce(
            Map<String, List<String>> refused, Optional<String> note, List<String> restartKeys) {
        List<String> lines = new ArrayList<>();
        refused.values().forEach(lines::addAll);
        note.ifPresent(lines::add);
        restartKeys.forEach(key -> lines.add(key + " has changed, and takes effect when the server is restarted"));
        return lines;
    }

    @GuardedBy("this") private void logTouched(ConfigDigests next, ReloadPlan plan, @Nullable String only) {
        Set<String> known = plan.destinations();
        known.addAll(plan.wrong().keySet());
        for (String destination : target.destinations()) {
            if (only == null
                    && !known.contains(destination)
                    && inForce.isTouched(destination, next)
                    && !inForce.hasChanged(destination, next)) {
                log.logTouched(destination);
            }
        }
    }

    /** Those that are wrong, and of which nothing that was right before is there. */
    private Map<String, String> invalid(Map<String, List<Problem>> wrong) {
        Map<String, String> invalid = new TreeMap<>();
        wrong.forEach((destination, problems) -> {
            if (!target.destinations().contains(destination)) {
                invalid.put(destination, String.join("; ", texts(problems)));
            }
        });
        return invalid;
    }

    private static Optional<String> noteOf(ReadConfiguration read) {
        return read.sourceProblem().isEmpty() ? Optional.empty() : Optional.of(read.sourceProblem());
    }

    private static List<String> texts(List<Problem> problems) {
        return new ArrayList<>(problems.stream().map(Problem::toString).toList());
    }
}
