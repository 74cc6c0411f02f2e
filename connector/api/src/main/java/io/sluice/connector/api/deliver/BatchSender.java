package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchWait;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreClosedException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Carries one instance's batches from its store to a producer, with a thread of its own.
 *
 * <p>Several batches are in flight at once. They are converted in parallel, handed to the producer strictly in their order,
 * and acked in their order, each when the broker has its every record; only then the cursor moves. So each record arrives at
 * least once, and if some of a partition arrive twice, then as a run that begins at one that was not confirmed.
 *
 * <p>A failure stops the hand-over. When the producer has answered for all that it was given, what is confirmed is acked, and
 * after a pause the rest is handed over again, as it was. A record that was refused for good is answered by {@link Refusals}.
 * At a stop what is not confirmed goes back to the store.
 *
 * <p>The methods may be called by any thread.
 */
public final class BatchSender {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

    /** The longest pause on an idle store, whatever is configured: the cursor follows the stream after each. */
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);

    /** How long an interrupted sender may take to end. */
    private static final Duration INTERRUPT_LIMIT = Duration.ofSeconds(5);

    /** What takes less time to convert than to wake a worker, and to be woken by it. */
    private static final int SMALL_BYTES = 16 * 1024;

    private final SenderConfig config;
    private final EntryStore store;
    private final Conversion conversion;
    private final Conversion smallConversion;
    private final MessageProducer producer;
    private final Backoff backoff;
    private final Sleeper sleeper;
    private final SenderListener listener;
    private final Duration idlePause;

    private final Thread thread;
    private final InFlightBatches inFlight;
    private final Refusals refusals;
    private final SenderProgress progress;
    private final AnswerWatch watch;
    private final DeliverySignal signal = new DeliverySignal();
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** Whether there may be more in the store than when it was last looked at. */
    private volatile boolean storeChanged;

    /**
     * Makes a sender, which does nothing until it is started.
     *
     * @param store where the batches come from; the sender is its only reader, has its change task, and does not close it
     * @param cursors where the positions of acked batches go; not closed by the sender
     * @param converters runs the conversions, of several senders perhaps
     * @param producer where the records go; not closed by the sender
     * @param backoff for this sender alone
     * @param sleeper the time that the sender goes by
     */
    public BatchSender(
            SenderConfig config,
            EntryStore store,
            CursorStore cursors,
            BatchConverter converter,
            Executor converters,
            MessageProducer producer,
            Backoff backoff,
            Sleeper sleeper,
            RefusalPolicy policy,
            SenderListener listener) {
        this.config = config;
        this.store = store;
        this.conversion = new Conversion(converter, converters);
        this.smallConversion = conversion.here();
        this.producer = producer;
        this.backoff = backoff;
        this.sleeper = sleeper;
        this.listener = listener;
        this.idlePause = config.getTimeout().compareTo(LONGEST_LOOK) < 0 ? config.getTimeout() : LONGEST_LOOK;
        this.inFlight = new InFlightBatches(store, cursors);
        this.progress = new SenderProgress(sleeper);
        this.refusals = new Refusals(config.instance(), policy, conversion, progress, sleeper);
        this.watch = new AnswerWatch(config.instance(), config.answerLimit(), inFlight, producer, sleeper, progress);
        this.thread = new Thread(this::run, "sender-" + config.instance());
    }

    /**
     * Begins to deliver.
     *
     * @throws IllegalThreadStateException if it was started before; a sender is used once
     */
    public void start() {
        thread.start();
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
        stopping.countDown();
        signal.raise();
        thread.join(Math.max(1, limit.toMillis()));
        if (thread.isAlive()) {
            LOG.warn(
                    "sender did not finish its batches in time, giving them up: instance={} batches={} limitMs={}",
                    config.instance(),
                    progress.batchesInFlight(),
                    limit.toMillis());
            thread.interrupt();
            thread.join(INTERRUPT_LIMIT.toMillis());
        }
        return !thread.isAlive();
    }

    /** What the sender does and has done. */
    public SenderStatus status() {
        return progress.status();
    }

    private void run() {
        MDC.put("destination", config.instance());
        try {
            deliver();
            end(SenderState.STOPPED);
        } catch (InterruptedException e) {
            end(SenderState.STOPPED);
        } catch (Throwable cause) { // the top of the thread: whatever it was, the instance must learn of it
            LOG.error("sender ended by a failure: instance={}", config.instance(), cause);
            end(SenderState.FAILED);
            listener.senderFailed(cause);
        }
    }

    private void end(SenderState last) {
        inFlight.rollback();
        progress.holdsBatches(0);
        progress.pauses(Duration.ZERO);
        progress.notSilent();
        progress.enter(last);
    }

    private void deliver() throws InterruptedException {
        progress.enter(SenderState.RUNNING);
        store.onChange(() -> {
            storeChanged = true;
            signal.raise();
        });
        try {
            while (!isStopping()) {
                step();
            }
        } catch (StoreClosedException e) {
            LOG.debug("store was closed before its sender: instance={}", config.instance());
        }
        if (progress.state() != SenderState.BACKING_OFF) {
            progress.enter(SenderState.STOPPING);
            finishInFlight();
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Does the next thing that can be done, or waits until there is one. */
    private void step() throws InterruptedException {
        ackConfirmed();
        watch.look();
        if (signal.hasFailure()) {
            recover();
            return;
        }
        PendingBatch next = inFlight.nextToHandOver();
        if (next != null && next.isConverted()) {
            inFlight.handOverNextTo(producer);
        } else if (inFlight.size() < config.maxInFlight() && !inFlight.isHeavy()) {
            takeBatch(next);
        } else {
            await(() -> isStopping() || signal.hasFailure() || canGoOn(next));
        }
    }

    /**
     * Takes a batch; if there is none, waits for one, or for the broker: a store that is full of what the broker has not
     * confirmed gets nothing new before an ack.
     */
    private void takeBatch(@Nullable PendingBatch next) throws InterruptedException {
        storeChanged = false;
        Batch batch = store.get(config.batchLimit(), BatchWait.NONE);
        if (!batch.isEmpty()) {
            boolean isDoneHere = next == null && batch.sizeBytes() <= SMALL_BYTES;
            inFlight.add(PendingBatch.convert(batch, isDoneHere ? smallConversion : conversion, signal));
            progress.holdsBatches(inFlight.size());
        } else if (next != null) {
            await(() -> isStopping() || signal.hasFailure() || next.isConverted());
        } else {
            inFlight.saveCursor();
            signal.await(() -> isStopping() || signal.hasFailure() || storeChanged || canGoOn(null), idlePause);
        }
    }

    /** Whether there is something to do without taking a batch. */
    private boolean canGoOn(@Nullable PendingBatch next) {
        return next == null ? inFlight.isOldestConfirmed() : next.isConverted();
    }

    /** Waits until the condition holds, for ever perhaps, but with an eye on the broker. */
    private void await(BooleanSupplier condition) throws InterruptedException {
        while (!signal.await(condition, AnswerWatch.PERIOD)) {
            watch.look();
        }
    }

    private void ackConfirmed() {
        PendingBatch acked = inFlight.ackOldestConfirmed();
        if (acked == null) {
            return;
        }
        for (; acked != null; acked = inFlight.ackOldestConfirmed()) {
            progress.acked(acked);
        }
        progress.holdsBatches(inFlight.size());
        backoff.reset();
    }

    /** Answers a failure: settle, ack what is confirmed, answer refusals, and hand the rest over again, perhaps after a pause. */
    private void recover() throws InterruptedException {
        DeliveryFailure failure = settle();
        boolean isAnswered = refusals.answerAll(inFlight.handedOver(), watch.takeAbandonment());
        progress.sendsAgain(inFlight.startAgain());
        if (!isAnswered) {
            pauseAfter(failure);
            if (isStopping()) {
                return;
            }
        }
        producer.restart();
        progress.enter(SenderState.RUNNING);
    }

    private void pauseAfter(DeliveryFailure failure) throws InterruptedException {
        Duration pause = backoff.next();
        progress.pauses(pause);
        progress.enter(SenderState.BACKING_OFF);
        LOG.warn(
                "delivery failed, sending again after a pause: instance={} batch={} failuresInARow={} pauseMs={} cause={}",
                config.instance(),
                failure.batchId(),
                progress.failuresInARow(),
                pause.toMillis(),
                String.valueOf(failure.cause()));
        sleeper.sleep(pause, stopping);
        progress.pauses(Duration.ZERO);
    }

    /**
     * Waits for the producer's answers before anything is sent again, or an old record could arrive behind its repetition.
     * Only {@link #stop} ends that wait early.
     */
    private DeliveryFailure settle() throws InterruptedException {
        progress.enter(SenderState.SETTLING);
        await(inFlight::areSettled);
        ackConfirmed();
        DeliveryFailure failure = Objects.requireNonNull(inFlight.oldestFailure(), "a failure without a batch");
        signal.clearFailure();
        progress.failed(failure);
        return failure;
    }

    /** Hands over what is left and acks it; gives up at the first failure. */
    private void finishInFlight() throws InterruptedException {
        while (inFlight.size() > 0 && !signal.hasFailure()) {
            PendingBatch next = inFlight.nextToHandOver();
            if (next != null && next.isConverted()) {
                inFlight.handOverNextTo(producer);
            } else {
                await(() -> signal.hasFailure() || canGoOn(next));
            }
            ackConfirmed();
        }
        if (signal.hasFailure()) {
            DeliveryFailure failure = settle();
            LOG.warn(
                    "delivery failed while stopping, the rest is sent after the next start: instance={} batch={} cause={}",
                    config.instance(),
                    failure.batchId(),
                    String.valueOf(failure.cause()));
        } else {
            inFlight.saveCursor();
        }
    }
}
