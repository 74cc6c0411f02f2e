package io.sluice.server.reload;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a reload is to change of the destinations: how the configuration that was read differs from what is in force.
 *
 * @param removed destinations that are not configured any more
 * @param taken the configurations that are to be put into force, in the order of the configuration
 * @param wrong by destination, what is wrong with its configuration, so that it is not put into force
 * @param digests by destination, what counts as tried when the plan is carried out, whether that succeeds or not
 */
record ReloadPlan(
        List<String> removed,
        List<InstanceConfig> taken,
        Map<String, List<String>> wrong,
        Map<String, String> digests) {
    /**
     * Compares what was read with what is in force.
     *
     * @param read nothing is wrong with its server
     * @param inForce what was tried before
     * @param running the destinations that are there
     * @param scope what is taken over
     * @param hasFailed whether a destination is taken over also if only its file was touched
     */
    static ReloadPlan of(
            ReadConfiguration read,
            ConfigDigests inForce,
            List<String> running,
            ReloadScope scope,
            Predicate<String> hasFailed) {
        Map<String, String> digests = new TreeMap<>(inForce.ofInstances());
        List<String> wanted = read.configuration().server().destinations();
        List<String> removed = running.stream()
                .filter(destination -> !wanted.contains(destination))
                .filter(scope::covers)
                .toList();
        digests.keySet().removeAll(removed);
        ConfigDigests next = read.configuration().digests();
        List<InstanceConfig> taken = new ArrayList<>();
        for (InstanceConfig config : read.configuration().instances()) {
            String destination = config.destination();
            boolean hasChanged = !running.contains(destination)
                    || inForce.hasChanged(destination, next)
                    || (inForce.isTouched(destination, next) && hasFailed.test(destination));
            if (scope.isAll() ? hasChanged : scope.covers(destination)) {
                taken.add(config);
                // Tried once: what could not be made is tried again by the policy for failures, or when it is
                // changed again.
                digests.put(destination, next.ofInstances().getOrDefault(destination, ""));
            }
        }
        Map<String, List<String>> wrong = new TreeMap<>();
        read.instanceProblems().forEach((destination, problems) -> {
            if (scope.covers(destination)) {
                wrong.put(destination, Problem.texts(problems));
            }
        });
        return new ReloadPlan(removed, taken, wrong, digests);
    }

    /** Returns a copy without changes of some destinations, of which {@code inForce} still states what was tried. */
    ReloadPlan without(Set<String> destinations, ConfigDigests inForce) {
        Map<String, String> known = new TreeMap<>(digests);
        known.keySet().removeAll(destinations);
        inForce.ofInstances().forEach((destination, digest) -> {
            if (destinations.contains(destination)) {
                known.put(destination, digest);
            }
        });
        Map<String, List<String>> others = new TreeMap<>(wrong);
        others.keySet().removeAll(destinations);
        return new ReloadPlan(
                removed.stream()
                        .filter(destination -> !destinations.contains(destination))
                        .toList(),
                taken.stream()
                        .filter(config -> !destinations.contains(config.destination()))
                        .toList(),
                others,
                known);
    }

    /** Returns a copy with a destination that is made again with the configuration that it has, if there is one. */
    ReloadPlan with(Optional<InstanceConfig> again) {
        List<InstanceConfig> all = new ArrayList<>(taken);
        again.ifPresent(all::add);
        return new ReloadPlan(removed, all, wrong, digests);
    }

    /** The destinations that are removed, changed or added. */
    Set<String> destinations() {
        Set<String> all = new TreeSet<>(removed);
        taken.forEach(config -> all.add(config.destination()));
        return all;
    }
}
