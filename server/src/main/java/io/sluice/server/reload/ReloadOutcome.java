package io.sluice.server.reload;

import io.sluice.schema.filter.FilterRules;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of the configurations that a plan puts into force.
 *
 * @param removed destinations that were stopped and removed
 * @param added destinations that were added, and are started or wait for a client
 * @param changed destinations that run with another configuration now
 * @param otherTables those of {@code changed} whose filter accepts other tables than before
 * @param notStopped by destination that was removed, why it did not stop in good order
 * @param notStarted by destination that was added, why it cannot be started
 * @param refused by destination that was to be changed, why the configuration before stays in force
 */
record ReloadOutcome(
        List<String> removed,
        List<String> added,
        List<String> changed,
        List<String> otherTables,
        Map<String, List<String>> notStopped,
        Map<String, List<String>> notStarted,
        Map<String, List<String>> refused) {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadOutcome.class);

    /** Each is stopped and made again, which takes a part of the processor's time, and up to half a minute if its broker does not answer. */
    private static final int CHANGES_AT_A_TIME = 8;

    private ReloadOutcome() {
        this(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    /**
     * Removes destinations, then changes some, then adds others. Those that are removed, and those that are changed, wait for what is in flight at the same
     * time. What cannot be put into force does not hold back the rest.
     *
     * @param onChanged called with each destination as soon as it runs with another configuration, by several threads
     */
    static ReloadOutcome of(ReloadPlan plan, ReloadTarget target, Consumer<String> onChanged) {
        ReloadOutcome outcome = new ReloadOutcome();
        Map<String, String> notStopped = new ConcurrentHashMap<>();
        ConcurrentChanges.run(
                plan.removed().stream()
                        .<Runnable>map(destination -> () -> remove(destination, target, notStopped))
                        .toList(),
                plan.removed().size());
        plan.removed().forEach(destination -> outcome.noteRemoved(destination, notStopped.get(destination)));
        List<String> there = target.destinations();
        List<InstanceConfig> changes = new ArrayList<>();
        List<InstanceConfig> additions = new ArrayList<>();
        for (InstanceConfig config : plan.taken()) {
            (there.contains(config.destination()) ? changes : additions).add(config);
        }
        Map<String, Change> made = new ConcurrentHashMap<>();
        ConcurrentChanges.run(
                changes.stream()
                        .<Runnable>map(config -> () -> {
                            Change change = Change.make(config, target);
                            made.put(config.destination(), change);
                            if (change.failure() == null) {
                                onChanged.accept(config.destination());
                            }
                        })
                        .toList(),
                CHANGES_AT_A_TIME);
        changes.forEach(
                config -> outcome.note(config.destination(), Objects.requireNonNull(made.get(config.destination()))));
        additions.forEach(
                config -> outcome.add(config, target)); // which may have a table, or a file, that another one has left
        return outcome;
    }

    private static void remove(String destination, ReloadTarget target, Map<String, String> failures) {
        try {
            target.remove(destination);
        } catch (RuntimeException | Error e) { // one must not keep the others from being taken over
            LOG.error("a removed instance did not stop in good order: instance={}", destination, e);
            failures.put(destination, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private void noteRemoved(String destination, @Nullable String failure) {
        if (failure == null) {
            removed.add(destination);
        } else {
            notStopped.put(
                    destination,
                    List.of(
                            "it was removed, and did not stop in good order, so that a part of it may run until the server is restarted: "
                                    + failure));
        }
    }

    private void add(InstanceConfig config, ReloadTarget target) {
        String failure = target.add(config);
        if (failure == null) {
            added.add(config.destination());
        } else {
            notStarted.put(config.destination(), List.of(failure));
        }
    }

    private void note(String destination, Change made) {
        if (made.failure() != null) {
            refused.put(destination, List.of(made.failure()));
            return;
        }
        changed.add(destination);
        if (made.acceptsOthers()) {
            otherTables.add(destination);
        }
    }

    /**
     * What became of one that was to be changed.
     *
     * @param failure why it was not; null if it was
     * @param acceptsOthers whether its filter accepts other tables than before
     */
    private record Change(@Nullable String failure, boolean acceptsOthers) {
        static Change make(InstanceConfig config, ReloadTarget target) {
            Optional<FilterRules> before = target.inForce(config.destination()).map(InstanceConfig::filter);
            try {
                return new Change(
                        target.change(config) instanceof Outcome.Failed failed ? failed.why() : null,
                        before.isPresent() && acceptsOthers(before.get(), config.filter()));
            } catch (RuntimeException | Error e) { // one must not keep the others from being taken over
                LOG.error("an instance cannot be reloaded: instance={}", config.destination(), e);
                return new Change(e.getMessage() == null ? e.toString() : e.getMessage(), false);
            }
        }

        private static boolean acceptsOthers(FilterRules before, FilterRules next) {
            return !before.include().equals(next.include()) || !before.exclude().equals(next.exclude());
        }
    }
}
