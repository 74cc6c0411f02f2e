package io.sluice.connector.kafka.produce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The batches for one partition: those in flight, and those to be sent, oldest first. For the loop's thread alone.
 *
 * <p>It keeps the order of the batches and the sequence of their numbers:
 *
 * <ul>
 *   <li>The first batch is sent alone: a broker that has no record of a producer's epoch takes whatever comes first.
 *   <li>After a batch has failed and is to be sent again, nothing is sent until all in flight are answered. Those after the failed one
 *       are rejected by the broker for the gap in their numbers, and are sent again after it, with the numbers that they have. Nothing
 *       new is sent before they are acknowledged: a broker recognizes repetitions of its last batches only.
 *   <li>If a batch is split, it and those after it get new numbers, from the first of its own on: the broker has none of them. Those
 *       before it keep theirs, by which the broker recognizes what it has.
 * </ul>
 */
final class PartitionQueue {
    /**
     * After so long without an acknowledgement the next batch is sent alone, as the first one was: a broker forgets a producer that has
     * sent nothing to a partition for {@code producer.id.expiration.ms}, and accepts any sequence number then.
     */
    private static final long MAX_IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String topic;
    private final int partition;
    private final Deque<OutgoingBatch> unsent = new ArrayDeque<>();
    private final List<OutgoingBatch> inFlight = new ArrayList<>(ProduceOptions.MAX_IN_FLIGHT);
    private final List<OutgoingBatch> returned = new ArrayList<>(ProduceOptions.MAX_IN_FLIGHT);

    private int nextSequence;
    private boolean isBegun;
    private long acknowledgedNanos;
    private long retryNanos;
    private @Nullable Split split;

    /** What is done when all in flight are answered: from a batch on, all are made anew. */
    private record Split(OutgoingBatch first, Function<OutgoingBatch, List<OutgoingBatch>> splitter) {}

    PartitionQueue(String topic, int partition) {
        this.topic = topic;
        this.partition = partition;
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    void add(OutgoingBatch batch) {
        unsent.addLast(batch);
    }

    boolean hasUnsent() {
        return !unsent.isEmpty() || !returned.isEmpty();
    }

    /** Whether as many batches wait as may be in flight, so that those converted later have time. */
    boolean isBacklogged() {
        return unsent.size() >= ProduceOptions.MAX_IN_FLIGHT;
    }

    /** The oldest batch that may be sent now; null if there is none, or it must wait for answers or the end of a pause. */
    @Nullable OutgoingBatch sendable(long now) {
        if (!returned.isEmpty()) {
            if (!inFlight.isEmpty() || retryNanos - now > 0) {
                return null;
            }
            takeBack();
        }
        boolean isKnown = isBegun && now - acknowledgedNanos < MAX_IDLE_NANOS;
        boolean mustWait = isKnown ? inFlight.size() >= ProduceOptions.MAX_IN_FLIGHT : !inFlight.isEmpty();
        OutgoingBatch next = unsent.peekFirst();
        return mustWait || next == null || next.attempts() == 0 && isAnySentAgain() ? null : next;
    }

    private boolean isAnySentAgain() {
        for (OutgoingBatch next : inFlight) {
            if (next.attempts() > 1) {
                return true;
            }
        }
        return false;
    }

    /** How long the oldest batch pauses before it is sent again; zero if it does not. */
    long pauseNanos(long now) {
        return returned.isEmpty() || !inFlight.isEmpty() ? 0 : Math.max(0, retryNanos - now);
    }

    /** Puts what failed in front of what was not sent. */
    private void takeBack() {
        returned.sort(Comparator.comparingInt(batch -> -distance(batch.baseSequence(), nextSequence)));
        Split splitting = split;
        int kept = splitting == null ? returned.size() : returned.indexOf(splitting.first());
        if (splitting != null) {
            List<OutgoingBatch> old = new ArrayList<>(returned.subList(kept, returned.size()));
            old.addAll(unsent);
            List<OutgoingBatch> made = new ArrayList<>(old.size());
            for (OutgoingBatch next : old) {
                made.addAll(splitting.splitter().apply(next));
            }
            nextSequence = splitting.first().baseSequence();
            unsent.clear(); // not before all are made: if that fails, the old ones are still to be answered
            unsent.addAll(made);
            split = null;
        }
        for (int i = kept - 1; i >= 0; i--) {
            unsent.addFirst(returned.get(i));
        }
        returned.clear();
    }

    /** Takes out the batch that {@link #sendable} has returned, and seals it. */
    OutgoingBatch takeNext(ProducerIdAndEpoch producer) {
        OutgoingBatch batch = unsent.removeFirst();
        if (!batch.hasSequence()) {
            batch.seal(producer, nextSequence);
            nextSequence = after(nextSequence, batch.records().count());
        }
        batch.addAttempt();
        inFlight.add(batch);
        return batch;
    }

    /** Sequence numbers continue with 0 after the largest one. */
    private static int after(int sequence, int count) {
        return sequence + count & Integer.MAX_VALUE;
    }

    private static int distance(int from, int to) {
        return to - from & Integer.MAX_VALUE;
    }

    /** Removes a batch that a broker has acknowledged. */
    void acknowledged(OutgoingBatch batch, long now) {
        isBegun = true;
        acknowledgedNanos = now;
        inFlight.remove(batch);
    }

    /** Removes a batch that a broker has rejected. */
    void rejected(OutgoingBatch batch) {
        inFlight.remove(batch);
    }

    /** Whether nothing that was sent before a batch is unanswered. */
    boolean isOldest(OutgoingBatch batch) {
        return returned.isEmpty() && !inFlight.isEmpty() && inFlight.get(0) == batch;
    }

    /** Whether a batch was sent and is not answered; not one that was drained. */
    boolean isInFlight(OutgoingBatch batch) {
        return inFlight.contains(batch);
    }

    /** Has a batch that failed sent again, after all in flight are answered and not before a time. */
    void sendAgain(OutgoingBatch batch, long notBeforeNanos) {
        inFlight.remove(batch);
        isBegun = false; // the topic may have been made anew
        if (returned.isEmpty() || retryNanos - notBeforeNanos < 0) {
            retryNanos = notBeforeNanos;
        }
        returned.add(batch);
    }

    /**
     * Has a batch that the broker does not have, and all after it, made anew by a function, which returns batches that were not sent.
     *
     * @param rejected is {@linkplain #sendAgain sent again}
     */
    void split(OutgoingBatch rejected, Function<OutgoingBatch, List<OutgoingBatch>> splitter) {
        Split before = split;
        OutgoingBatch first = before == null || isOlder(rejected, before.first()) ? rejected : before.first();
        split = new Split(first, splitter);
    }

    private boolean isOlder(OutgoingBatch one, OutgoingBatch other) {
        return distance(one.baseSequence(), nextSequence) > distance(other.baseSequence(), nextSequence);
    }

    /** When the oldest batch was submitted; null if there is none. */
    @Nullable Long oldestNanos() {
        Long oldest = null;
        for (List<OutgoingBatch> some : List.of(inFlight, returned)) {
            for (OutgoingBatch next : some) {
                oldest = oldest == null || next.submittedNanos() - oldest < 0
                        ? Long.valueOf(next.submittedNanos())
                        : oldest;
            }
        }
        OutgoingBatch first = unsent.peekFirst();
        return oldest == null && first != null ? Long.valueOf(first.submittedNanos()) : oldest;
    }

    /** Takes out all batches that are not acknowledged; the oldest is the first. */
    List<OutgoingBatch> drain() {
        List<OutgoingBatch> all = new ArrayList<>(inFlight);
        all.addAll(returned);
        all.sort(Comparator.comparingInt(batch -> -distance(batch.baseSequence(), nextSequence)));
        all.addAll(unsent);
        inFlight.clear();
        returned.clear();
        unsent.clear();
        return all;
    }
}
