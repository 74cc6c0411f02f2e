package io.sluice.connector.kafka.produce;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Passes what became of batches to the callbacks of their messages while the loop runs.
 *
 * <p>A batch that is answered is in no queue any more. If a callback, or something before it, throws, the batch is still known here, and the
 * rest of its messages is answered when the loop ends. So no memory is allocated between the removal from a queue and the note of it.
 * For the loop's thread alone.
 */
final class MessageAnswers {
    private final SubmittedBatches submitted;
    private final StopCause stop;
    private final ProduceListener listener;

    /** Answered by a failure, while a connection may still read their bytes. */
    private final List<OutgoingBatch> failed = new ArrayList<>();

    private List<OutgoingBatch> unfinished = List.of();

    /**
     * Has answered nothing.
     *
     * @param submitted counts what is answered
     * @param stop set by each failure, before any callback is called
     */
    MessageAnswers(SubmittedBatches submitted, StopCause stop, ProduceListener listener) {
        this.submitted = submitted;
        this.stop = stop;
        this.listener = listener;
    }

    /** Answers batches that are acknowledged, and were taken out of their queue. */
    void acknowledge(List<OutgoingBatch> batches) {
        begin(batches);
        boolean unused = stop.mayContinue(); // what is stored is acknowledged, even if the loop ends
        batches.forEach(OutgoingBatch::acknowledge);
        finish();
    }

    /** Ends the loop by a failure of a batch. */
    void fail(PartitionQueue queue, OutgoingBatch batch, Exception cause) {
        begin(List.of(batch));
        queue.rejected(batch);
        stop.end(cause, queue.topic());
        batch.answer(record -> listener.fail(cause, batch.callback(record)));
        finish();
    }

    /** Ends the loop by a failure of some records of a batch; the others fail because of them. */
    void fail(PartitionQueue queue, OutgoingBatch batch, Set<Integer> invalid, Exception cause) {
        begin(List.of(batch));
        queue.rejected(batch);
        stop.end(cause, queue.topic());
        batch.answer(record -> {
            if (invalid.contains(record)) {
                listener.fail(cause, batch.callback(record));
            } else {
                listener.failAfter(cause, batch.callback(record));
            }
        });
        finish();
    }

    /** Ends the loop by a failure of all batches of a partition, which may be in flight. */
    void fail(PartitionQueue queue, Exception cause) {
        stop.end(cause, queue.topic());
        List<OutgoingBatch> left = queue.drain();
        begin(left);
        failed.addAll(left);
        for (OutgoingBatch batch : left) {
            batch.answer(record -> listener.fail(cause, batch.callback(record)));
        }
        finish();
    }

    private void begin(List<OutgoingBatch> batches) {
        unfinished = batches;
    }

    /** Those of a batch that is split are counted when all are answered. */
    private void finish() {
        int batches = unfinished.size();
        unfinished = List.of();
        submitted.countAnswered(batches);
    }

    /** Whether something was thrown while batches were answered: then the loop ends. */
    boolean isUnfinished() {
        return !unfinished.isEmpty();
    }

    /** The batches that were being answered when something was thrown; none if nothing was. */
    Collection<OutgoingBatch> unfinished() {
        return unfinished;
    }

    /** Takes out the batches of a queue, to be answered at the end; they are {@link #unfinished} from then on, instead of those before. */
    Collection<OutgoingBatch> takeOver(PartitionQueue queue) {
        begin(queue.drain());
        return unfinished;
    }

    /** The batches that have failed with their partition. Their buffers are still to be released, when no connection reads them any more. */
    Collection<OutgoingBatch> failed() {
        return failed;
    }
}
