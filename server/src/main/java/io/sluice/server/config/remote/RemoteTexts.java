package io.sluice.server.config.remote;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts of a configuration, as an admin server has them. They hold passwords.
 *
 * @param server its {@code canal.properties}
 * @param instances the {@code instance.properties} by destination, in the order of the admin server; an instance whose text could not be
 *     had is there with none, and among the failures
 * @param failures why the texts of instances could not be had, by destination
 */
public record RemoteTexts(String server, Map<String, String> instances, Map<String, String> failures) {
    public RemoteTexts {
        instances = Collections.unmodifiableMap(new LinkedHashMap<>(instances));
        failures = Map.copyOf(failures);
    }

    /** Texts that could all be had. */
    public RemoteTexts(String server, Map<String, String> instances) {
        this(server, instances, Map.of());
    }

    /** These texts with that of one instance as others have it, or without it if they do not have it. */
    public RemoteTexts withInstanceOf(RemoteTexts others, String destination) {
        Map<String, String> merged = new LinkedHashMap<>(instances);
        Map<String, String> failed = new LinkedHashMap<>(failures);
        replace(merged, others.instances, destination);
        replace(failed, others.failures, destination);
        return new RemoteTexts(server, merged, failed);
    }

    private static void replace(Map<String, String> texts, Map<String, String> others, String destination) {
        String other = others.get(destination);
        if (other == null) {
            texts.remove(destination);
        } else {
            texts.put(destination, other);
        }
    }

    /** Names the instances only. */
    @Override
    public String toString() {
        return "RemoteTexts[instances=%s]".formatted(instances.keySet());
    }
}
