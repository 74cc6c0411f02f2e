package io.sluice.server.pull;

import io.sluice.protocol.time.PooledTimer;
import io.sluice.store.cursor.AckedCursors;
import io.sluice.store.ring.EntryStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the cursors of the clients of one instance: by what they ack, and with the stream while there is nothing to hand out.
 *
 * <p>Not thread-safe: guarded by the lock of {@link PullClients}. The task that it runs regularly is called without that lock.
 */
final class CursorFollower {
    private static final Logger LOG = LoggerFactory.getLogger(CursorFollower.class);

    /** How often the cursors follow the stream while no client asks. */
    private static final Duration FOLLOW_PERIOD = Duration.ofSeconds(1);

    private final String destination;
    private final EntryStore store;
    private final AckedCursors cursors;
    private final PooledTimer timer;
    private final AtomicBoolean isFollowedLater = new AtomicBoolean();

    /** Whether an ack of one client moves the cursors of all. */
    private boolean movesAll;

    /** Has the cursors follow the stream; null before the start. */
    private @Nullable Future<?> following;

    /** Follows nothing by itself before {@link #start}. */
    CursorFollower(
            String destination,
            EntryStore store,
            AckedCursors cursors,
            ScheduledExecutorService timer,
            Executor workers) {
        this.destination = destination;
        this.store = store;
        this.cursors = cursors;
        this.timer = new PooledTimer(timer, workers, this::notFollowed);
    }

    /**
     * Begins to run a task regularly, which has the cursors {@linkplain #follow follow} the stream. Once.
     *
     * @param task locks what guards this
     */
    void start(Runnable task) {
        following = timer.every(FOLLOW_PERIOD, () -> {
            isFollowedLater.set(false);
            task.run();
        });
    }

    /** Ends what {@link #start} has begun. */
    void stop() {
        if (following != null) {
            following.cancel(false);
        }
    }

    /** Lets the cursors follow the stream while there is nothing to hand out: to where all that came before is acked. */
    void follow() {
        cursors.saveAll(store::takeCursor);
    }

    /** Moves the cursors after an ack of the store to where all that came before is acked: those of some clients, or of all after a reset. */
    void acked(Set<Integer> clients) {
        if (movesAll) {
            cursors.saveAll(store::takeCursor);
        } else {
            cursors.save(clients, store::takeCursor);
        }
    }

    /** Has acks move the cursors of all clients from now on. */
    void streamWasReset() {
        movesAll = true;
    }

    /** Logs the first of the failures that follow each other: there may be one in each second. Called without the lock. */
    private void notFollowed(Throwable cause) {
        if (isFollowedLater.compareAndSet(false, true)) {
            LOG.warn(
                    "the cursors follow the stream later, since no worker takes it: instance={} cause={}",
                    destination,
                    String.valueOf(cause));
        }
    }
}
