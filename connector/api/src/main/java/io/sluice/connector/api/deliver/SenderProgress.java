package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** State and counters of a sender. Written by the sender's thread alone, read by any. */
@SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
final class SenderProgress {
    private static final long NEVER = Long.MIN_VALUE;

    private final Time time;

    private volatile SenderState state = SenderState.NEW;
    private volatile long stateSinceNanos;
    private volatile int inFlight;
    private volatile int maxInFlight;
    private volatile long ackedBatches;
    private volatile long ackedMessages;
    private volatile long ackedBytes;
    private volatile long failures;
    private volatile int failuresInARow;
    private volatile long resentMessages;
    private volatile long splitMessages;
    private volatile long skippedMessages;
    private volatile long deadLetters;
    private volatile @Nullable DeliveryFailure lastFailure;
    private volatile Duration backOff = Duration.ZERO;
    private volatile long silentSinceNanos = NEVER;
    private volatile boolean doubtful;

    SenderProgress(Time time) {
        this.time = time;
        this.stateSinceNanos = time.nanos();
    }

    void enter(SenderState next) {
        if (next != state) {
            stateSinceNanos = time.nanos();
            state = next;
        }
    }

    SenderState state() {
        return state;
    }

    void setBatchesInFlight(int count) {
        inFlight = count;
    }

    int batchesInFlight() {
        return inFlight;
    }

    void setMaxBatchesInFlight(int count) {
        maxInFlight = count;
    }

    void acked(PendingBatch batch) {
        long bytes = 0;
        int letters = 0;
        int skipped = 0;
        for (PendingMessage next : batch.messages()) {
            if (next.isPassedOver()) {
                skipped++;
            } else {
                bytes += next.message().value().length;
                letters += next.isDeadLetter() ? 1 : 0;
            }
        }
        ackedMessages += batch.messages().size() - skipped;
        ackedBytes += bytes;
        skippedMessages += skipped;
        deadLetters += letters;
        ackedBatches++;
        failuresInARow = 0;
    }

    void failed(DeliveryFailure failure) {
        lastFailure = failure;
        failures++;
        failuresInARow++;
    }

    /** How many messages the broker has confirmed. */
    long ackedMessages() {
        return ackedMessages;
    }

    int failuresInARow() {
        return failuresInARow;
    }

    void addResent(long messages) {
        resentMessages += messages;
    }

    void addSplit() {
        splitMessages++;
    }

    void setBackOff(Duration length) {
        backOff = length;
    }

    /** Sets since when the broker has not answered. */
    void setSilentSince(long nanos) {
        silentSinceNanos = nanos;
    }

    void clearSilence() {
        silentSinceNanos = NEVER;
    }

    /** Sets whether the broker may store something after the end of the sender. */
    void setDoubtful(boolean nowDoubtful) {
        doubtful = nowDoubtful;
    }

    boolean isDoubtful() {
        return doubtful;
    }

    SenderStatus status() {
        long now = time.nanos();
        long silent = silentSinceNanos;
        return new SenderStatus(
                state,
                Duration.ofNanos(Math.max(0, now - stateSinceNanos)),
                inFlight,
                maxInFlight,
                ackedBatches,
                ackedMessages,
                ackedBytes,
                failures,
                failuresInARow,
                resentMessages,
                splitMessages,
                skippedMessages,
                deadLetters,
                lastFailure,
                backOff,
                silent == NEVER ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - silent)));
    }
}
