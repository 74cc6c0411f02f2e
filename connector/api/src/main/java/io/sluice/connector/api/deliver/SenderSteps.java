package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.deliver.failure.ProducerBrokenException;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.AckedCursors;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.StoreClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of a {@link BatchSender}: a state machine without a thread, which never sleeps and reads no clock but the
 * given one. {@link #step} does the next thing that can be done and returns what the step after it waits for.
 *
 * <pre>
 *               ┌───────────────────back-off over───────────────┐
 *               │          ┌─rejections answered─┐              │
 *               ▼          ▼                     │              │
 *   NEW ──▶ DELIVERING ────┴──failure──▶ SETTLING ──settled──▶ BACKING_OFF
 *               │                                                │
 *      stop, or store closed                                    stop
 *               ▼                                                ▼
 *           FINISHING ──failure──▶ GIVING_UP ──settled──────▶ ENDED
 *               └───────────────all acked───────────────────────▲
 * </pre>
 *
 * <p>For one thread, except {@link #stop} and {@link #progress}. With the same store, answers, conversions, time and random
 * numbers it makes the same decisions.
 */
final class SenderSteps {
    private static final Logger LOG = LoggerFactory.getLogger(SenderSteps.class);

    /** The longest wait on an idle store, whatever is configured: the cursor follows the stream after each. */
    private static final Duration MAX_IDLE_WAIT = Duration.ofMillis(200);

    /** Converting a batch up to this size takes less time than handing it to a worker. */
    private static final int SMALL_BYTES = 16 * 1024;

    /**
     * With fewer conversions in flight, entries go at once to a producer that prepares them; with more, they are gathered. Two would
     * make twice as many requests, each of which costs the time of some hundred rows.
     */
    private static final int CONVERSIONS_BEFORE_GATHERING = 1;

    /** Entries are not gathered for longer: what is in flight may wait for one partition, and they may be for others. */
    private static final long MAX_GATHERING_NANOS = Duration.ofMillis(100).toNanos();

    private enum Phase {
        NEW,
        DELIVERING,
        SETTLING,
        BACKING_OFF,
        FINISHING,
        GIVING_UP,
        ENDED
    }

    private final SenderConfig config;
    private final EntryStore store;
    private final Conversion conversion;
    private final Conversion smallConversion;
    private final MessageProducer producer;
    private final Backoff backoff;
    private final Time time;
    private final DeliverySignal signal;
    private final long idleNanos;

    private final InFlightBatches inFlight;
    private final BatchWindow window;
    private final Rejections rejections;
    private final SenderProgress progress;
    private final BrokerTimeouts timeouts;

    private final BooleanSupplier workOrStop = this::hasWorkOrStop;
    private final BooleanSupplier workOrStopOrEntries = this::hasWorkOrStopOrEntries;
    private final BooleanSupplier workOrFailure = this::hasWorkOrFailure;
    private final BooleanSupplier settled;
    private final BooleanSupplier stopRequested = this::isStopRequested;

    private Phase phase = Phase.NEW;

    /** The batch that is handed over next, while its conversion is awaited. */
    private @Nullable PendingBatch awaited;

    private long backOffEndNanos;
    private long takenNanos;

    private volatile boolean stop;

    /** Whether entries may have been put since the store was asked last. */
    private volatile boolean entriesPut;

    /** Why the next batch could not be converted, until its conversion begins again. */
    private @Nullable DeliveryFailure conversionFailure;

    /**
     * Creates the state machine; nothing happens before the first step.
     *
     * @param store see {@link BatchSender}, as for the other parameters
     * @param time all durations are measured by it
     * @param signal raised by whatever may end a wait
     */
    SenderSteps(
            SenderConfig config,
            EntryStore store,
            AckedCursors cursors,
            BatchConverter converter,
            Executor converters,
            MessageProducer producer,
            Backoff backoff,
            Time time,
            RejectionPolicy policy,
            DeliverySignal signal) {
        this.config = config;
        this.store = store;
        this.conversion = new Conversion(converter, converters);
        this.smallConversion = conversion.here();
        this.producer = producer;
        this.backoff = backoff;
        this.time = time;
        this.signal = signal;
        this.idleNanos = Math.min(config.getTimeout().toNanos(), MAX_IDLE_WAIT.toNanos());
        this.inFlight = new InFlightBatches(store, cursors);
        this.window = new BatchWindow(config.instance(), config.maxInFlight(), time.nanos());
        this.settled = inFlight::areSettled;
        this.progress = new SenderProgress(time);
        progress.setMaxBatchesInFlight(window.batches());
        this.rejections = new Rejections(config.instance(), policy, progress, time);
        this.timeouts = new BrokerTimeouts(config.instance(), config.answerLimit(), inFlight, producer, time, progress);
    }

    /** What the sender does and has done. May be called by any thread. */
    SenderProgress progress() {
        return progress;
    }

    /** Requests the end: the batches in flight are finished, and no other is taken. May be called by any thread. */
    void stop() {
        stop = true;
        signal.raise();
    }

    /** Whether there is no next step. */
    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /**
     * Does the next thing that can be done.
     *
     * @return what the next step waits for
     * @throws RuntimeException if the instance cannot continue; {@link #end} must follow
     */
    StepWait step() {
        return switch (phase) {
            case NEW -> begin();
            case DELIVERING -> deliver();
            case SETTLING -> settle();
            case BACKING_OFF -> backOff();
            case FINISHING -> finish();
            case GIVING_UP -> giveUp();
            case ENDED -> throw new IllegalStateException("a step of a sender that has ended");
        };
    }

    /** Ends now: what is not acked goes back to the store. */
    void end(SenderState last) {
        phase = Phase.ENDED;
        progress.setDoubtful(inFlight.hasDoubtful());
        inFlight.rollback();
        progress.setBatchesInFlight(0);
        progress.setBackOff(Duration.ZERO);
        progress.clearSilence();
        progress.enter(last);
    }

    private StepWait moveTo(Phase next) {
        phase = next;
        return StepWait.NONE;
    }

    private StepWait begin() {
        progress.enter(SenderState.RUNNING);
        store.onChange(() -> {
            entriesPut = true;
            signal.raise();
        });
        return moveTo(Phase.DELIVERING);
    }

    private StepWait deliver() {
        if (stop) {
            return moveTo(Phase.FINISHING);
        }
        long now = time.nanos();
        ackConfirmed(now);
        timeouts.check(now);
        if (signal.hasFailure()) {
            progress.enter(SenderState.SETTLING);
            return moveTo(Phase.SETTLING);
        }
        PendingBatch next = inFlight.nextToHandOver();
        if (next != null && next.isConverted()) {
            handOver(next, now);
            return StepWait.NONE;
        }
        awaited = next;
        if (window.isReached(inFlight.size(), now) || inFlight.isHeavy()) {
            return waitFor(workOrStop);
        }
        try {
            return takeBatch(next, now);
        } catch (StoreClosedException e) {
            LOG.debug("store was closed before its sender: instance={}", config.instance());
            return moveTo(Phase.FINISHING);
        }
    }

    private void handOver(PendingBatch next, long now) {
        conversionFailure = next.conversionFailure();
        if (conversionFailure == null) {
            inFlight.handOverNextTo(producer, now);
        } else {
            signal.raiseFailure();
        }
    }

    /** Takes a batch; if there is none, the next step waits for entries, or for the broker. */
    private StepWait takeBatch(@Nullable PendingBatch next, long now) {
        entriesPut = false;
        if (isGathering(now)) {
            long end = takenNanos + MAX_GATHERING_NANOS;
            long check = timeouts.nextCheckNanos();
            return new StepWait(workOrStopOrEntries, end - check < 0 ? end : check);
        }
        Batch batch = store.getIfReady(config.batchLimit(), Readiness.ANY);
        if (batch != null) {
            List<Batch> batches = withMore(batch);
            long bytes = batches.stream().mapToLong(Batch::sizeBytes).sum();
            boolean isConvertedHere = next == null && bytes <= SMALL_BYTES;
            inFlight.addAll(
                    PendingBatch.convert(batches, isConvertedHere ? smallConversion : conversion, producer, signal));
            progress.setBatchesInFlight(inFlight.size());
            takenNanos = now;
            return StepWait.NONE;
        }
        if (next != null) {
            return waitFor(workOrStop);
        }
        inFlight.saveCursor();
        // A store that is full of what the broker has not confirmed gets nothing new before an ack.
        return new StepWait(workOrStopOrEntries, now + idleNanos);
    }

    /**
     * Whether entries are left in the store for now, since they are sent together with those that come before the next answer, or with
     * those for which there is room after it. A producer that gathers messages by itself is given them at once.
     */
    private boolean isGathering(long now) {
        if (inFlight.conversions() < CONVERSIONS_BEFORE_GATHERING || now - takenNanos >= MAX_GATHERING_NANOS) {
            return false;
        }
        int preparedBytes = producer.preparedBytes();
        if (preparedBytes == 0) {
            return false;
        }
        long batches = batchesOf(preparedBytes);
        return window.batches() - inFlight.size() < batches || !store.hasWaiting(bytesOf(batches, preparedBytes));
    }

    /** How many batches so many bytes of entries are, at most half of those that may be in flight. */
    private long batchesOf(int bytes) {
        return config.batchLimit() instanceof BatchLimit.Bytes limit
                ? Math.min(window.batches() / 2, bytes / limit.bytes())
                : 1;
    }

    /** How many bytes of entries so many batches are, or one, at most {@code bytes}: more would wait for entries that are not taken. */
    private long bytesOf(long batches, int bytes) {
        return config.batchLimit() instanceof BatchLimit.Bytes limit
                ? Math.min(bytes, Math.max(1, batches) * limit.bytes())
                : bytes;
    }

    /** A batch, and those after it that the producer prepares with it. */
    private List<Batch> withMore(Batch first) {
        int preparedBytes = producer.preparedBytes();
        boolean isAlone = !window.take();
        if (preparedBytes == 0 || isAlone) {
            return List.of(first);
        }
        List<Batch> batches = new ArrayList<>();
        long bytes = 0;
        // Not all, so that the next ones are converted while these are on their way.
        int room = Math.min(window.batches() - inFlight.size(), Math.max(1, window.batches() / 2));
        for (Batch next = first; next != null; ) {
            batches.add(next);
            bytes += next.sizeBytes();
            boolean isEnough = bytes >= preparedBytes || batches.size() >= room;
            next = isEnough ? null : store.getIfReady(config.batchLimit(), Readiness.ANY);
        }
        return batches;
    }

    /** A wait that ends with the next check of the broker's timeouts at the latest. */
    private StepWait waitFor(BooleanSupplier condition) {
        return new StepWait(condition, timeouts.nextCheckNanos());
    }

    private boolean hasWorkOrStopOrEntries() {
        return entriesPut || hasWorkOrStop();
    }

    private boolean isStopRequested() {
        return stop;
    }

    private boolean hasWorkOrStop() {
        return stop || hasWorkOrFailure();
    }

    private boolean hasWorkOrFailure() {
        PendingBatch next = awaited;
        return signal.hasFailure() || (next == null ? inFlight.isOldestConfirmed() : next.isConverted());
    }

    private void ackConfirmed(long now) {
        PendingBatch acked = inFlight.ackOldestConfirmed();
        if (acked == null) {
            return;
        }
        for (; acked != null; acked = inFlight.ackOldestConfirmed()) {
            progress.acked(acked);
            window.answered(acked.wasSent(), now - acked.handedOverNanos(), now);
        }
        progress.setBatchesInFlight(inFlight.size());
        progress.setMaxBatchesInFlight(window.batches());
        backoff.reset();
    }

    /**
     * Waits for the producer's answers before anything is sent again: otherwise an old message could arrive after its
     * repetition. Then acks what is confirmed, answers rejections, and hands what is left over again, perhaps after a back-off.
     */
    private StepWait settle() {
        timeouts.check(time.nanos());
        if (!inFlight.areSettled()) {
            return waitFor(settled);
        }
        DeliveryFailure failure = takeFailure();
        boolean isOnceMore = rejections.areSentOnceMore(inFlight.handedOver(), conversionFailure);
        if (!isOnceMore) {
            progress.failed(failure);
        }
        boolean isAnswered;
        try {
            isAnswered = rejections.answerAll(inFlight.handedOver(), conversionFailure);
        } catch (ProducerBrokenException e) {
            if (!stop) {
                throw e;
            }
            return endStopped(failure); // the producer may have been closed for the stop
        }
        progress.addResent(inFlight.startAgain());
        return isAnswered || isOnceMore ? restart() : beginBackOff(failure);
    }

    /** To be called when the producer has answered for everything. */
    private DeliveryFailure takeFailure() {
        long now = time.nanos();
        ackConfirmed(now);
        window.failed(now);
        DeliveryFailure sent = inFlight.oldestFailure();
        DeliveryFailure failure =
                Objects.requireNonNull(sent == null ? conversionFailure : sent, "a failure without a batch");
        signal.clearFailure();
        return failure;
    }

    private StepWait beginBackOff(DeliveryFailure failure) {
        Duration next = backoff.next();
        Duration least = rejections.pause();
        Duration backOff = next.compareTo(least) < 0 ? least : next;
        progress.setBackOff(backOff);
        progress.enter(SenderState.BACKING_OFF);
        LOG.warn(
                "delivery failed, retrying after a back-off: instance={} batch={} failuresInARow={} backOffMs={} cause={}",
                config.instance(),
                failure.batchId(),
                progress.failuresInARow(),
                backOff.toMillis(),
                String.valueOf(failure.cause()));
        backOffEndNanos = time.nanos() + backOff.toNanos();
        return moveTo(Phase.BACKING_OFF);
    }

    private StepWait backOff() {
        if (stop) {
            end(SenderState.STOPPED);
            return StepWait.NONE;
        }
        if (backOffEndNanos - time.nanos() > 0) {
            return new StepWait(stopRequested, backOffEndNanos);
        }
        progress.setBackOff(Duration.ZERO);
        return restart();
    }

    private StepWait restart() {
        producer.restart();
        if (conversionFailure != null) {
            conversionFailure = null;
            inFlight.convertAgain(conversion, producer, signal);
        }
        progress.enter(SenderState.RUNNING);
        return moveTo(Phase.DELIVERING);
    }

    /** Hands over what was taken and acks it, until nothing is left or something fails. */
    private StepWait finish() {
        progress.enter(SenderState.STOPPING);
        long now = time.nanos();
        timeouts.check(now);
        ackConfirmed(now);
        if (signal.hasFailure()) {
            progress.enter(SenderState.SETTLING);
            return moveTo(Phase.GIVING_UP);
        }
        if (inFlight.size() == 0) {
            inFlight.saveCursor();
            end(SenderState.STOPPED);
            return StepWait.NONE;
        }
        PendingBatch next = inFlight.nextToHandOver();
        if (next != null && next.isConverted()) {
            handOver(next, now);
            return StepWait.NONE;
        }
        awaited = next;
        return waitFor(workOrFailure);
    }

    /** A failure while stopping: waits for the answers, acks what is confirmed, and ends. */
    private StepWait giveUp() {
        timeouts.check(time.nanos());
        if (!inFlight.areSettled()) {
            return waitFor(settled);
        }
        DeliveryFailure failure = takeFailure();
        progress.failed(failure);
        return endStopped(failure);
    }

    private StepWait endStopped(DeliveryFailure failure) {
        LOG.warn(
                "delivery failed while stopping, the rest is sent after the next start: instance={} batch={} cause={}",
                config.instance(),
                failure.batchId(),
                String.valueOf(failure.cause()));
        end(SenderState.STOPPED);
        return StepWait.NONE;
    }
}
