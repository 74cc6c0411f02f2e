package io.sluice.server.destination;

import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.instance.ErrorLog;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Starts destinations after a delay: those that have failed, as the policy of each says, and those that this server has released, when
 * other servers have had the time to take them. Thread-safe.
 */
public final class DelayedStarts {
    private static final Logger LOG = LoggerFactory.getLogger(DelayedStarts.class);

    /** How long a destination that was released is left to other servers. */
    private static final Duration DEFERENCE = Duration.ofSeconds(5);

    /** What a destination's log lines are sorted by. */
    private static final String LOG_KEY = "destination";

    private final DestinationRegistry registry;
    private final DestinationStates states;
    private final boolean isClustered;
    private final PooledTimer timer;
    private final Time time;
    private final Runnable onAllLost;

    /**
     * Creates one for a server; nothing is to be started yet.
     *
     * @param isClustered whether other servers take over what fails here
     * @param timer runs the starts, which may wait
     * @param onAllLost runs when all instances have failed, and none will be retried; may run more than once
     */
    public DelayedStarts(
            DestinationRegistry registry,
            DestinationStates states,
            boolean isClustered,
            PooledTimer timer,
            Time time,
            Runnable onAllLost) {
        this.registry = registry;
        this.states = states;
        this.isClustered = isClustered;
        this.timer = timer;
        this.time = time;
        this.onAllLost = onAllLost;
    }

    /**
     * Notes that an instance cannot continue. In a cluster it is left to the other servers, and retried here by its candidacy; alone, its
     * policy decides. Called by the instance's own thread; does not wait.
     */
    public void instanceFailed(String destination, Throwable cause) {
        String logged = MDC.get(LOG_KEY);
        MDC.remove(LOG_KEY); // an operator looks into the server's log for what ends the server
        try {
            logFailure(destination, cause);
            if (!isClustered) {
                decide(destination);
            }
        } finally {
            if (logged != null) {
                MDC.put(LOG_KEY, logged);
            }
        }
    }

    private void logFailure(String destination, Throwable cause) {
        String remedy = states.of(destination).errors().newest().stream()
                .findFirst()
                .map(ErrorLog.Item::remedy)
                .orElse("its log has more");
        LOG.error(
                "an instance has failed: instance={} cause={} remedy={}",
                destination,
                cause.getMessage() == null ? cause.toString() : cause.getMessage(),
                remedy);
    }

    private void decide(String destination) {
        DestinationRunner runner = registry.find(destination).orElse(null);
        if (runner == null) {
            return; // it was removed; a server may have no instance for a while
        }
        if (areAllLost()) {
            endServer();
            return;
        }
        retryAfterFailure(runner);
    }

    /** Whether all instances have failed, and the policy of none is to try it again. */
    public boolean areAllLost() {
        return registry.runners().stream().allMatch(DestinationRunner::isLost);
    }

    /**
     * Notes that a reload has removed instances: alone, the server ends if all that are left have failed. One that is being started may not fail, and
     * has the server end itself if it does.
     */
    public void instancesRemoved() {
        if (!isClustered
                && !registry.runners().isEmpty() // a server may have no instance for a while
                && areAllLost()
                && registry.runners().stream().noneMatch(DestinationRunner::isBeingChanged)) {
            endServer();
        }
    }

    private void endServer() {
        LOG.error(
                "all instances have failed, the server ends: instances={}",
                registry.runners().size());
        onAllLost.run();
    }

    /** Notes that no instance could be made. Alone, it is tried again whatever its policy is, unless all have failed. */
    public void instanceNotMade(String destination, Throwable cause) {
        states.of(destination).errors().addOfStart(cause);
        instanceFailed(destination, cause);
    }

    private void retryAfterFailure(DestinationRunner runner) {
        long now = time.millis();
        Instant due = runner.failed(now);
        if (due != null) {
            Future<?> unused = timer.schedule(() -> retry(runner, due), Duration.ofMillis(due.toEpochMilli() - now));
        }
    }

    private void retry(DestinationRunner runner, Instant due) {
        try {
            runner.retry(due);
        } catch (Throwable e) { // the top of the task: without the next one it would never be started again
            LOG.error("a failed instance cannot be started again: instance={}", runner.name(), e);
            retryAfterFailure(runner);
        }
    }

    /** Makes this server a candidate for a destination; if that cannot be done now, after some seconds. */
    public void enterCandidacy(DestinationRunner runner) {
        try {
            runner.enterCandidacy();
        } catch (Throwable e) { // such as a lack of threads: without the next try it would be a candidate never again
            LOG.error("this server is no candidate yet, trying again: instance={}", runner.name(), e);
            enterCandidacyLater(runner);
        }
    }

    /** Makes this server a candidate again for a destination that it has released, after some seconds. */
    public void enterCandidacyLater(DestinationRunner runner) {
        Future<?> unused = timer.schedule(() -> enterCandidacy(runner), DEFERENCE);
    }
}
