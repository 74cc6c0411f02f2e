package io.sluice.server.reload;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records why destinations do not have their newest configuration, and tells the target. For one thread at a time. */
final class NotInForce {
    private final ReloadTarget target;

    /** What is wrong with the newest configurations of destinations, as far as these were to be taken over. */
    private final Map<String, List<String>> wrong = new TreeMap<>();

    /** Why configurations that were right could not be put into force, by destination, until they are changed again. */
    private final Map<String, List<String>> failed = new TreeMap<>();

    /** Why destinations do not have their newest configuration although it is right, if nothing puts that into force by itself. */
    private final Map<String, String> late = new TreeMap<>();

    /** Why destinations that are configured and right are not there yet. */
    private final Map<String, String> pending = new TreeMap<>();

    /** What the newest reading has found to be wrong with instances. */
    private Map<String, List<Problem>> newestProblems;

    /**
     * Notes what was wrong at the start of the server.
     *
     * @param atStart by destination
     */
    NotInForce(ReloadTarget target, Map<String, List<Problem>> atStart) {
        this.target = target;
        this.newestProblems = atStart;
        List<String> there = target.destinations();
        atStart.forEach((destination, problems) -> {
            if (there.contains(destination)) {
                List<String> texts = Problem.texts(problems);
                wrong.put(destination, texts);
                target.setProblem(destination, String.join("; ", texts));
            }
        });
        target.setInvalid(invalid());
    }

    /** Notes what a reading has found to be wrong with instances. */
    void noteNewestProblems(Map<String, List<Problem>> problems) {
        newestProblems = problems;
    }

    /** Whether a configuration that was right could not be put into force. */
    boolean hasFailed(String destination) {
        return failed.containsKey(destination);
    }

    /** Notes that a destination runs with its newest configuration. */
    void noteChanged(String destination) {
        failed.remove(destination);
        target.setProblem(destination, late.get(destination));
    }

    /** Notes that a destination was started by a command with its newest configuration. */
    void noteStarted(String destination) {
        wrong.remove(destination);
        noteChanged(destination);
    }

    /** Notes why a destination could not be started with its newest configuration. */
    void noteFailedStart(String destination, String failure) {
        failed.put(destination, List.of(failure));
        target.setProblem(destination, failure);
    }

    /** Notes that a command is about to start a destination with its newest configuration. */
    void noteNoLongerLate(String destination) {
        late.remove(destination);
    }

    /**
     * Notes which destinations cannot be changed now.
     *
     * @param cause whether a later look finds them by itself
     */
    void notePostponed(Map<String, String> postponed, ReloadScope scope, ReloadCause cause) {
        late.keySet().removeIf(scope::covers);
        if (cause == ReloadCause.COMMAND) {
            postponed.forEach((destination, why) ->
                    late.put(destination, "its newest configuration is not in force yet: " + why + Claims.REPEAT));
        }
    }

    /**
     * Notes which destinations are to be added, until they are there: what is added waits for removals and changes, also of the same plan.
     *
     * @param configured what is to be put into force, which may be there
     * @param kept the destinations of which the source does not know the newest configuration
     */
    void notePending(
            List<InstanceConfig> configured,
            Set<String> kept,
            Map<String, String> postponed,
            ReloadScope scope,
            ReloadCause cause) {
        pending.keySet().removeIf(scope::covers);
        List<String> there = target.destinations();
        for (InstanceConfig config : configured) {
            String destination = config.destination();
            if (!there.contains(destination) && !kept.contains(destination)) {
                pending.put(destination, whyPending(destination, postponed.get(destination), cause));
            }
        }
        target.setPending(pending);
    }

    private static String whyPending(String destination, @Nullable String postponed, ReloadCause cause) {
        if (postponed == null) {
            return "it is added as soon as other instances are removed and changed";
        }
        return cause == ReloadCause.SCAN
                ? "it is not added yet: %s; canal.auto.scan adds it when that has ended".formatted(postponed)
                : "it was not added by the last reload, when %s; start it when that has ended: sluice.sh start %s"
                        .formatted(postponed, destination);
    }

    /**
     * Notes what is wrong with what was to be taken over.
     *
     * @param kept the destinations of which the source does not know the newest configuration
     * @param busy those that are being changed
     */
    void noteWrong(Map<String, List<String>> found, ReloadScope scope, Set<String> kept, Set<String> busy) {
        wrong.keySet()
                .removeIf(destination ->
                        scope.covers(destination) && !kept.contains(destination) && !busy.contains(destination));
        wrong.putAll(found);
    }

    /** Notes which configurations could not be put into force, and tells the target the problems of all. */
    void noteOutcome(ReloadOutcome outcome, ReloadScope scope) {
        failed.keySet().retainAll(target.destinations());
        failed.keySet().removeAll(outcome.added());
        failed.putAll(outcome.refused()); // of those that were changed it was noted at once
        target.setInvalid(invalid());
        for (String destination : target.destinations()) {
            List<String> problems = wrong.getOrDefault(destination, failed.getOrDefault(destination, List.of()));
            if (!problems.isEmpty()) {
                target.setProblem(destination, String.join("; ", problems));
            } else if (late.containsKey(destination)) {
                target.setProblem(destination, late.get(destination));
            } else if (scope.covers(destination)) {
                target.setProblem(destination, null);
            }
        }
    }

    /** Why configurations that a reload was to take over are not in force, by destination; those that have failed are among them whatever its scope. */
    Map<String, List<String>> refused(ReloadScope scope) {
        Map<String, List<String>> refused = new TreeMap<>(failed);
        wrong.forEach((destination, problems) -> {
            if (scope.covers(destination)) {
                refused.put(destination, problems);
            }
        });
        return refused;
    }

    /** What is wrong with instances, by destination, of which nothing that was right before is there. */
    Map<String, String> invalid() {
        List<String> there = target.destinations();
        Map<String, String> invalid = new TreeMap<>();
        newestProblems.forEach((destination, problems) -> {
            if (!there.contains(destination)) {
                invalid.put(destination, String.join("; ", Problem.texts(problems)));
            }
        });
        return invalid;
    }
}
