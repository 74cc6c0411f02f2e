package io.sluice.server.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells whether a configuration has changed since it was read before, without its values, some of which are secrets.
 *
 * @param ofServer for each key that is set and takes effect at the start of the server only, a digest of its value
 * @param ofInstances for each destination, a digest of all values that count for it
 */
public record ConfigDigests(Map<String, String> ofServer, Map<String, String> ofInstances) {
    public static final ConfigDigests NONE = new ConfigDigests(Map.of(), Map.of());

    public ConfigDigests {
        ofServer = Map.copyOf(ofServer);
        ofInstances = Map.copyOf(ofInstances);
    }

    /** The keys of the server that have another value in {@code other}, or are set in one of them only; sorted. */
    public Set<String> changedServerKeys(ConfigDigests other) {
        Set<String> changed = new TreeSet<>(ofServer.keySet());
        changed.addAll(other.ofServer.keySet());
        changed.removeIf(key -> ofServer.getOrDefault(key, "").equals(other.ofServer.getOrDefault(key, "")));
        return changed;
    }

    /** Whether anything that counts for a destination differs in {@code other}. */
    public boolean hasChanged(String destination, ConfigDigests other) {
        return !ofInstances.getOrDefault(destination, "").equals(other.ofInstances.getOrDefault(destination, ""));
    }
}
