package io.sluice.protocol.time;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs tasks on a pool after a delay. The timer only hands them over, so they may block.
 *
 * <p>A task that the pool does not take, as when no thread can be started for it, is handed over again after a second: one passing shortage
 * must not end what runs regularly. After the end of the pool or the timer nothing more is run. Thread-safe.
 */
public final class PooledTimer {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ScheduledExecutorService timer;
    private final Executor pool;
    private final Consumer<Throwable> onFailure;

    /**
     * Creates one.
     *
     * @param timer hands tasks over; not shut down here
     * @param pool runs them; not shut down here
     * @param onFailure called each time a task was not taken, with the reason
     */
    public PooledTimer(ScheduledExecutorService timer, Executor pool, Consumer<Throwable> onFailure) {
        this.timer = timer;
        this.pool = pool;
        this.onFailure = onFailure;
    }

    /** Runs a task soon. */
    public void execute(Runnable task) {
        if (!isHandedOver(task)) {
            retryLater(task);
        }
    }

    /**
     * Runs a task after a delay.
     *
     * @return ends the waiting; without effect after the delay
     */
    public Future<?> schedule(Runnable task, Duration delay) {
        return timer.schedule(() -> execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Runs a task again and again, whether the run before has ended or not. One that is not taken is left out.
     *
     * @return ends it
     */
    public Future<?> every(Duration period, Runnable task) {
        return timer.scheduleWithFixedDelay(
                () -> isHandedOver(task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Hands a task over; false if it is to be tried again. */
    private boolean isHandedOver(Runnable task) {
        try {
            pool.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return true; // the pool has ended
        } catch (Throwable e) { // the top of the task: a timer ends in silence what throws
            onFailure.accept(e);
            return false;
        }
    }

    private void retryLater(Runnable task) {
        try {
            Future<?> unused = schedule(task, RETRY);
        } catch (RejectedExecutionException e) {
            // The timer has ended.
        }
    }
}
