package io.sluice.server.pace;

import io.sluice.format.entry.Entry;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much may be delivered at the moment within the limits of rows and bytes. Limits are of the bytes of messages, and what is handed out are
 * entries; so it measures how many bytes of messages come of the bytes of entries. For one thread at a time.
 */
final class RateBudget {
    /** How often the bytes of messages are compared with those of their entries. */
    private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private RateLimits limits = RateLimits.NONE;
    private @Nullable TokenBucket rows;
    private @Nullable TokenBucket bytes;
    private @Nullable LongSupplier deliveredBytes;

    /** Bytes of messages for each byte of entries, as measured. */
    private double expansion = 1;

    private long measuredNanos;
    private long measuredBytes;
    private long entryBytesSince;
    private double spentSince;

    /** Of the batch that is taken. */
    private double batchRows;

    private double batchBytes;

    RateLimits limits() {
        return limits;
    }

    boolean isLimited() {
        return rows != null || bytes != null;
    }

    /** Sets the limits from now on; nothing is spent yet. */
    void limit(RateLimits next, long nowNanos) {
        limits = next;
        rows = next.rowsPerSecond() == 0 ? null : new TokenBucket(next.rowsPerSecond(), nowNanos);
        bytes = next.bytesPerSecond() == 0 ? null : new TokenBucket(next.bytesPerSecond(), nowNanos);
        beginMeasuring(nowNanos);
    }

    /**
     * Measures the messages of another instance from now on.
     *
     * @param messageBytes how many bytes of messages it has delivered so far; null if a message is as large as its entries
     */
    void measureBy(@Nullable LongSupplier messageBytes, long nowNanos) {
        deliveredBytes = messageBytes;
        beginMeasuring(nowNanos);
    }

    /** What was delivered before counts for nothing. */
    private void beginMeasuring(long nowNanos) {
        LongSupplier source = deliveredBytes;
        measuredNanos = nowNanos;
        measuredBytes = source == null ? 0 : source.getAsLong();
        entryBytesSince = 0;
        spentSince = 0;
    }

    /** Spends what messages were larger than expected of their entries, and expects that of the next. */
    private void measure(long nowNanos) {
        LongSupplier source = deliveredBytes;
        if (source == null) {
            return;
        }
        long delivered = source.getAsLong();
        TokenBucket ofBytes = bytes;
        if (ofBytes != null) {
            ofBytes.spend(delivered - measuredBytes - spentSince);
        }
        if (entryBytesSince > 0 && delivered > measuredBytes) {
            expansion = (expansion + (double) (delivered - measuredBytes) / entryBytesSince) / 2;
        }
        measuredNanos = nowNanos;
        measuredBytes = delivered;
        entryBytesSince = 0;
        spentSince = 0;
    }

    /** How long until something may be spent; 0 if it may be now. */
    long nanosInDebt(long nowNanos) {
        TokenBucket ofRows = rows;
        TokenBucket ofBytes = bytes;
        return Math.max(
                ofRows == null ? 0 : ofRows.nanosInDebt(nowNanos), ofBytes == null ? 0 : ofBytes.nanosInDebt(nowNanos));
    }

    /** Begins a batch, and returns how long it must wait; 0 if it need not. */
    long beginBatch(long nowNanos) {
        if (bytes != null && nowNanos - measuredNanos >= MEASURE_NANOS) {
            measure(nowNanos);
        }
        batchRows = 0;
        batchBytes = 0;
        return nanosInDebt(nowNanos);
    }

    /** Spends an entry. Returns whether the batch should end after it, so that no batch is so large that it comes in bursts. */
    boolean spend(Entry entry) {
        TokenBucket ofRows = rows;
        TokenBucket ofBytes = bytes;
        boolean isEnough = false;
        if (ofRows != null) {
            ofRows.spend(entry.rowCount());
            batchRows += entry.rowCount();
            isEnough = batchRows >= ofRows.capacity();
        }
        if (ofBytes != null) {
            double size = entry.sizeBytes() * expansion;
            ofBytes.spend(size);
            entryBytesSince += entry.sizeBytes();
            spentSince += size;
            batchBytes += size;
            isEnough |= batchBytes >= ofBytes.capacity();
        }
        return isEnough;
    }
}
