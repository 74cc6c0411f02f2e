package io.sluice.connector.kafka.produce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
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
 *   <li>What is in flight is in flight to one leader, and to one topic of the name: the next leader, or a topic that was deleted and created,
 *       is sent nothing before the former one has answered, or its connection was lost.
 *   <li>If a batch is split, it and those after it get new numbers, from the first of its own on: the broker has none of them. Those
 *       before it keep theirs, by which the broker recognizes what it has.
 *   <li>A broker recognizes the newest five batches, and after a restart perhaps only the newest one. So that a broker far away is given
 *       more at a time, more than five may be in flight if they are large and answers come soon. If none of them is answered, the broker
 *       has some number of them, from the first one on. If it finds a gap in front of the first, it has that one and more, but does not
 *       remember it: {@link #skip} has the next one sent, and so on, until the broker recognizes one, or needs it next. It has all before
 *       that one then, since it stores no batch after a gap. That the offset leaves room for them rules out a broker that has forgotten
 *       the producer, which takes any batch. If the leader moves meanwhile, and the next one finds a gap, it begins again with the
 *       first: that one may lack what the former one had.
 * </ul>
 */
final class PartitionQueue {
    private static final long UNKNOWN = -1;

    private final String topic;
    private final int partition;
    private final InFlightWindow window;
    private final SequenceNumbers sequences;
    private final Deque<OutgoingBatch> unsent = new ArrayDeque<>();
    private final List<OutgoingBatch> inFlight = new ArrayList<>(ProduceOptions.MAX_IN_FLIGHT);
    private final List<OutgoingBatch> returned = new ArrayList<>(ProduceOptions.MAX_IN_FLIGHT);

    /** The batches before the batch in flight. If the broker recognizes or stores that batch, it has these, too. */
    private final List<OutgoingBatch> skipped = new ArrayList<>(ProduceOptions.MAX_IN_FLIGHT);

    /** The offset after the newest batch that is acknowledged; negative if it is not known. */
    private long endOffset = UNKNOWN;

    private long progressNanos;
    private long retryNanos;
    private @Nullable Split split;
    private @Nullable KafkaException newestFailure;

    /** What is done when all in flight are answered: from a batch on, all are created again. */
    private record Split(OutgoingBatch first, Function<OutgoingBatch, List<OutgoingBatch>> splitter) {}

    /**
     * Makes an empty queue.
     *
     * @param maxInFlight from 1 to {@link ProduceOptions#MAX_IN_FLIGHT}
     */
    PartitionQueue(String topic, int partition, int maxInFlight) {
        this(topic, partition, maxInFlight, InFlightWindow.LARGE_BYTES, 0);
    }

    /** Makes an empty queue for which batches are large from so many bytes on, and whose first record has a sequence number. */
    PartitionQueue(String topic, int partition, int maxInFlight, int largeBytes, int firstSequence) {
        this.topic = topic;
        this.partition = partition;
        this.window = new InFlightWindow(maxInFlight, largeBytes);
        this.sequences = new SequenceNumbers(firstSequence);
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    void add(OutgoingBatch batch) {
        if (unsent.isEmpty() && isNoneSent()) {
            progressNanos = batch.submittedNanos();
        }
        unsent.addLast(batch);
    }

    /** Whether no batch was sent that is not acknowledged, but for those that are to be sent again and are {@link #unsent}. */
    private boolean isNoneSent() {
        return inFlight.isEmpty() && returned.isEmpty() && skipped.isEmpty();
    }

    boolean hasUnsent() {
        return !unsent.isEmpty() || !returned.isEmpty();
    }

    /** Whether as many batches wait as a broker remembers, so that those converted later have time. */
    boolean isBacklogged() {
        return unsent.size() >= ProduceOptions.REMEMBERED;
    }

    /** The oldest batch that may be sent now; null if there is none, or it must wait for answers or the end of a back-off. */
    @Nullable OutgoingBatch sendable(long now) {
        if (!returned.isEmpty()) {
            if (!inFlight.isEmpty() || retryNanos - now > 0) {
                return null;
            }
            takeBack();
        }
        OutgoingBatch next = unsent.peekFirst();
        return next == null || inFlight.size() >= window.sizeFor(next, now) || next.attempts() == 0 && isAnySentAgain()
                ? null
                : next;
    }

    /** Whether a batch may be sent while as many as a broker remembers are in flight. */
    boolean isLarge(OutgoingBatch batch) {
        return window.isLarge(batch);
    }

    private boolean isAnySentAgain() {
        for (OutgoingBatch next : inFlight) {
            if (next.attempts() > 1) {
                return true;
            }
        }
        return false;
    }

    /** The back-off until the oldest batch is sent again; zero if there is none. */
    long backOffNanos(long now) {
        return returned.isEmpty() || !inFlight.isEmpty() ? 0 : Math.max(0, retryNanos - now);
    }

    /** Puts what failed in front of what was not sent. */
    private void takeBack() {
        sequences.sort(returned);
        Split splitting = split;
        int kept = returned.size();
        if (splitting != null) {
            kept = returned.indexOf(splitting.first());
            splitFrom(kept, splitting);
        }
        for (int i = kept - 1; i >= 0; i--) {
            unsent.addFirst(returned.get(i));
        }
        returned.clear();
    }

    /** Creates all from a returned batch on again, with numbers from its first one on. */
    private void splitFrom(int index, Split splitting) {
        List<OutgoingBatch> old = new ArrayList<>(returned.subList(index, returned.size()));
        old.addAll(unsent);
        List<OutgoingBatch> made = new ArrayList<>(old.size());
        for (OutgoingBatch next : old) {
            made.addAll(splitting.splitter().apply(next));
        }
        sequences.restartAt(splitting.first());
        unsent.clear(); // not before all are made: if that fails, the old ones are still to be answered
        unsent.addAll(made);
        split = null;
    }

    /** Takes out the batch that {@link #sendable} has returned, and seals it. */
    OutgoingBatch takeNext(ProducerIdAndEpoch producer, long now) {
        OutgoingBatch batch = unsent.getFirst();
        if (!batch.hasSequence()) {
            sequences.seal(batch, producer);
        }
        if (batch.attempts() == 0 && isNoneSent()) {
            progressNanos = now;
        }
        batch.addAttempt(now);
        unsent.removeFirst();
        inFlight.add(batch);
        return batch;
    }

    /**
     * Removes a batch that a broker has acknowledged, and those before it whose fate was not known: the broker would not have it without
     * them. The offset has to leave room for them, or the broker has forgotten the producer, and takes any batch.
     *
     * @param offset that of its first record; negative if it is not known
     * @return all that are acknowledged, oldest first; empty if the broker cannot have those that were {@linkplain #skip skipped} for it, or
     *     must have one that it has rejected as too large: then nothing is removed
     */
    List<OutgoingBatch> acknowledged(OutgoingBatch batch, long offset, long now) {
        List<OutgoingBatch> before = unknownBefore(batch);
        if (endOffset < 0 || offset < endOffset + SequenceNumbers.countOf(before)) {
            before.clear();
        }
        if (!before.containsAll(skipped) || split != null && sequences.isOlder(split.first(), batch)) {
            return List.of();
        }
        window.open(batch, now);
        progressNanos = now;
        endOffset = offset < 0 ? UNKNOWN : offset + batch.records().count();
        List<OutgoingBatch> all = new ArrayList<>(before.size() + 1); // before any is removed, since memory may run out
        all.addAll(before);
        all.add(batch);
        inFlight.remove(batch);
        skipped.clear();
        returned.removeAll(before);
        newestFailure = null;
        return all;
    }

    /** The batches that were sent just before a batch, and may be stored; none if one among them is not, or is still to be answered. */
    private List<OutgoingBatch> unknownBefore(OutgoingBatch batch) {
        List<OutgoingBatch> before = new ArrayList<>(skipped);
        for (OutgoingBatch next : returned) {
            if (sequences.isOlder(next, batch)) {
                before.add(next);
            }
        }
        sequences.sort(before);
        boolean isWhole = !before.isEmpty()
                && before.stream()
                        .allMatch(next ->
                                next.isPossiblyStored() && next.topicId().equals(batch.topicId()))
                && SequenceNumbers.reach(before, batch);
        if (!isWhole) {
            before.clear();
        }
        return before;
    }

    /**
     * Whether a batch, for which the broker has found a gap, may just be forgotten: a request of a broken connection that has arrived late
     * was stored meanwhile. It is to be sent again alone.
     */
    boolean mayBeForgotten(OutgoingBatch batch) {
        return batch.isPossiblyStored() && inFlight.size() > 1;
    }

    /**
     * Whether a batch was skipped at another broker than the one that has found a gap in front of its successor: this one may lack what that one had. They are
     * to be sent again from the first one on.
     */
    boolean isAnySkippedElsewhere(OutgoingBatch batch) {
        for (OutgoingBatch next : skipped) {
            if (next.broker() != batch.broker()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Has the next batch sent instead of one for which the broker has found a gap. Returns false if that one is not the oldest, or may not be
     * stored, or if there is no next one that may be: then the gap is one.
     */
    boolean skip(OutgoingBatch batch) {
        OutgoingBatch next = unsent.peekFirst();
        if (endOffset < 0
                || inFlight.size() != 1
                || !isOldest(batch)
                || !batch.isPossiblyStored()
                || next == null
                || !next.isPossiblyStored()
                || !SequenceNumbers.follows(next, batch)) {
            return false;
        }
        window.close(); // what is sent now is sent alone
        skipped.add(batch);
        inFlight.clear();
        return true;
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

    /**
     * Whether a batch is in flight to another broker, or to another topic of the name, than the next one would be sent to. Then that one has to
     * wait: the other broker or topic may lack what is in flight, and takes any batch if it has no record of the producer. If it has all, it does not
     * recognize the oldest of them any more after five further ones, when their answers turn out to be lost.
     */
    boolean isAnyElsewhere(int broker, Uuid topicId) {
        for (OutgoingBatch next : inFlight) {
            if (next.broker() != broker || !next.topicId().equals(topicId)) {
                return true;
            }
        }
        return false;
    }

    /** Notes why a batch is to be sent again. */
    void noteFailure(KafkaException failure) {
        newestFailure = failure;
    }

    /** Why a batch had to be sent again last; null if none had since one was acknowledged. */
    @Nullable KafkaException newestFailure() {
        return newestFailure;
    }

    /** Has a batch that failed sent again, after all in flight are answered and not before a time. */
    void sendAgain(OutgoingBatch batch, long notBeforeNanos) {
        inFlight.remove(batch);
        window.close(); // the topic may have been created again
        if (returned.isEmpty() || retryNanos - notBeforeNanos < 0) {
            retryNanos = notBeforeNanos;
        }
        returned.addAll(skipped);
        skipped.clear();
        returned.add(batch);
    }

    /**
     * Has a batch that the broker does not have, and all after it, created again by a function, which returns batches that were not sent.
     *
     * @param rejected is {@linkplain #sendAgain sent again}
     */
    void split(OutgoingBatch rejected, Function<OutgoingBatch, List<OutgoingBatch>> splitter) {
        rejected.setPossiblyStored(false);
        Split before = split;
        OutgoingBatch first = before == null || sequences.isOlder(rejected, before.first()) ? rejected : before.first();
        split = new Split(first, splitter);
    }

    /**
     * Since when there was no progress: a batch was acknowledged then, or the oldest one sent for the first time, or submitted. Null if there
     * is no batch.
     */
    @Nullable Long progressNanos() {
        return unsent.isEmpty() && isNoneSent() ? null : Long.valueOf(progressNanos);
    }

    /** Whether there are batches, none of which was ever sent. */
    boolean isNothingSent() {
        OutgoingBatch first = unsent.peekFirst();
        return first != null && first.attempts() == 0 && isNoneSent();
    }

    /** Takes out all batches that are not acknowledged; the oldest is the first. */
    List<OutgoingBatch> drain() {
        List<OutgoingBatch> all = new ArrayList<>(inFlight);
        all.addAll(returned);
        all.addAll(skipped);
        sequences.sort(all);
        all.addAll(unsent);
        inFlight.clear();
        returned.clear();
        skipped.clear();
        unsent.clear();
        return all;
    }
}
