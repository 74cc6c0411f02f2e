package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.schema.filter.FilterRules;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.ConfigSource;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.key.KeyCatalog;
import io.sluice.server.config.text.Problem;
import io.sluice.server.control.ReloadReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over changes of the configuration while the server runs: instances that were added, changed and removed. What is wrong is
 * reported, and what was there before continues. Thread-safe: one reload waits for the other.
 */
public final class Reloads {
    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

    private final ConfigSource source;
    private final ReloadTarget target;
    private final ConfigDigests atStart;
    private ConfigDigests inForce;
    private List<String> logged = List.of();
    private @Nullable Seen seen;

    /** The instances that are named and have no file, as far as that was logged. */
    private final Set<String> withoutFile;

    /** Why configurations that were right could not be put into force, by destination, until they are changed again. */
    private final Map<String, List<String>> failed = new TreeMap<>();

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
        this.withoutFile = new TreeSet<>(current.withoutFile().keySet());
        Map<String, String> invalid = new TreeMap<>();
        source.problemsAtStart().forEach((destination, problems) -> {
            String text = String.join("; ", texts(problems));
            if (target.destinations().contains(destination)) {
                target.setProblem(destination, text);
            } else {
                invalid.put(destination, text);
            }
        });
        target.setInvalid(invalid);
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
        return take(source.read(), only);
    }

    /**
     * Reads the configuration, and takes over what has changed if the look before has found the same: a file may be in the middle of being
     * written, or a directory away for a moment.
     */
    public synchronized void look() {
        ReadConfiguration read = source.read();
        Seen now = new Seen(
                read.configuration().digests(),
                read.configuration().server().destinations(),
                texts(read.serverProblems()),
                read.instanceProblems().keySet());
        boolean isSettled = now.equals(seen);
        seen = now;
        if (isSettled) {
            take(read, null);
        }
    }

    @GuardedBy("this") private ReloadReport take(ReadConfiguration read, @Nullable String only) {
        if (!read.serverProblems().isEmpty()) {
            List<String> problems = texts(read.serverProblems());
            noteOf(read).ifPresent(problems::add);
            logOnce(problems);
            target.setServerProblem(String.join("; ", problems));
            return new ReloadReport(List.of(), List.of(), List.of(), Map.of(), List.of(), problems, List.of());
        }
        ConfigDigests next = read.configuration().digests();
        List<String> blocking = atStart.changedServerKeys(next).stream()
                .filter(KeyCatalog.blockingKeys()::contains)
                .map(key -> key + " has changed: restart the server; until then no changes of instances are taken over")
                .toList();
        if (!blocking.isEmpty()) {
            logOnce(blocking);
            target.setServerProblem(String.join("; ", blocking));
            return new ReloadReport(
                    List.of(),
                    List.of(),
                    List.of(),
                    Map.of(),
                    List.of(),
                    blocking,
                    List.copyOf(atStart.changedServerKeys(next)));
        }
        Optional<String> note = noteOf(read);
        target.setServerProblem(note.orElse(null));
        target.setServer(read.configuration().server());
        Map<String, String> digests = new TreeMap<>(inForce.ofInstances());
        Map<String, List<String>> refused = new TreeMap<>();
        Map<String, List<String>> notStarted = new TreeMap<>();
        List<String> added = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        List<String> otherTables = new ArrayList<>();
        Set<String> wanted = new TreeSet<>(read.configuration().server().destinations());
        read.instanceProblems().forEach((destination, problems) -> {
            if (only == null || only.equals(destination)) {
                refused.put(destination, texts(problems));
            }
        });
        for (String destination : target.destinations()) {
            if (!wanted.contains(destination) && (only == null || only.equals(destination))) {
                target.remove(destination);
                digests.remove(destination);
                removed.add(destination);
            }
        }
        warnOfMissingFiles(read.configuration().withoutFile(), only);
        for (InstanceConfig config : read.configuration().instances()) {
            String destination = config.destination();
            boolean isNew = !target.destinations().contains(destination);
            boolean isMeant = only == null ? isNew || inForce.hasChanged(destination, next) : only.equals(destination);
            if (!isMeant) {
                continue;
            }
            boolean changesTables = target.inForce(destination)
                    .filter(before -> acceptsOthers(before.filter(), config.filter()))
                    .isPresent();
            String failure = isNew ? target.add(config) : changeOf(config);
            if (failure == null) {
                (isNew ? added : changed).add(destination);
                if (changesTables) {
                    otherTables.add(destination);
                }
            } else {
                (isNew ? notStarted : refused).put(destination, List.of(failure));
            }
            // Tried once: what could not be made is tried again by the policy for failures, or when it is changed
            // again.
            digests.put(destination, next.ofInstances().getOrDefault(destination, ""));
        }
        failed.keySet().retainAll(target.destinations());
        (only == null ? target.destinations() : List.of(only)).forEach(destination -> {
            if (added.contains(destination) || changed.contains(destination)) {
                failed.remove(destination);
            }
        });
        refused.forEach((destination, problems) -> {
            if (!read.instanceProblems().containsKey(destination)) {
                failed.put(destination, problems);
            }
        });
        failed.forEach(refused::putIfAbsent);
        inForce = new ConfigDigests(next.ofServer(), digests);
        target.setInvalid(invalid(read));
        for (String destination : target.destinations()) {
            List<String> problems = refused.getOrDefault(destination, List.of());
            if (!problems.isEmpty()) {
                target.setProblem(destination, String.join("; ", problems));
            } else if (only == null || only.equals(destination)) {
                target.setProblem(destination, null);
            }
        }
        List<String> lines = new ArrayList<>();
        refused.values().forEach(lines::addAll);
        note.ifPresent(lines::add);
        List<String> restart = List.copyOf(atStart.changedServerKeys(next));
        restart.forEach(key -> lines.add(key + " has changed, and takes effect when the server is restarted"));
        logOnce(lines);
        refused.putAll(notStarted); // reported once: its configuration is in force, and its state is that it has failed
        return new ReloadReport(
                added,
                changed,
                removed,
                refused,
                otherTables,
                note.map(List::of).orElse(List.of()),
                restart);
    }

    private void warnOfMissingFiles(Map<String, Path> missing, @Nullable String only) {
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

    /** Those that are wrong, and of which nothing that was right before is there. */
    private Map<String, String> invalid(ReadConfiguration read) {
        Map<String, String> invalid = new TreeMap<>();
        read.instanceProblems().forEach((destination, problems) -> {
            if (!target.destinations().contains(destination)) {
                invalid.put(destination, String.join("; ", texts(problems)));
            }
        });
        return invalid;
    }

    private static Optional<String> noteOf(ReadConfiguration read) {
        return read.sourceProblem().isEmpty() ? Optional.empty() : Optional.of(read.sourceProblem());
    }

    private static boolean acceptsOthers(FilterRules before, FilterRules next) {
        return !before.include().equals(next.include()) || !before.exclude().equals(next.exclude());
    }

    private @Nullable String changeOf(InstanceConfig config) {
        try {
            return target.change(config);
        } catch (RuntimeException e) { // one must not keep the others from being taken over
            LOG.error("an instance cannot be reloaded: instance={}", config.destination(), e);
            return String.valueOf(e.getMessage());
        }
    }

    private static List<String> texts(List<Problem> problems) {
        return new ArrayList<>(problems.stream().map(Problem::toString).toList());
    }

    /** Logs what an operator must know, once and not at each look. */
    private void logOnce(List<String> lines) {
        if (!lines.equals(logged)) {
            lines.forEach(line -> LOG.warn("a changed configuration is not in force: {}", line));
            if (lines.isEmpty()) {
                LOG.info("all of the configuration is in force");
            }
            logged = List.copyOf(lines);
        }
    }
}
