package io.sluice.connector.api.attempt;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic checks of a broker's module on a daemon thread, such as the one for messages that are not answered in time.
 * A check that throws is logged, and runs again; a task that throws is logged. Thread-safe.
 */
public final class Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final ScheduledExecutorService executor;

    /** Starts the thread with the first check. */
    public Watch(String threadName) {
        this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs a check again and again, with so much time between two runs: at least a millisecond. All checks share the thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    public void every(Duration period, Runnable check) {
        executor.scheduleWithFixedDelay(
                () -> {
                    try {
                        check.run();
                    } catch (Throwable e) { // the top of the task: it would end the check without a sign
                        LOG.error(
                                "check of messages in flight failed, trying again: periodMs={}", period.toMillis(), e);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Runs a task once, soon; not at all after a stop. */
    public void execute(Runnable task) {
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (Throwable e) { // the top of the task: the executor would keep it to itself
                    LOG.error("a task for messages in flight failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("task rejected, the watch was stopped", e);
        }
    }

    /** Ends the checks; tasks that were given before are still run. */
    public void stop() {
        executor.shutdown();
    }
}
