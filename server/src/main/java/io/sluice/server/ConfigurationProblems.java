package io.sluice.server;

import io.sluice.server.destination.DestinationRunner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the newest configuration: with that of the server, and with instances that have no runner since theirs was never right.
 * The problems of the others are known to their runners. Thread-safe.
 */
final class ConfigurationProblems {
    private volatile @Nullable String ofServer;
    private volatile List<String> restartKeys = List.of();
    private volatile Map<String, String> ofInvalid = Map.of();

    /** Why nothing of the newest configuration is taken over, or it cannot be read; null if it is. */
    @Nullable String ofServer() {
        return ofServer;
    }

    void setOfServer(@Nullable String problem) {
        ofServer = problem;
    }

    /** The keys of the server that have changed since it was started, and take effect at its next start. */
    List<String> restartKeys() {
        return restartKeys;
    }

    void setRestartKeys(List<String> keys) {
        restartKeys = List.copyOf(keys);
    }

    /** What is wrong with an instance whose configuration was never right; null if that is not so. */
    @Nullable String ofInvalid(String destination) {
        return ofInvalid.get(destination);
    }

    /** The problems of invalid instances that are none of these: one may just have been corrected and added. */
    Map<String, String> ofInvalidBeside(List<DestinationRunner> runners) {
        Map<String, String> others = new TreeMap<>(ofInvalid);
        runners.forEach(runner -> others.remove(runner.name()));
        return others;
    }

    /** Sets what is wrong with instances whose configuration was never right, by destination. */
    void setOfInvalid(Map<String, String> problems) {
        ofInvalid = Collections.unmodifiableMap(new TreeMap<>(problems));
    }
}
