package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.store.ring.StoreClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the gets that wait: when there is something for them, or when their wait is over.
 *
 * <p>Thread-safe. Entries are taken for a get, and it leaves those that wait, under the lock of {@link PullClients}, which a caller may hold already.
 * Answers are given without the lock: {@link #endOf} and {@link #endAll} return them to their caller, which gives them after it has released it.
 */
final class WaitingAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingAnswers.class);

    private final String destination;
    private final PooledTimer workers;
    private final AtomicBoolean serving = new AtomicBoolean();

    /** That of {@link PullClients}. */
    private final ReentrantLock lock;

    @GuardedBy("lock") private final SharedStream stream;

    @GuardedBy("lock") private final WaitingGets gets = new WaitingGets();

    /**
     * None waits yet.
     *
     * @param stream guarded by the lock
     * @param workers runs what answers gets that have waited
     * @param timer ends waits; a thread of it is used for an instant only
     */
    WaitingAnswers(
            String destination,
            ReentrantLock lock,
            SharedStream stream,
            Executor workers,
            ScheduledExecutorService timer) {
        this.destination = destination;
        this.lock = lock;
        this.stream = stream;
        this.workers = new PooledTimer(
                timer,
                workers,
                failure -> LOG.error(
                        "no worker takes the gets of clients that wait, trying again: instance={} cause={}",
                        destination,
                        String.valueOf(failure)));
    }

    /**
     * Adds a get, for which there was nothing to take under the same lock.
     *
     * @return what ends the wait without an answer; running it late or twice does nothing
     */
    Runnable add(PullRequest request, PullAnswer answer) {
        WaitingGet get = new WaitingGet(request, answer);
        lock.lock();
        try {
            gets.add(get);
            startTimeout(get);
        } finally {
            lock.unlock();
        }
        // The store may have changed between the check and the registration of the wait.
        check();
        return () -> cancel(get);
    }

    @GuardedBy("lock") private void startTimeout(WaitingGet get) {
        if (get.request.batchWait().nanos() < BatchWait.FOR_EVER.nanos()) {
            get.timeout = workers.schedule(
                    () -> timeOut(get), Duration.ofNanos(get.request.batchWait().nanos()));
        }
    }

    private void cancel(WaitingGet get) {
        lock.lock();
        try {
            gets.remove(get);
        } finally {
            lock.unlock();
        }
    }

    private void timeOut(WaitingGet get) {
        PulledBatch batch;
        try {
            batch = takeLast(get);
        } catch (RuntimeException | Error e) { // it is not among those that wait any more, so it has no other answer
            get.answer.failed(new PullException("destination:%s the get of client %d failed: %s"
                    .formatted(destination, get.request.clientId(), e)));
            throw e;
        }
        if (batch != null) {
            get.answer.batch(batch);
        }
    }

    /** What a get whose wait is over is answered with; null if it does not wait any more. */
    private @Nullable PulledBatch takeLast(WaitingGet get) {
        lock.lock();
        try {
            if (!gets.remove(get)) {
                return null;
            }
            PulledBatch batch = stream.take(get.request, true, get.answer);
            return batch == null ? PulledBatch.NOTHING : batch;
        } catch (StoreClosedException e) {
            return PulledBatch.NOTHING;
        } finally {
            lock.unlock();
        }
    }

    /** Has the gets that wait checked by a worker, since there may be something for them. Called under the store's lock, mostly by the parser. */
    @SuppressWarnings("GuardedBy") // any() needs no lock
    void check() {
        if (gets.any() && serving.compareAndSet(false, true)) {
            workers.execute(this::serve);
        }
    }

    private void serve() {
        serving.set(false); // first: what changes from here on is checked again
        List<Runnable> answers = new ArrayList<>();
        lock.lock();
        try {
            for (WaitingGet get : gets.all()) {
                PulledBatch batch = stream.take(get.request, false, get.answer);
                if (batch != null) {
                    gets.remove(get);
                    answers.add(() -> get.answer.batch(batch));
                }
            }
        } catch (StoreClosedException e) {
            answers.add(endAll());
        } finally {
            lock.unlock();
            runAll(answers); // in any case: what was taken for them is not handed out again
        }
    }

    /** Ends the waits of a client's gets. Returns what answers them by nothing, to be run without the lock. */
    Runnable endOf(int clientId) {
        lock.lock();
        try {
            List<WaitingGet> ended = gets.removeOf(clientId);
            return () -> runAll(ended.stream()
                    .map(get -> (Runnable) () -> get.answer.batch(PulledBatch.NOTHING))
                    .toList());
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits. Returns what answers them by an error, to be run without the lock. */
    Runnable endAll() {
        lock.lock();
        try {
            List<WaitingGet> ended = gets.removeAll();
            return () -> runAll(ended.stream()
                    .map(get -> (Runnable) () -> get.answer.failed(PullException.notStarted(destination)))
                    .toList());
        } finally {
            lock.unlock();
        }
    }

    private static void runAll(List<Runnable> answers) {
        runAll(answers.iterator());
    }

    /** Runs all, also those after one that fails: no other thread would. */
    private static void runAll(Iterator<Runnable> answers) {
        try {
            while (answers.hasNext()) {
                answers.next().run();
            }
        } finally {
            if (answers.hasNext()) {
                runAll(answers);
            }
        }
    }
}
