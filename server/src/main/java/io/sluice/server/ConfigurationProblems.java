package io.sluice.server;

import io.sluice.server.control.Missing;
import io.sluice.server.control.Missing.Reason;
import io.sluice.server.destination.DestinationRunner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the newest configuration: with that of the server, and why destinations that are known have no runner. The problems of the
 * others are known to their runners. Thread-safe.
 */
final class ConfigurationProblems {
    private volatile @Nullable String ofServer;
    private volatile List<String> restartKeys = List.of();
    private volatile Map<String, String> ofInvalid = Map.of();
    private volatile Map<String, String> ofPending = Map.of();

    /** Why instances have not ended in good order when they were removed, by destination. */
    private final Map<String, String> notEnded = new ConcurrentHashMap<>();

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

    /** Why the server does not have a destination that it knows; null if it has, or does not know it. */
    @Nullable Missing missing(String destination) {
        return missing().get(destination);
    }

    /** Why the server does not have the destinations that are none of these: one may just have been corrected and added. */
    Map<String, Missing> missingBeside(List<DestinationRunner> runners) {
        Map<String, Missing> others = missing();
        runners.forEach(runner -> others.remove(runner.name()));
        return others;
    }

    private Map<String, Missing> missing() {
        Map<String, Missing> all = new TreeMap<>();
        ofPending.forEach((destination, problem) -> all.put(destination, new Missing(Reason.PENDING, problem)));
        notEnded.forEach((destination, problem) -> {
            String pending = ofPending.get(destination); // a part of it may still run until it is added
            all.put(destination, new Missing(Reason.NOT_ENDED, problem + (pending == null ? "" : "; " + pending)));
        });
        ofInvalid.forEach((destination, problem) -> all.put(destination, new Missing(Reason.INVALID, problem)));
        return all;
    }

    /** Sets what is wrong with instances whose configuration was never right, by destination. */
    void setOfInvalid(Map<String, String> problems) {
        ofInvalid = Map.copyOf(problems);
    }

    /** Sets why instances are not added yet, by destination. */
    void setOfPending(Map<String, String> problems) {
        ofPending = Map.copyOf(problems);
    }

    /** Notes that an instance has not ended in good order when it was removed. */
    void notEnded(String destination, String problem) {
        notEnded.put(destination, problem);
    }

    /** Notes that a destination is there again, or that its next instance has ended in good order. */
    void hasEnded(String destination) {
        notEnded.remove(destination);
    }
}
