package io.sluice.server.control;

import java.util.List;
import java.util.Map;

/**
 * What a reload of the configuration has changed.
 *
 * @param added instances that were started
 * @param changed instances that run with another configuration now
 * @param removed instances that were stopped
 * @param refused by destination, why its new configuration is not in force, while what was in force before still is; why an instance
 *     that was added cannot be started, or one that was removed did not stop in good order; or that one is being changed by something else
 * @param otherTables of those that were changed, instances whose filter accepts other tables than before; which of them exist is known, and
 *     in their state, when the source has been asked
 * @param serverProblems what is wrong with the server's configuration, so that nothing was changed; or why it could not be read again; or
 *     which instances wait for another change, so that the reload is to be repeated
 * @param warnings what was accepted and does not work as written, as far as it is new since the start or the reload before
 * @param restartKeys keys that have changed since the server was started, and take effect at its next start
 */
public record ReloadReport(
        List<String> added,
        List<String> changed,
        List<String> removed,
        Map<String, List<String>> refused,
        List<String> otherTables,
        List<String> serverProblems,
        List<String> warnings,
        List<String> restartKeys) {
    public ReloadReport {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        refused = Map.copyOf(refused);
        otherTables = List.copyOf(otherTables);
        serverProblems = List.copyOf(serverProblems);
        warnings = List.copyOf(warnings);
        restartKeys = List.copyOf(restartKeys);
    }

    /** Whether all that was read is in force, but for what needs a restart of the server. */
    public boolean isComplete() {
        return refused.isEmpty() && serverProblems.isEmpty();
    }
}
