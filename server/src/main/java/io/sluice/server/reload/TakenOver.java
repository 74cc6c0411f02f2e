package io.sluice.server.reload;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.reload.ReadConfiguration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What of the configuration was taken over, or tried to be: what the next reading is compared with.
 *
 * <p>Not thread-safe: guarded by the monitor of {@link Reloads}.
 */
final class TakenOver {
    private ConfigDigests digests;

    /** The destinations that were taken over alone, with a server's text that was not: what the source knows of them may be older. */
    private final Set<String> alone = new TreeSet<>();

    /** @param current what is in force */
    TakenOver(ConfigDigests current) {
        this.digests = current;
    }

    /** What was tried, be it in force or not. */
    ConfigDigests digests() {
        return digests;
    }

    /** Whether anything that counts for a destination differs in what was read. */
    boolean hasChanged(String destination, ConfigDigests next) {
        return digests.hasChanged(destination, next);
    }

    /** Whether the file of a destination was written again with the same values. */
    boolean isOnlyTouched(String destination, ConfigDigests next) {
        return digests.isTouched(destination, next) && !digests.hasChanged(destination, next);
    }

    /** The destinations of which the source, which could not be asked, may know an older configuration only. */
    Set<String> kept(ReadConfiguration read) {
        return read.noteOfSource().isPresent() ? Set.copyOf(alone) : Set.of();
    }

    /** Notes that a scope was taken over from a source that could be asked. */
    void noteAsked(ReloadScope scope) {
        String only = scope.only();
        if (only == null) {
            alone.clear();
        } else {
            alone.add(only);
        }
    }

    /**
     * Notes that a plan is tried.
     *
     * @param next what was read
     * @param plan without what is left alone
     * @param leftAlone the destinations of which it remains known what was tried before
     */
    void notePlan(ConfigDigests next, ReloadPlan plan, ReloadScope scope, Set<String> leftAlone) {
        String only = scope.only();
        digests = new ConfigDigests(
                next.ofServer(),
                plan.digests(),
                only == null ? modified(next, leftAlone) : digests.modifiedWith(next, only));
    }

    /** When files were modified; those of some destinations as it was known before. */
    private Map<String, Instant> modified(ConfigDigests next, Set<String> leftAlone) {
        Map<String, Instant> modified = new HashMap<>(next.modified());
        modified.keySet().removeAll(leftAlone);
        digests.modified().forEach((destination, time) -> {
            if (leftAlone.contains(destination)) {
                modified.put(destination, time);
            }
        });
        return modified;
    }

    /** Notes that one destination is started with what was read, and nothing else is taken over. */
    void noteStart(String destination, ConfigDigests next) {
        Map<String, String> tried = new TreeMap<>(digests.ofInstances());
        tried.put(destination, next.ofInstances().getOrDefault(destination, ""));
        digests = new ConfigDigests(digests.ofServer(), tried, digests.modifiedWith(next, destination));
    }

    /** Notes that a destination was not started after all, so that its configuration is to be taken over later. */
    void forget(String destination) {
        Map<String, String> tried = new TreeMap<>(digests.ofInstances());
        tried.remove(destination);
        digests = new ConfigDigests(digests.ofServer(), tried, digests.modified());
    }
}
