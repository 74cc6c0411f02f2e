package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a loop: the connections are closed, and all messages without an answer get one, whatever is thrown meanwhile. Nobody else would
 * answer them. {@link #reach} is for the loop's thread, or for the one that could not start it.
 */
final class LoopEnd {
    private static final Logger LOG = LoggerFactory.getLogger(LoopEnd.class);

    /** How often the messages that are left are answered if that throws something. */
    private static final int MAX_TRIES = 3;

    private final Cluster cluster;
    private final PartitionQueues queues;
    private final SubmittedBatches submitted;
    private final MessageAnswers answers;
    private final StopCause stop;
    private final ProduceListener listener;
    private final CountDownLatch reached = new CountDownLatch(1);

    /** Whether the callback of a message has thrown something. */
    private boolean isAnyRefused;

    /**
     * Prepares the end, which is not reached yet.
     *
     * @param listener passes the failures to the callbacks
     */
    LoopEnd(
            Cluster cluster,
            PartitionQueues queues,
            SubmittedBatches submitted,
            MessageAnswers answers,
            StopCause stop,
            ProduceListener listener) {
        this.cluster = cluster;
        this.queues = queues;
        this.submitted = submitted;
        this.answers = answers;
        this.stop = stop;
        this.listener = listener;
    }

    /** Waits until the loop has ended: then no byte leaves any more. */
    void await() throws InterruptedException {
        reached.await();
    }

    /** Waits until the loop has ended, at most so long. */
    void await(Duration limit) throws InterruptedException {
        boolean unused = reached.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the loop. */
    void reach() {
        try {
            answerRest(closeCluster());
        } finally {
            reached.countDown();
        }
    }

    /** Returns whether nothing can read the batches' bytes any more. */
    private boolean closeCluster() {
        try {
            cluster.close();
            return true;
        } catch (Throwable e) { // the end of the thread: all that waits for answers must get them all the same
            tryTo(() -> LOG.warn("a connection to Kafka was not closed properly", e));
            return false;
        }
    }

    /** Answers all that is left, and gives the buffers back if nothing can read them any more. */
    private void answerRest(boolean isClosedForReading) {
        submitted.close();
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            try {
                failRest(isClosedForReading);
                return;
            } catch (Throwable e) { // the end of the thread, because memory ran out, of which there may be some again
                tryTo(() -> LOG.warn("messages were not answered", e));
            }
        }
    }

    /** Can be called again after it has thrown something: each batch is known somewhere until all its messages are answered. */
    private void failRest(boolean isClosedForReading) {
        if (isClosedForReading) {
            answers.failed().forEach(batch -> batch.records().release());
        }
        Exception cause = stop.cause();
        failAll(answers.unfinished(), cause, isClosedForReading);
        for (PartitionQueue queue : queues.all()) {
            failAll(answers.takeOver(queue), cause, isClosedForReading);
        }
        failAll(submitted.left(), cause, isClosedForReading);
        submitted.discard();
    }

    private void failAll(Collection<OutgoingBatch> batches, Exception cause, boolean isClosedForReading) {
        for (OutgoingBatch batch : batches) {
            if (isClosedForReading) {
                batch.records().release();
            }
            batch.answer(record -> failAfter(cause, batch.callback(record)));
        }
    }

    /** What one callback throws does not keep the others from their answers. */
    private void failAfter(Exception cause, DeliveryCallback callback) {
        try {
            listener.failAfter(cause, callback);
        } catch (Throwable e) { // the end of the thread: nothing else can be done for the message
            if (!isAnyRefused) {
                isAnyRefused = true;
                tryTo(() -> LOG.warn("a message was not answered, since its callback has failed", e));
            }
        }
    }

    /** Logs at the end of the thread, which must not end by that, as when memory ran out. */
    private static void tryTo(Runnable log) {
        try {
            log.run();
        } catch (Throwable e) {
            return;
        }
    }
}
