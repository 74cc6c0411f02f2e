package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends record batches to the leaders of their partitions, on a thread of its own, until it is stopped or something fails.
 *
 * <p>Batches of a partition are stored in the order in which they were submitted, each once, and without a gap: see
 * {@link PartitionQueue}. Failures that pass are retried until {@code delivery.timeout.ms} without progress; every other one ends the loop, and
 * all that is not acknowledged fails. So nothing is stored after a batch that failed. A login that is rejected ends it also while there is nothing to send.
 *
 * <p>Nothing is gathered here, but for {@code linger.ms}: what was submitted is sent as soon as its broker may be sent another
 * request.
 */
public final class ProduceLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ProduceLoop.class);

    private final Cluster cluster;
    private final ProduceListener listener;
    private final Time time;
    private final PartitionQueues queues;
    private final SubmittedBatches submitted;
    private final StopCause stop;
    private final MessageAnswers answers;
    private final ProducerIdRequest idRequest;
    private final RequestSender sender;
    private final ProgressTimeout timeout;
    private final LoopEnd end;
    private final Backlog backlog = new Backlog();
    private final Thread thread;

    /** Written by the loop's thread. */
    private volatile @Nullable ProducerIdAndEpoch producer;

    /**
     * Makes a loop, which does nothing before it is started.
     *
     * @param threads makes the thread that sends
     * @param cluster closed with the loop
     * @param former the identity to continue; null to ask for a new one
     * @param splitter makes smaller batches of one that a broker has found too large, or in which it has not named the invalid record
     */
    public ProduceLoop(
            ThreadFactory threads,
            Cluster cluster,
            ProduceOptions options,
            @Nullable ProducerIdAndEpoch former,
            BatchSplitter splitter,
            ProduceListener listener,
            Time time) {
        this.cluster = cluster;
        this.listener = listener;
        this.time = time;
        this.producer = former == null ? null : next(former);
        this.queues = new PartitionQueues(options.maxInFlight());
        this.submitted = new SubmittedBatches(cluster.client()::wakeup, time);
        this.stop = new StopCause(cluster, listener);
        this.answers = new MessageAnswers(submitted, stop, listener);
        AnswerTimes answerTimes = new AnswerTimes(options.requestTimeout());
        AnswerReader reader =
                new AnswerReader(cluster, options, splitter, queues, submitted, answerTimes, answers, stop, time);
        this.idRequest = new ProducerIdRequest(cluster, options);
        this.sender = new RequestSender(cluster, options, queues, submitted, answerTimes, reader, answers, stop);
        this.timeout = new ProgressTimeout(cluster, options, queues, answerTimes, answers, time.nanos());
        this.end = new LoopEnd(cluster, queues, submitted, answers, stop, listener);
        this.thread = threads.newThread(this::run);
        this.thread.setDaemon(true);
    }

    private static @Nullable ProducerIdAndEpoch next(ProducerIdAndEpoch former) {
        ProducerIdAndEpoch next = former.next();
        if (next == null) {
            LOG.info("all epochs of a producer id are used up, taking a new one: producerId={}", former.id());
        } else {
            LOG.info("continuing a producer id: producerId={} epoch={}", next.id(), next.epoch());
        }
        return next;
    }

    /** Begins to send. If no thread can be started, the loop ends. */
    public void start() {
        try {
            thread.start();
        } catch (
                Throwable
                        e) { // also an Error, as when no native thread can be started: nothing else would end the loop
            end.reach();
            throw e;
        }
    }

    /**
     * Takes record batches, to be sent as soon as may be. May be called by any thread.
     *
     * @param callbacks one for each message that was prepared; all are called, if the loop has ended by this call's own thread
     */
    public void submit(PreparedRecords records, List<? extends DeliveryCallback> callbacks) {
        if (!submitted.add(records, callbacks)) {
            Exception cause = stop.cause();
            callbacks.forEach(callback -> listener.failAfter(cause, callback));
        }
    }

    /** Whether the brokers' answers limit what is sent, so that there is time to prepare more at once. May be asked by any thread. */
    public boolean isBacklogged() {
        return backlog.isThere();
    }

    /** Sends what lingers, and waits until all that was submitted is answered, or the limit has passed. */
    public void awaitAnswers(Duration limit) throws InterruptedException {
        submitted.awaitAnswers(limit);
    }

    /** Ends the loop soon: nothing more is sent, and what is not answered fails. May be called by any thread; waits for nothing. */
    public void stop(Exception cause) {
        stop.set(cause);
    }

    /** Waits until the loop has ended, after {@link #stop}: then no byte leaves any more. */
    public void awaitEnd() throws InterruptedException {
        end.await();
    }

    /** Waits until the loop has ended, at most so long. */
    public void awaitEnd(Duration limit) throws InterruptedException {
        end.await(limit);
    }

    /** The identity by which brokers know what was sent, to be continued; null if there is none. To be asked after {@link #stop}. */
    public @Nullable ProducerIdAndEpoch producer() {
        return producer;
    }

    private void run() {
        try {
            while (!stop.isSet()) {
                turn();
            }
        } catch (Throwable e) { // the top of the thread: all that waits for answers must get them
            stop.endUnexpectedly(e);
        } finally {
            end.reach();
        }
    }

    private void turn() {
        submitted.moveTo(queues::add);
        if (stop.endIfLoginIsRejected(submitted)) {
            return;
        }
        long now = time.nanos();
        ProducerIdAndEpoch current = producer;
        long wait = current == null ? idRequest.poll(this::takeIdentity) : sender.sendAll(current, now);
        backlog.note(queues.active());
        wait = Math.min(wait, timeout.check(now));
        wait = stop.isSet() ? 0 : Math.min(wait, RequestSender.MAX_WAIT_MILLIS);
        cluster.client().poll(submitted.beginWait(wait), cluster.nowMillis());
    }

    private void takeIdentity(ProducerIdAndEpoch given, @Nullable Exception failure) {
        if (failure == null) {
            producer = given;
        } else {
            failConnection(failure);
        }
    }

    /** Ends the loop because of a failure that is not that of a message; without messages it continues until there is a message to fail. */
    private void failConnection(Exception cause) {
        for (PartitionQueue queue : queues.active()) {
            answers.fail(queue, cause);
            return;
        }
    }
}
