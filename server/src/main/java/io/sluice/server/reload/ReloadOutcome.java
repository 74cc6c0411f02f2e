package io.sluice.server.reload;

import io.sluice.schema.filter.FilterRules;
import io.sluice.server.config.InstanceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of the configurations that a plan puts into force.
 *
 * @param added destinations that were added, and are started or wait for a client
 * @param changed destinations that run with another configuration now
 * @param otherTables those of {@code changed} whose filter accepts other tables than before
 * @param notStarted by destination that was added, why it cannot be started
 * @param refused by destination that was to be changed, why the configuration before stays in force
 */
record ReloadOutcome(
        List<String> added,
        List<String> changed,
        List<String> otherTables,
        Map<String, List<String>> notStarted,
        Map<String, List<String>> refused) {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadOutcome.class);

    private ReloadOutcome() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new TreeMap<>(), new TreeMap<>());
    }

    /** Adds and changes destinations. What cannot be put into force does not hold back the rest. */
    static ReloadOutcome of(List<InstanceConfig> taken, ReloadTarget target) {
        ReloadOutcome outcome = new ReloadOutcome();
        for (InstanceConfig config : taken) {
            if (target.destinations().contains(config.destination())) {
                outcome.change(config, target);
            } else {
                outcome.add(config, target);
            }
        }
        return outcome;
    }

    private void add(InstanceConfig config, ReloadTarget target) {
        String failure = target.add(config);
        if (failure == null) {
            added.add(config.destination());
        } else {
            notStarted.put(config.destination(), List.of(failure));
        }
    }

    private void change(InstanceConfig config, ReloadTarget target) {
        String destination = config.destination();
        Optional<FilterRules> before = target.inForce(destination).map(InstanceConfig::filter);
        String failure = failureOfChange(config, target);
        if (failure != null) {
            refused.put(destination, List.of(failure));
            return;
        }
        changed.add(destination);
        if (before.isPresent() && acceptsOthers(before.get(), config.filter())) {
            otherTables.add(destination);
        }
    }

    private static @Nullable String failureOfChange(InstanceConfig config, ReloadTarget target) {
        try {
            return target.change(config);
        } catch (RuntimeException e) { // one must not keep the others from being taken over
            LOG.error("an instance cannot be reloaded: instance={}", config.destination(), e);
            return String.valueOf(e.getMessage());
        }
    }

    private static boolean acceptsOthers(FilterRules before, FilterRules next) {
        return !before.include().equals(next.include()) || !before.exclude().equals(next.exclude());
    }
}
