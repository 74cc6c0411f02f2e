package io.sluice.server.pace;

import io.sluice.protocol.time.PooledTimer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an operator has set in the text that is to have it at the moment, if any, and retries what could not be written. Thread-safe.
 */
final class PaceKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PaceKeeper.class);

    /** After how long a text is written again that could not be written. */
    private static final long RETRY_SECONDS = 5;

    private final String destination;
    private final ScheduledExecutorService timer;
    private final Supplier<KeptPace> set;

    /** Null if nothing is kept over a restart of the process. */
    private volatile @Nullable PaceKeeping keeping;

    private volatile Executor writers = Runnable::run;

    /** Whether it is tried later to write what could not be written. */
    private final AtomicBoolean retrying = new AtomicBoolean();

    /**
     * Creates one that keeps nothing.
     *
     * @param set returns what is set at the moment
     */
    PaceKeeper(String destination, ScheduledExecutorService timer, Supplier<KeptPace> set) {
        this.destination = destination;
        this.timer = timer;
        this.set = set;
    }

    /** Keeps it in a text from now on; nothing is written before the next {@link #keep}. */
    void keepIn(PaceKeeping next, Executor writers) {
        this.writers = writers;
        keeping = next;
    }

    /** Keeps nothing any more. */
    void keepNowhere() {
        keeping = null;
    }

    /** Where it is kept; null if nowhere. */
    @Nullable PaceKeeping keeping() {
        return keeping;
    }

    /** Keeps what is set, and waits until that is tried. */
    void keep() {
        PaceKeeping current = keeping;
        if (current != null) {
            current.keep(set);
            if (current.isDue()) {
                retryLater();
            }
        }
    }

    /** Keeps what is set if the file that had it is gone, and waits until that is tried. */
    void keepIfGone() {
        PaceKeeping current = keeping;
        if (current != null) {
            current.keepIfGone(set);
            if (current.isDue()) {
                retryLater();
            }
        }
    }

    private void retryLater() {
        if (retrying.compareAndSet(false, true)) {
            try {
                ScheduledFuture<?> unused = timer.schedule(this::retry, RETRY_SECONDS, TimeUnit.SECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("the server ends, nothing is written any more: instance={}", destination, e);
            }
        }
    }

    private void retry() {
        retrying.set(false);
        PaceKeeping current = keeping;
        if (current != null && current.isDue()) {
            keepLater();
        }
    }

    /** Has a worker keep what is set, without delaying the caller. */
    void keepLater() {
        if (keeping != null) {
            PooledTimer later = new PooledTimer(
                    timer,
                    writers,
                    failure -> LOG.warn(
                            "a pause or limit is kept later, since no worker takes it: instance={} cause={}",
                            destination,
                            String.valueOf(failure)));
            later.execute(this::keep);
        }
    }
}
