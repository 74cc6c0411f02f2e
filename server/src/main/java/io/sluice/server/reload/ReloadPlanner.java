package io.sluice.server.reload;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import io.sluice.server.control.ReloadReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds out what is to be changed after a reading, takes over what concerns the server as a whole, and notes what is not taken over.
 *
 * <p>Not thread-safe: guarded by the monitor of {@link Reloads}, as what it notes.
 */
final class ReloadPlanner {
    private final ConfigSource source;
    private final ReloadTarget target;
    private final ConfigDigests atStart;
    private final Claims claims;
    private final TakenOver takenOver;
    private final NotInForce notInForce;
    private final ReloadLog log;

    /** What is to be done after a reading. */
    sealed interface Begun {}

    /** Nothing: what was read is not right, or the server is to be restarted first. */
    record Rejected(ReloadReport report) implements Begun {}

    /**
     * Changes.
     *
     * @param kept the destinations of which the source does not know the newest configuration
     * @param postponed those that are to be changed and cannot be now, and why
     */
    record Planned(
            ReadConfiguration read,
            ReloadPlan plan,
            Set<String> kept,
            Map<String, String> postponed,
            List<String> warnings,
            RestartKeys restartKeys)
            implements Begun {}

    /**
     * Plans nothing yet.
     *
     * @param atStart what was in force at the start of the server
     */
    ReloadPlanner(
            ConfigSource source,
            ReloadTarget target,
            ConfigDigests atStart,
            Claims claims,
            TakenOver takenOver,
            NotInForce notInForce,
            ReloadLog log) {
        this.source = source;
        this.target = target;
        this.atStart = atStart;
        this.claims = claims;
        this.takenOver = takenOver;
        this.notInForce = notInForce;
        this.log = log;
    }

    /**
     * Plans what is to be changed, and notes that it is tried.
     *
     * @param claim narrowed to what is to be changed, if it is of all
     */
    Begun plan(ReadConfiguration read, ReloadScope scope, Claims.Claim claim, ReloadCause cause) {
        Optional<String> note = read.noteOfSource();
        if (!read.serverProblems().isEmpty()) {
            List<String> problems = new ArrayList<>(Problem.texts(read.serverProblems()));
            note.ifPresent(problems::add);
            return rejectAll(problems, new RestartKeys(List.of()));
        }
        if (scope.isAll()) { // also if the server is to be restarted, which then finds it without the source, too
            source.takenOver(null);
        }
        ConfigDigests next = read.configuration().digests();
        RestartKeys restartKeys = RestartKeys.of(atStart, next);
        target.setRestartKeys(restartKeys.keys());
        List<String> blocking = restartKeys.blocking();
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
        Set<String> kept = takenOver.kept(read);
        ReloadPlan all = ReloadPlan.of(read, takenOver.digests(), target.destinations(), scope, target::hasFailed);
        claims.refresh(claim);
        Set<String> busy = Set.copyOf(claim.busy().keySet());
        Map<String, String> postponed = postponed(all, claim.busy());
        Set<String> leftAlone = new HashSet<>(busy);
        leftAlone.addAll(postponed.keySet());
        notInForce.notePostponed(postponed, scope, cause);
        notInForce.notePending(all.taken(), kept, postponed, scope, cause);
        ReloadPlan plan = narrowed(all, scope, kept, leftAlone);
        if (note.isEmpty()) {
            takenOver.noteAsked(scope);
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
        takenOver.notePlan(next, plan, scope, leftAlone);
        return new Planned(read, plan, kept, postponed, newWarnings, restartKeys);
    }

    /**
     * The destinations that cannot be changed now, and why. What is added may take over from one that is being changed, and what is changed or added from one that is
     * removed, so additions wait for all changes that are under way, and so does the whole plan if something is removed.
     */
    private Map<String, String> postponed(ReloadPlan all, Map<String, String> busy) {
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

    /** The plan without what is kept and left alone. */
    private ReloadPlan narrowed(ReloadPlan all, ReloadScope scope, Set<String> kept, Set<String> leftAlone) {
        Set<String> unchanged = new HashSet<>(kept);
        unchanged.addAll(leftAlone);
        ReloadPlan plan = all.without(unchanged, takenOver.digests());
        String only = scope.only();
        // Restarted with what is in force, since the source cannot be asked for what that was.
        return only != null && kept.contains(only) ? plan.with(target.inForce(only)) : plan;
    }

    /** Reports why nothing of what was read is put into force. */
    private Rejected rejectAll(List<String> problems, RestartKeys restartKeys) {
        log.logNotInForce(problems, ReloadScope.ALL);
        target.setServerProblem(String.join("; ", problems));
        return new Rejected(new ReloadReport(
                List.of(), List.of(), List.of(), Map.of(), List.of(), problems, List.of(), restartKeys.keys()));
    }

    private void logTouched(ConfigDigests next, ReloadPlan plan) {
        Set<String> known = plan.destinations();
        known.addAll(plan.wrong().keySet());
        for (String destination : target.destinations()) {
            if (!known.contains(destination) && takenOver.isOnlyTouched(destination, next)) {
                log.logTouched(destination);
            }
        }
    }
}
