package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.AckedCursors;
import io.sluice.store.ring.EntryStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Sends one instance's batches from its store to a producer, on a thread of its own.
 *
 * <p>Several batches are in flight at once. They are converted in parallel, handed to the producer strictly in their order,
 * and acked in their order, each when the broker has all of its messages; only then the cursor moves. So each message arrives at
 * least once, and if some of a partition arrive twice, then as a run that begins at one that was not confirmed.
 *
 * <p>A failure stops the hand-over. When the producer has answered all that it was given, what is confirmed is acked, and
 * after a back-off what is left is handed over again, as it was. Rejected messages are handled by {@link Rejections}.
 * At a stop what is not confirmed goes back to the store.
 *
 * <p>All of that is decided by {@link SenderSteps}; this class runs the steps and waits between them. The methods may be called
 * by any thread.
 */
public final class BatchSender {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

    /** How long an interrupted sender may take to end. */
    private static final Duration INTERRUPT_LIMIT = Duration.ofSeconds(5);

    private final String instance;
    private final Time time;
    private final SenderListener listener;
    private final DeliverySignal signal = new DeliverySignal();
    private final SenderSteps steps;
    private final Thread thread;

    /**
     * Makes a sender, which does nothing until it is started.
     *
     * @param store where the batches come from; the sender is its only reader, has its change task, and does not close it
     * @param cursors where the positions of acked batches go; not closed by the sender
     * @param converters runs the conversions, of several senders perhaps
     * @param producer where the messages go; not closed by the sender
     * @param backoff for this sender alone
     * @param time all durations are measured by it
     */
    public BatchSender(
            SenderConfig config,
            EntryStore store,
            AckedCursors cursors,
            BatchConverter converter,
            Executor converters,
            MessageProducer producer,
            Backoff backoff,
            Time time,
            RejectionPolicy policy,
            SenderListener listener) {
        this.instance = config.instance();
        this.time = time;
        this.listener = listener;
        this.steps =
                new SenderSteps(config, store, cursors, converter, converters, producer, backoff, time, policy, signal);
        this.thread = new Thread(this::run, "sender-" + instance);
    }

    /**
     * Begins to deliver.
     *
     * @throws IllegalThreadStateException if it was started before; a sender is used once
     */
    public void start() {
        thread.start();
    }

    /** Takes no more batches from now on: a producer that is closed after this call is no failure. {@link #stop} waits for the end. */
    public void beginStop() {
        steps.stop();
    }

    /**
     * Takes no more batches, finishes those in flight, and ends. What is not confirmed in time is rolled back, and delivered
     * again after the next start; some of it twice, perhaps.
     *
     * @param limit how long the batches in flight may take; then the thread is interrupted
     * @return whether the sender's thread has ended
     * @throws InterruptedException if the calling thread was interrupted; the sender still stops
     */
    public boolean stop(Duration limit) throws InterruptedException {
        beginStop();
        thread.join(Math.max(1, limit.toMillis()));
        if (thread.isAlive()) {
            LOG.warn(
                    "sender did not finish its batches in time, interrupting it: instance={} batches={} limitMs={}",
                    instance,
                    steps.progress().batchesInFlight(),
                    limit.toMillis());
            thread.interrupt();
            thread.join(INTERRUPT_LIMIT.toMillis());
        }
        return !thread.isAlive();
    }

    /**
     * Whether it has ended, and the broker had confirmed all that it was sent. If not, the broker may still store something: what was on
     * its way, or had failed, since a message that failed may arrive all the same.
     */
    public boolean isSilent() {
        return !thread.isAlive() && !steps.progress().isDoubtful();
    }

    /** State and counters of the sender. */
    public SenderStatus status() {
        return steps.progress().status();
    }

    private void run() {
        MDC.put("destination", instance);
        try {
            while (!steps.hasEnded()) {
                StepWait wait = steps.step();
                if (!wait.isOver(time)) {
                    signal.await(wait.condition(), wait.nanosLeft(time));
                }
            }
        } catch (InterruptedException e) {
            steps.end(SenderState.STOPPED);
        } catch (Throwable cause) { // the top of the thread: whatever it was, the instance must learn of it
            LOG.error("sender ended by a failure: instance={}", instance, cause);
            steps.end(SenderState.FAILED);
            listener.senderFailed(cause);
        }
    }
}
