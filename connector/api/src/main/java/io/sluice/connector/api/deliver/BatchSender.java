package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.producer.FailureKind;
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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Carries one instance's batches from its store to a producer, with a thread of its own.
 *
 * <p>Several batches are in flight at once. They are converted in parallel, handed to the producer strictly in their order,
 * and acked in their order, each when the broker has its every record; only then the cursor moves. So each entry arrives at
 * least once, and if some arrive twice, then as a run that begins at an entry which was not acked.
 *
 * <p>A failure stops the hand-over. When the producer has answered for all that it was given, what is confirmed is acked, the
 * rest goes back to the store, and after a pause it is sent again. A record that was refused for good is judged by the
 * {@link RefusalPolicy}.
 *
 * <p>The methods may be called by any thread.
 */
public final class BatchSender {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

    /** The longest look into an idle store: neither acks nor a stop wait longer, whatever is configured. */
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);

    /** How long an interrupted sender may take to end. */
    private static final Duration INTERRUPT_LIMIT = Duration.ofSeconds(5);

    private final SenderConfig config;
    private final EntryStore store;
    private final BatchConverter converter;
    private final Executor converters;
    private final MessageProducer producer;
    private final Backoff backoff;
    private final Sleeper sleeper;
    private final RefusalPolicy refusals;
    private final SenderListener listener;
    private final BatchWait idleWait;

    private final Thread thread;
    private final InFlightBatches inFlight;
    private final DeliverySignal signal = new DeliverySignal();
    private final CountDownLatch stopping = new CountDownLatch(1);

    private volatile SenderState state = SenderState.NEW;
    private volatile int inFlightCount;
    private volatile @Nullable DeliveryFailure lastFailure;
    private volatile Duration pause = Duration.ZERO;
    private final AtomicLong ackedBatches = new AtomicLong();
    private final AtomicLong ackedRecords = new AtomicLong();
    private final AtomicLong ackedBytes = new AtomicLong();
    private final AtomicLong rollbacks = new AtomicLong();

    /**
     * Makes a sender, which does nothing until it is started.
     *
     * @param store where the batches come from; the sender is its only reader, and does not close it
     * @param cursors where the positions of acked batches go; not closed by the sender
     * @param converters runs the conversions, of several senders perhaps
     * @param producer where the records go; not closed by the sender
     * @param backoff for this sender alone
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
            RefusalPolicy refusals,
            SenderListener listener) {
        this.config = config;
        this.store = store;
        this.converter = converter;
        this.converters = converters;
        this.producer = producer;
        this.backoff = backoff;
        this.sleeper = sleeper;
        this.refusals = refusals;
        this.listener = listener;
        this.idleWait =
                BatchWait.forAny(config.getTimeout().compareTo(LONGEST_LOOK) < 0 ? config.getTimeout() : LONGEST_LOOK);
        this.inFlight = new InFlightBatches(store, cursors);
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
                    inFlightCount,
                    limit.toMillis());
            thread.interrupt();
            thread.join(INTERRUPT_LIMIT.toMillis());
        }
        return !thread.isAlive();
    }

    /** What the sender does and has done. */
    public SenderStatus status() {
        return new SenderStatus(
                state,
                inFlightCount,
                ackedBatches.get(),
                ackedRecords.get(),
                ackedBytes.get(),
                rollbacks.get(),
                lastFailure,
                pause);
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
        inFlightCount = 0;
        pause = Duration.ZERO;
        state = last;
    }

    private void deliver() throws InterruptedException {
        state = SenderState.RUNNING;
        try {
            while (!isStopping()) {
                step();
            }
        } catch (StoreClosedException e) {
            LOG.debug("store was closed before its sender: instance={}", config.instance());
        }
        state = SenderState.STOPPING;
        finishInFlight();
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Does the next thing that can be done, or waits until there is one. */
    private void step() throws InterruptedException {
        ackConfirmed();
        if (signal.hasFailure()) {
            recover();
            return;
        }
        PendingBatch next = inFlight.nextToHandOver();
        if (next != null && next.isConverted()) {
            handOver(next);
        } else if (inFlight.size() < config.maxInFlight()) {
            takeBatch(next);
        } else {
            signal.await(() -> isStopping() || signal.hasFailure() || canGoOn(next));
        }
    }

    /** Takes a batch; if there is none, waits for one, but never while a conversion is awaited, too. */
    private void takeBatch(@Nullable PendingBatch next) throws InterruptedException {
        Batch batch = store.get(config.batchLimit(), next == null ? idleWait : BatchWait.NONE);
        if (!batch.isEmpty()) {
            inFlight.add(PendingBatch.convert(batch, converter, converters, signal));
            inFlightCount = inFlight.size();
        } else if (next != null) {
            signal.await(() -> isStopping() || signal.hasFailure() || next.isConverted());
        } else {
            inFlight.followStream();
        }
    }

    /** Whether there is something to do without taking a batch. */
    private boolean canGoOn(@Nullable PendingBatch next) {
        return next == null ? inFlight.isOldestConfirmed() : next.isConverted();
    }

    private void handOver(PendingBatch next) {
        inFlight.beginHandOver();
        next.handTo(producer);
    }

    private void ackConfirmed() {
        PendingBatch acked = inFlight.ackOldestConfirmed();
        if (acked == null) {
            return;
        }
        for (; acked != null; acked = inFlight.ackOldestConfirmed()) {
            ackedBatches.incrementAndGet();
            ackedRecords.addAndGet(acked.recordCount());
            ackedBytes.addAndGet(acked.recordBytes());
        }
        inFlightCount = inFlight.size();
        backoff.reset();
    }

    /** Answers a failure: settle, ack what is confirmed, roll the rest back, and pause. */
    private void recover() throws InterruptedException {
        DeliveryFailure failure = settleAndRollBack();
        if (failure.kind() != FailureKind.PASSING && refusals.judge(failure) == RefusalPolicy.Verdict.STOP) {
            throw new RecordRefusedException(config.instance(), failure);
        }
        pause = backoff.next();
        state = SenderState.BACKING_OFF;
        LOG.warn(
                "delivery failed, sending again after a pause: instance={} batch={} rollbacks={} pauseMs={} cause={}",
                config.instance(),
                failure.batchId(),
                rollbacks.get(),
                pause.toMillis(),
                String.valueOf(failure.cause()));
        sleeper.sleep(pause, stopping);
        pause = Duration.ZERO;
        producer.restart();
        state = SenderState.RUNNING;
    }

    /**
     * Waits for the producer's answers before anything is sent again, or an old record could arrive behind its repetition.
     * Only {@link #stop} ends that wait early.
     */
    private DeliveryFailure settleAndRollBack() throws InterruptedException {
        state = SenderState.SETTLING;
        signal.await(inFlight::areSettled);
        ackConfirmed();
        DeliveryFailure failure = Objects.requireNonNull(inFlight.oldestFailure(), "a failure without a batch");
        signal.clearFailure();
        lastFailure = failure;
        rollbacks.incrementAndGet();
        inFlight.rollback();
        inFlightCount = 0;
        return failure;
    }

    /** Hands over what is left and acks it; gives up at the first failure. */
    private void finishInFlight() throws InterruptedException {
        while (inFlight.size() > 0 && !signal.hasFailure()) {
            PendingBatch next = inFlight.nextToHandOver();
            if (next != null && next.isConverted()) {
                handOver(next);
            } else {
                signal.await(() -> signal.hasFailure() || canGoOn(next));
            }
            ackConfirmed();
        }
        if (signal.hasFailure()) {
            DeliveryFailure failure = settleAndRollBack();
            LOG.warn(
                    "delivery failed while stopping, the rest is sent after the next start: instance={} batch={} cause={}",
                    config.instance(),
                    failure.batchId(),
                    String.valueOf(failure.cause()));
        } else {
            inFlight.followStream();
        }
    }
}
