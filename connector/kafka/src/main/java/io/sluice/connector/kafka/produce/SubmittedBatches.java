package io.sluice.connector.kafka.produce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The hand-over of batches from the threads that submit them to the loop's thread, and how many of them are unanswered.
 *
 * <p>A submission wakes the loop only if it waits, or is about to: the loop announces its wait before it looks whether something was
 * submitted. {@link #add}, {@link #awaitAnswers} and {@link #isFlushing} may be called by any thread, the others are for the loop's.
 */
final class SubmittedBatches {
    private static final long MILLI = 1_000_000;

    private final Runnable wake;
    private final Time time;
    private final Object lock = new Object();

    @GuardedBy("lock") private final Deque<OutgoingBatch> submitted = new ArrayDeque<>();

    @GuardedBy("lock") private boolean isClosed;

    @GuardedBy("lock") private long unanswered;

    @GuardedBy("lock") private boolean isWaiting;

    private volatile boolean isFlushing;

    /** Submitted, and not yet in the queue of their partition. For the loop's thread. */
    private final Deque<OutgoingBatch> taken = new ArrayDeque<>();

    /**
     * Has no batches.
     *
     * @param wake ends the wait that the loop is in, or else the next one
     */
    SubmittedBatches(Runnable wake, Time time) {
        this.wake = wake;
        this.time = time;
    }

    /**
     * Adds batches to be sent as soon as may be. Returns false if no more are taken: then nothing was added.
     *
     * @param callbacks one for each message that was prepared
     */
    boolean add(PreparedRecords records, List<? extends DeliveryCallback> callbacks) {
        long now = time.nanos();
        boolean wakes;
        synchronized (lock) {
            if (isClosed) {
                return false;
            }
            for (RecordBatch next : records.batches()) {
                submitted.addLast(new OutgoingBatch(next, callbacks, now));
            }
            unanswered += records.batches().size();
            wakes = isWaiting;
        }
        if (wakes) {
            wake.run();
        }
        return true;
    }

    /** Has what lingers sent, and waits until all that was submitted is answered, or the limit has passed. */
    void awaitAnswers(Duration limit) throws InterruptedException {
        long deadline = time.nanos() + limit.toNanos();
        isFlushing = true;
        wake.run();
        try {
            synchronized (lock) {
                while (unanswered > 0) {
                    long left = (deadline - time.nanos()) / MILLI;
                    if (left <= 0) {
                        return;
                    }
                    lock.wait(left);
                }
            }
        } finally {
            isFlushing = false;
        }
    }

    /** Whether anything that was submitted has no answer yet. */
    boolean isAnyUnanswered() {
        synchronized (lock) {
            return unanswered > 0;
        }
    }

    /** Whether answers are awaited, so that nothing lingers. */
    boolean isFlushing() {
        return isFlushing;
    }

    /** Ends the loop's wait, and moves all that was submitted, oldest first. What was not moved, if that throws something, is still {@link #left}. */
    void moveTo(Consumer<OutgoingBatch> queues) {
        synchronized (lock) {
            isWaiting = false;
            taken.addAll(submitted);
            submitted.clear();
        }
        while (!taken.isEmpty()) {
            queues.accept(taken.getFirst());
            taken.removeFirst();
        }
    }

    /** Returns how long the loop may wait, which is not at all if something was submitted; what is submitted from then on wakes it. */
    long beginWait(long longest) {
        synchronized (lock) {
            isWaiting = true;
            return submitted.isEmpty() ? longest : 0;
        }
    }

    /** Notes that a batch was replaced by some others, which are to be answered instead. */
    void countSplit(int parts) {
        synchronized (lock) {
            unanswered += parts - 1;
        }
    }

    /** Notes that all messages of some batches have their answers. */
    void countAnswered(int batches) {
        synchronized (lock) {
            unanswered -= batches;
            if (unanswered <= 0) {
                lock.notifyAll();
            }
        }
    }

    /** Takes no more batches. */
    void close() {
        synchronized (lock) {
            isClosed = true;
        }
    }

    /** The batches that were not moved to a queue, oldest first. */
    List<OutgoingBatch> left() {
        List<OutgoingBatch> all = new ArrayList<>(taken);
        synchronized (lock) {
            all.addAll(submitted);
        }
        return all;
    }

    /** Discards what is left, since it was answered, and ends the waits for answers: also for batches whose split has failed half-way. */
    void discard() {
        taken.clear();
        synchronized (lock) {
            submitted.clear();
            unanswered = 0;
            lock.notifyAll();
        }
    }
}
