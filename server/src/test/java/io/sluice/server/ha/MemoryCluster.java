package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A cluster of one server in the memory of a test: its candidates are real, and have threads. Thread-safe. */
public final class MemoryCluster implements Candidacies {
    private static final String ADDRESS = "10.0.0.1:11111";

    private final Time time;
    private final Map<String, SharedNodes> nodes = new ConcurrentHashMap<>();

    /** @param time of the candidates */
    public MemoryCluster(Time time) {
        this.time = time;
    }

    @Override
    public Candidacy candidacyFor(String destination, Service service) {
        SharedNodes shared = nodesOf(destination);
        Candidacy candidacy =
                new Candidacy(destination, time, changed -> shared.candidate(ADDRESS, service, Duration.ZERO, changed));
        candidacy.start();
        return candidacy;
    }

    /** Has no question about a destination answered. */
    public void setDown(String destination) {
        nodesOf(destination).setDown(true);
    }

    private SharedNodes nodesOf(String destination) {
        return nodes.computeIfAbsent(destination, name -> new SharedNodes(name, time));
    }
}
