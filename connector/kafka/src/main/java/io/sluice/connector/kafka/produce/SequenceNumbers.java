package io.sluice.connector.kafka.produce;

import java.util.Comparator;
import java.util.List;

/**
 * The sequence numbers of the records that are sent to a partition. They continue with 0 after the largest one, so which of two is older is
 * seen by their distance from the next one. For the loop's thread alone.
 */
final class SequenceNumbers {
    private final Comparator<OutgoingBatch> oldestFirst = Comparator.comparingInt(batch -> -age(batch));

    private int next;

    /** Begins with a number. */
    SequenceNumbers(int first) {
        this.next = first;
    }

    /** Gives a batch the next numbers, one for each record, and makes it ready to be sent. */
    void seal(OutgoingBatch batch, ProducerIdAndEpoch producer) {
        batch.seal(producer, next);
        next = after(batch);
    }

    /** Gives the numbers of a batch, and all after it, again: no broker has stored them. */
    void restartAt(OutgoingBatch batch) {
        next = batch.baseSequence();
    }

    /** Sorts batches that have numbers. */
    void sort(List<OutgoingBatch> batches) {
        batches.sort(oldestFirst);
    }

    boolean isOlder(OutgoingBatch one, OutgoingBatch other) {
        return age(one) > age(other);
    }

    /** How far the first number of a batch is from the next one. */
    private int age(OutgoingBatch batch) {
        return distance(batch.baseSequence(), next);
    }

    /** Whether a batch has the numbers after those of another one. */
    static boolean follows(OutgoingBatch batch, OutgoingBatch before) {
        return batch.baseSequence() == after(before);
    }

    /** Whether batches, the oldest first, have all numbers from their first one to that of another batch. */
    static boolean reach(List<OutgoingBatch> before, OutgoingBatch batch) {
        return distance(before.get(0).baseSequence(), batch.baseSequence()) == countOf(before);
    }

    /** How many numbers batches have. */
    static int countOf(List<OutgoingBatch> batches) {
        return batches.stream().mapToInt(batch -> batch.records().count()).sum();
    }

    private static int after(OutgoingBatch batch) {
        return batch.baseSequence() + batch.records().count() & Integer.MAX_VALUE;
    }

    private static int distance(int from, int to) {
        return to - from & Integer.MAX_VALUE;
    }
}
