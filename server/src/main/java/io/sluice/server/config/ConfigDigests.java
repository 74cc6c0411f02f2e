package io.sluice.server.config;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Determines whether a configuration has changed since it was read before, without its values, some of which are secrets.
 *
 * @param ofServer for each key that is set and takes effect at the start of the server only, a digest of its value
 * @param ofInstances for each destination, a digest of all values that count for it
 * @param modified for each destination that has a file of its own, when that was modified at last
 */
public record ConfigDigests(
        Map<String, String> ofServer, Map<String, String> ofInstances, Map<String, Instant> modified) {
    public static final ConfigDigests NONE = new ConfigDigests(Map.of(), Map.of(), Map.of());

    public ConfigDigests {
        ofServer = Map.copyOf(ofServer);
        ofInstances = Map.copyOf(ofInstances);
        modified = Map.copyOf(modified);
    }

    /** The keys of the server that have another value in {@code other}, or are set in one of them only; sorted. */
    public Set<String> changedServerKeys(ConfigDigests other) {
        Set<String> changed = new TreeSet<>(ofServer.keySet());
        changed.addAll(other.ofServer.keySet());
        changed.removeIf(key -> ofServer.getOrDefault(key, "").equals(other.ofServer.getOrDefault(key, "")));
        return changed;
    }

    /** Whether the file of a destination, which had one, was modified at another time in {@code other}, whatever its content. */
    public boolean isTouched(String destination, ConfigDigests other) {
        Instant before = modified.get(destination);
        Instant after = other.modified.get(destination);
        return before != null && after != null && !before.equals(after);
    }

    /** When files were modified, that of one destination as in {@code other}. */
    public Map<String, Instant> modifiedWith(ConfigDigests other, String destination) {
        Map<String, Instant> merged = new HashMap<>(modified);
        merged.remove(destination);
        Instant newest = other.modified.get(destination);
        if (newest != null) {
            merged.put(destination, newest);
        }
        return merged;
    }

    /** Whether anything that counts for a destination differs in {@code other}. */
    public boolean hasChanged(String destination, ConfigDigests other) {
        return !ofInstances.getOrDefault(destination, "").equals(other.ofInstances.getOrDefault(destination, ""));
    }
}
