package io.sluice.server.ha;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A counter for each session that owns destinations, written when the session renews its leases. Answers come as those of a
 * {@link Coordinator} do. Thread-safe.
 */
public interface Heartbeats {
    /**
     * Writes the heartbeat of this server's session.
     *
     * @return completes with the session when a majority of the servers has written it, and fails otherwise
     */
    CompletableFuture<Long> beat();

    /** All heartbeats by their names; may be outdated. */
    CompletableFuture<Map<String, Beat>> all();

    /** Removes a heartbeat that is not needed any more, unless it was written meanwhile. */
    void remove(String name, Beat last);

    /**
     * A heartbeat.
     *
     * @param id differs for each heartbeat that was ever written, by whichever session; not 0
     * @param version the version of its node
     */
    record Beat(long id, int version) {}
}
