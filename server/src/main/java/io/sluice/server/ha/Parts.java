package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.slf4j.MDC;

/**
 * What the decisions about one destination work with.
 *
 * @param address by which other servers and clients know this one
 * @param renewal renews the leases of this server, of this and all other destinations
 * @param service what is done with the destination
 * @param balanceDelay how long another server must have been the one that should run the destination before it is left to
 *     that; zero: never
 * @param random varies how long the destination is left to others after a failure
 * @param changed is run when a step may be due before its time
 */
public record Parts(
        String destination,
        String address,
        Coordinator coordinator,
        Renewal renewal,
        Service service,
        Duration balanceDelay,
        Time time,
        RandomGenerator random,
        Runnable changed) {
    <T> Question<T> ask(CompletableFuture<T> answer) {
        return new Question<>(answer, time, changed);
    }

    /** A service may set the logging context of the thread that calls it; the candidate logs as the destination. */
    void logAsDestination() {
        MDC.put("destination", destination);
    }
}
