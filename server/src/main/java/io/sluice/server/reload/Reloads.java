package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over changes of the configuration while the server runs: instances that were added, changed and removed. What is wrong is
 * reported, and what was there before continues. Thread-safe: one reload waits for the other, and for starts of what it may change.
 *
 * <p>Owns what was read and tried before; {@link ReloadPlan} says what is to change, {@link ReloadOutcome} what became of it.
 */
public final class Reloads {
    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);
    private static final String NOT_IN_FORCE = "a changed configuration is not in force: {}";

    private final ConfigSource source;
    private final ReloadTarget target;
    private final ConfigDigests atStart;

    @GuardedBy("this") private ConfigDigests inForce;

    @GuardedBy("this") private List<String> logged = List.of();

    @GuardedBy("this") private @Nullable Seen seen;

    /** The instances that are named and have no file, as far as that was logged. */
    @GuardedBy("this") private final Set<String> withoutFile;

    /** What the configuration that was read last has of warnings. */
    @GuardedBy("this") private Set<String> warnings;

    /** Why configurations that were right could not be put into force, by destination, until they are changed again. */
    @GuardedBy("this") private final Map<String, List<String>> failed = new TreeMap<>();

    /** The destinations that are being started or restarted with what was read for that: their configuration is not to change meanwhile. */
    @GuardedBy("this") private final Set<String> starting = new TreeSet<>();

    /** The destinations that were taken over alone, with a server's text that was not: what the source knows of them may be older. */
    @GuardedBy("this") private final Set<String> takenAlone = new TreeSet<>();

    /** What the look before has found. */
    private record Seen(
            ConfigDigests digests,
            List<String> destinations,
            List<String> serverProblems,
            Set<String> wrongInstances) {}

    /**
     * Creates one for a server.
     *
     * @param source is read again by each reload
     * @param current what is in force
     */
    public Reloads(ConfigSource source, Configuration current, ReloadTarget target) {
        this.source = source;
        this.target = target;
        this.atStart = current.digests();
        this.inForce = current.digests();
        this.warnings = Set.copyOf(current.warnings());
        this.withoutFile = new TreeSet<>(current.withoutFile().keySet());
        source.problemsAtStart().forEach((destination, problems) -> {
            if (target.destinations().contains(destination)) {
                target.setProblem(destination, String.join("; ", texts(problems)));
            }
        });
        target.setInvalid(invalid(source.problemsAtStart()));
    }

    /** What is read by each reload. */
    public ConfigSource source() {
        return source;
    }

    /**
     * Reads the configuration, and takes over what has changed.
     *
     * @param only the destination that is taken over, and restarted also if nothing has changed; null for all that have changed
     */
    public synchronized ReloadReport reload(@Nullable String only) {
        awaitStarted(only);
        return take(source.read(), only);
    }

    /**
     * Reads the configuration, and has a destination that is to be started or restarted run with what is configured for it now. Others stay as they
     * are, and may be started at the same time.
     *
     * @param run has the destination run with a configuration
     * @return what that returns
     * @throws ControlRefusedException if what was read is not right, with all that is wrong with it; nothing is run then
     */
    public <T extends @Nullable Object> T start(String destination, Function<InstanceConfig, T> run) {
        return start(destination, run, result -> null);
    }

    /**
     * The same.
     *
     * @param failed tells from what was returned why the destination could not be run with the configuration; null if it could
     */
    public <T extends @Nullable Object> T start(
            String destination, Function<InstanceConfig, T> run, Function<T, @Nullable String> failed) {
        InstanceConfig config = beginStart(destination);
        @Nullable String failure = null;
        try {
            T result = run.apply(config);
            failure = failed.apply(result);
            return result;
        } catch (RuntimeException e) {
            failure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            endStart(destination, config, failure);
        }
    }

    private synchronized InstanceConfig beginStart(String destination) {
        awaitStarted(destination);
        InstanceConfig config = toStart(source.read(), destination);
        starting.add(destination);
        return config;
    }

    private synchronized void endStart(String destination, InstanceConfig config, @Nullable String failure) {
        starting.remove(destination);
        notifyAll();
        if (target.inForce(destination).filter(config::equals).isPresent()) {
            target.started();
            failed.remove(destination);
            target.setProblem(destination, null);
        } else if (failure != null) {
            failed.put(destination, List.of(failure));
            target.setProblem(destination, failure);
        } else { // it was not run after all, so that this configuration is to be taken over later
            Map<String, String> tried = new TreeMap<>(inForce.ofInstances());
            tried.remove(destination);
            inForce = new ConfigDigests(inForce.ofServer(), tried, inForce.modified());
        }
    }

    /** Waits until a destination, or each of them, has been started. Another thread may change anything meanwhile. */
    @GuardedBy("this") private void awaitStarted(@Nullable String only) {
        boolean isInterrupted = false;
        while (only == null ? !starting.isEmpty() : starting.contains(only)) {
            try {
                wait();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The configuration with which a destination is to be started. It counts as tried. */
    @GuardedBy("this") private InstanceConfig toStart(ReadConfiguration read, String destination) {
        List<String> wrong = texts(read.serverProblems());
        wrong.addAll(texts(read.instanceProblems().getOrDefault(destination, List.of())));
        if (!wrong.isEmpty()) {
            noteOf(read).ifPresent(wrong::add);
            throw new ControlRefusedException(
                    "the configuration of %s is wrong: %s; correct it, and repeat the command: until then it stays as it is"
                            .formatted(destination, String.join("; ", wrong)));
        }
        ConfigDigests next = read.configuration().digests();
        List<String> restartKeys = List.copyOf(atStart.changedServerKeys(next));
        target.setRestartKeys(restartKeys);
        Optional<InstanceConfig> now = target.inForce(destination);
        boolean isSame = now.isPresent() && !inForce.hasChanged(destination, next) && !failed.containsKey(destination);
        List<String> blocking = blocking(restartKeys);
        if (!blocking.isEmpty()) {
            return now.filter(config -> isSame)
                    .orElseThrow(() -> new ControlRefusedException(
                            "the configuration of %s has changed, and cannot be taken over: %s"
                                    .formatted(destination, String.join("; ", blocking))));
        }
        logWarnings(
                takeNew(read.configuration().warnings()), read.configuration().withoutFile());
        target.setServerProblem(noteOf(read).orElse(null));
        if (noteOf(read).isPresent() && takenAlone.contains(destination) && now.isPresent()) {
            return now.get();
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
        return config;
    }

    private static String notConfigured(Configuration read, String destination) {
        Path missing = read.withoutFile().get(destination);
        return missing == null
                ? "%s is not configured any more: add it again, or have sluice.sh reload remove it"
                        .formatted(destination)
                : "the file of %s is gone: write %s again, which may be empty".formatted(destination, missing);
    }

    /**
     * Reads the configuration, and takes over what has changed if the look before has found the same: a file may be in the middle of being
     * written, a directory away for a moment, or an admin server in the middle of a change.
     */
    public synchronized void look() {
        if (!starting.isEmpty()) {
            return; // this thread must not wait, and looks again later
        }
        ReadConfiguration read = source.read();
        Seen now = new Seen(
                read.configuration().digests(),
                read.configuration().server().destinations(),
                texts(read.serverProblems()),
                read.instanceProblems().keySet());
        boolean isSettled = now.equals(seen);
        seen = now;
        if (isSettled) {
            logInCanalsWords(take(read, null));
        }
    }

    /** Scripts look for these lines. */
    private static void logInCanalsWords(ReloadReport report) {
        report.removed().forEach(destination -> LOG.info("auto notify stop {} successful", destination));
        report.changed().forEach(destination -> LOG.info("auto notify reload {} successful", destination));
        report.added().forEach(destination -> LOG.info("auto notify start {} successful", destination));
    }

    @GuardedBy("this") private ReloadReport take(ReadConfiguration read, @Nullable String only) {
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
        target.setServerProblem(note.orElse(null));
        if (only == null) {
            target.setServer(read.configuration().server());
        } else {
            source.takenOver(only);
        }
        ReloadPlan plan = ReloadPlan.of(read, inForce, target.destinations(), only, target::hasFailed);
        if (note.isPresent()) {
            plan = plan.without(takenAlone, inForce).with(restartedOf(only));
        } else if (only == null) {
            takenAlone.clear();
        } else {
            takenAlone.add(only);
        }
        List<String> newWarnings = takeNew(read.configuration().warnings());
        logWarnings(newWarnings, read.configuration().withoutFile());
        warnOfMissingFiles(read.configuration().withoutFile(), only);
        ReloadOutcome outcome = ReloadOutcome.of(plan, target);
        logTouched(next, plan, only);
        inForce = new ConfigDigests(
                next.ofServer(), plan.digests(), only == null ? next.modified() : inForce.modifiedWith(next, only));
        Map<String, List<String>> refused = refused(plan, outcome);
        Map<String, String> invalid = invalid(read.instanceProblems());
        target.setInvalid(invalid);
        setProblems(refused, only);
        List<String> notInForce = notInForce(refused, note, restartKeys);
        if (only == null) {
            logOnce(notInForce);
        } else {
            logBesides(notInForce);
        }
        if (!plan.removed().isEmpty() && invalid.isEmpty()) { // one that is wrong may be corrected
            target.instancesRemoved();
        }
        refused.putAll(outcome.notStarted()); // reported once: its configuration is in force, and its state is failed
        return new ReloadReport(
                outcome.added(),
                outcome.changed(),
                plan.removed(),
                refused,
                outcome.otherTables(),
                note.map(List::of).orElse(List.of()),
                newWarnings,
                restartKeys);
    }

    private static List<String> blocking(List<String> restartKeys) {
        return restartKeys.stream()
                .filter(KeyCatalog.blockingKeys()::contains)
                .map(key -> key + " has changed: restart the server; until then no changes of instances are taken over")
                .toList();
    }

    @GuardedBy("this") private List<String> takeNew(List<String> read) {
        Set<String> before = warnings;
        warnings = Set.copyOf(read);
        return read.stream()
                .distinct()
                .filter(warning -> !before.contains(warning))
                .toList();
    }

    /** Without those about files that are not there, of which {@link #warnOfMissingFiles} tells. */
    private static void logWarnings(List<String> warnings, Map<String, Path> missing) {
        for (String warning : warnings) {
            if (missing.values().stream().noneMatch(file -> warning.startsWith(file + ": "))) {
                LOG.warn("the configuration does not work as written: {}", warning);
            }
        }
    }

    /** An instance that is restarted with what is in force, since the source cannot be asked for what that was. */
    @GuardedBy("this") private Optional<InstanceConfig> restartedOf(@Nullable String only) {
        return only != null && takenAlone.contains(only) ? target.inForce(only) : Optional.empty();
    }

    /** Reports why nothing of what was read is put into force. */
    @GuardedBy("this") private ReloadReport rejectAll(List<String> problems, List<String> restartKeys) {
        logOnce(problems);
        target.setServerProblem(String.join("; ", problems));
        return new ReloadReport(List.of(), List.of(), List.of(), Map.of(), List.of(), problems, List.of(), restartKeys);
    }

    /** Why the newest configuration of destinations is not in force: what is wrong with it, or what has failed now or at an earlier reload. */
    @GuardedBy("this") private Map<String, List<String>> refused(ReloadPlan plan, ReloadOutcome outcome) {
        failed.keySet().retainAll(target.destinations());
        failed.keySet().removeAll(outcome.added());
        failed.keySet().removeAll(outcome.changed());
        failed.putAll(outcome.refused());
        Map<String, List<String>> refused = new TreeMap<>(failed);
        refused.putAll(plan.wrong());
        return refused;
    }

    private void setProblems(Map<String, List<String>> refused, @Nullable String only) {
        for (String destination : target.destinations()) {
            List<String> problems = refused.getOrDefault(destination, List.of());
            if (!problems.isEmpty()) {
                target.setProblem(destination, String.join("; ", problems));
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

    @GuardedBy("this") private void warnOfMissingFiles(Map<String, Path> missing, @Nullable String only) {
        missing.forEach((destination, file) -> {
            if ((only == null || only.equals(destination)) && withoutFile.add(destination)) {
                LOG.warn(
                        "an instance that canal.destinations names has no file, and does not run until it has one, which may be empty: instance={} file={}",
                        destination,
                        file);
            }
        });
        withoutFile.retainAll(missing.keySet());
    }

    /** A file that is touched to restart an instance, as canal does then, has no effect on one that runs. */
    @GuardedBy("this") private void logTouched(ConfigDigests next, ReloadPlan plan, @Nullable String only) {
        Set<String> known =
                plan.taken().stream().map(InstanceConfig::destination).collect(Collectors.toSet());
        known.addAll(plan.wrong().keySet());
        for (String destination : target.destinations()) {
            if (only == null
                    && !known.contains(destination)
                    && inForce.isTouched(destination, next)
                    && !inForce.hasChanged(destination, next)) {
                LOG.info(
                        "the file of an instance was written again with the same values, so it runs on: instance={}",
                        destination);
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

    /** As {@link #logOnce} for a reload of one destination, which does not know what is wrong with the others. */
    @GuardedBy("this") private void logBesides(List<String> lines) {
        for (String line : lines) {
            if (!logged.contains(line)) {
                LOG.warn(NOT_IN_FORCE, line);
            }
        }
    }

    /** Logs what an operator must know, once and not at each look. */
    @GuardedBy("this") private void logOnce(List<String> lines) {
        if (!lines.equals(logged)) {
            lines.forEach(line -> LOG.warn(NOT_IN_FORCE, line));
            if (lines.isEmpty()) {
                LOG.info("all of the configuration is in force");
            }
            logged = List.copyOf(lines);
        }
    }
}
