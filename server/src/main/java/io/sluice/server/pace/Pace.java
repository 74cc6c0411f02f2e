package io.sluice.server.pace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.DurableText;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreGate;
import io.sluice.store.ring.StoreGate.Verdict;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast one destination is delivered: paused, limited, or as fast as it goes. It decides what its store hands out; what was handed out
 * before is delivered. So the reader stops when the store is full, and no other queue grows.
 *
 * <p>It belongs to the destination, not to an instance, so it stays when an instance is started again. Thread-safe.
 */
public final class Pace {
    private static final Logger LOG = LoggerFactory.getLogger(Pace.class);

    /** How often the bytes of messages are compared with those of their entries. */
    private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int MAX_REASON = 300;

    /** After how long a text is written again that could not be written. */
    private static final long RETRY_SECONDS = 5;

    private final String destination;
    private final ScheduledExecutorService timer;
    private final Time time;
    private final Object wakeLock = new Object();
    private final Gate gate = new Gate();
    private final Object lock = new Object();
    private final Consumer<List<Entry>> acked;

    @GuardedBy("wakeLock") private @Nullable ScheduledFuture<?> wake;

    @GuardedBy("wakeLock") private long wakeNanos;

    private volatile @Nullable EntryStore store;

    /** Null if nothing is kept over a restart of the process. */
    private volatile @Nullable PaceKeeping keeping;

    private volatile Executor writers = Runnable::run;

    /** Whether it is tried later to write what could not be written. */
    private final AtomicBoolean retrying = new AtomicBoolean();

    @GuardedBy("lock") private @Nullable String pauseReason;

    @GuardedBy("lock") private @Nullable Instant pausedSince;

    @GuardedBy("lock") private @Nullable StopPoint stopPoint;

    @GuardedBy("lock") private RateLimits limits = RateLimits.NONE;

    @GuardedBy("lock") private @Nullable TokenBucket rows;

    @GuardedBy("lock") private @Nullable TokenBucket bytes;

    @GuardedBy("lock") private @Nullable LongSupplier deliveredBytes;

    /** Bytes of messages for each byte of entries, as measured. */
    @GuardedBy("lock") private double expansion = 1;

    @GuardedBy("lock") private long measuredNanos;

    @GuardedBy("lock") private long measuredBytes;

    @GuardedBy("lock") private long entryBytesSince;

    @GuardedBy("lock") private double spentSince;

    /** Of the batch that is taken. */
    @GuardedBy("lock") private double batchRows;

    @GuardedBy("lock") private double batchBytes;

    /**
     * Makes one that lets everything pass.
     *
     * @param timer has stores asked again; what it runs takes no time
     * @param acked is given the entries that were delivered, each once; must be quick
     */
    public Pace(String destination, ScheduledExecutorService timer, Time time, Consumer<List<Entry>> acked) {
        this.destination = destination;
        this.timer = timer;
        this.time = time;
        this.acked = acked;
    }

    /** As {@link #takeOver}, from a text that only this process writes. */
    public void keepIn(DurableText text, Executor writers) {
        takeOver(text, () -> true, PaceKept.FILE, writers);
    }

    /**
     * Takes over what was set before, by an earlier process or another server, instead of what is set, and keeps what is set from now on.
     * What cannot be read counts as a pause: it may have been one. To be called before an instance is made.
     *
     * @param owned whether the text is still ours to write; one that is not is not tried again
     * @param kept how long what is in the text holds
     * @param writers may wait for the text to be written
     */
    public void takeOver(DurableText text, BooleanSupplier owned, PaceKept kept, Executor writers) {
        keeping = null; // nothing of this is written where it was kept before
        this.writers = writers;
        PaceKeeping next = new PaceKeeping(destination, text, owned, kept);
        try {
            set(next.read());
        } catch (IOException e) {
            set(KeptPace.NOTHING);
            synchronized (lock) {
                close(String.valueOf(e.getMessage()));
            }
            LOG.error(
                    "the instance stays paused; resume with: sluice.sh resume {}: instance={} cause={}",
                    destination,
                    destination,
                    e.getMessage());
        }
        keeping = next;
    }

    private void set(KeptPace kept) {
        synchronized (lock) {
            pauseReason = kept.reason();
            pausedSince = kept.since();
            stopPoint = kept.stopPoint();
            setLimits(kept.limits());
        }
        if (!kept.isNothing()) {
            LOG.warn(
                    "what an operator has set before still holds: instance={} paused_since={} reason={} pause_at={}"
                            + " rows_per_second={} bytes_per_second={}; resume with: sluice.sh resume {}",
                    destination,
                    kept.since(),
                    kept.reason(),
                    kept.stopPoint() == null ? null : kept.stopPoint().text(),
                    kept.limits().rowsPerSecond(),
                    kept.limits().bytesPerSecond(),
                    destination);
        }
    }

    /** Keeps what is set, and what is set from now on, in another text, as {@link #takeOver} does. */
    public void moveTo(DurableText text, BooleanSupplier owned, PaceKept kept, Executor writers) {
        this.writers = writers;
        keeping = new PaceKeeping(destination, text, owned, kept);
        keep();
    }

    /** Keeps nothing any more: what is set holds until the process ends. */
    public void keepNowhere() {
        keeping = null;
    }

    /** Why what is set now ends with this process, though it is to be kept; null if it is kept, or is not to be. */
    public @Nullable String whyNotKept() {
        PaceKeeping current = keeping;
        return current == null ? null : current.failure();
    }

    private KeptPace kept() {
        synchronized (lock) {
            return new KeptPace(pauseReason, pausedSince, stopPoint, limits);
        }
    }

    private void keep() {
        PaceKeeping current = keeping;
        if (current != null) {
            current.keep(this::kept);
            if (current.isDue()) {
                retryLater();
            }
        }
    }

    private void retryLater() {
        if (retrying.compareAndSet(false, true)) {
            try {
                ScheduledFuture<?> unused = timer.schedule(this::retry, RETRY_SECONDS, TimeUnit.SECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("the server ends, nothing is written any more: instance={}", destination, e);
            }
        }
    }

    private void retry() {
        retrying.set(false);
        PaceKeeping current = keeping;
        if (current != null && current.isDue()) {
            keepLater();
        }
    }

    /** Keeps it without delaying the store, whose lock is held. Until that is done, the point is kept, where it would pause again. */
    private void keepLater() {
        if (keeping != null) {
            PooledTimer later = new PooledTimer(
                    timer,
                    writers,
                    failure -> LOG.warn(
                            "a pause or limit is kept later, since no worker takes it: instance={} cause={}",
                            destination,
                            String.valueOf(failure)));
            later.execute(this::keep);
        }
    }

    /**
     * Decides from now on what a store hands out, and nothing about the one before.
     *
     * @param messageBytes how many bytes of messages were delivered from this store so far; null if a message is as large as its entries
     */
    public void attach(EntryStore next, @Nullable LongSupplier messageBytes) {
        synchronized (lock) {
            deliveredBytes = messageBytes;
            beginMeasuring(time.nanos());
        }
        store = next;
        next.setGate(gate);
    }

    /**
     * Pauses now; a point at which it was to pause is forgotten. One that is paused stays so, with its first reason.
     *
     * @param reason who wants it, and why; for logs and status
     */
    public void pause(String reason) {
        synchronized (lock) {
            stopPoint = null;
            close(reason);
        }
        keep();
    }

    /** Pauses when a point is reached; one before that is replaced. Does nothing while it is paused. */
    public void pauseAt(StopPoint point) {
        synchronized (lock) {
            if (pauseReason == null) {
                stopPoint = point;
            }
        }
        keep();
        wake();
    }

    /** Ends a pause, and forgets the point at which it was to pause. */
    public void resume() {
        synchronized (lock) {
            if (pauseReason != null) {
                LOG.info("delivery is resumed: instance={}", destination);
            }
            pauseReason = null;
            pausedSince = null;
            stopPoint = null;
        }
        keep();
        wake();
    }

    /** Sets the largest rates, from now on. */
    public void limit(RateLimits next) {
        synchronized (lock) {
            setLimits(next);
        }
        keep();
        wake();
    }

    @GuardedBy("lock") private void setLimits(RateLimits next) {
        long now = time.nanos();
        limits = next;
        rows = next.rowsPerSecond() == 0 ? null : new TokenBucket(next.rowsPerSecond(), now);
        bytes = next.bytesPerSecond() == 0 ? null : new TokenBucket(next.bytesPerSecond(), now);
        beginMeasuring(now);
    }

    /** What holds it up at the moment. */
    public PaceStatus status() {
        PaceKeeping current = keeping;
        synchronized (lock) {
            StopPoint point = stopPoint;
            return new PaceStatus(
                    pauseReason != null,
                    pauseReason,
                    pausedSince,
                    point == null ? null : point.text(),
                    limits,
                    current == null ? PaceKept.PROCESS : current.kept(),
                    current == null ? null : current.failure());
        }
    }

    /** Whether nothing is handed out now, which is no fault of any stage. */
    public boolean isHolding() {
        synchronized (lock) {
            return pauseReason != null || nanosInDebt(time.nanos()) > 0;
        }
    }

    @GuardedBy("lock") private void close(String reason) {
        if (pauseReason == null) {
            String shown = shown(reason);
            pauseReason = shown;
            pausedSince = Instant.ofEpochMilli(time.millis());
            LOG.info("delivery is paused: instance={} reason={}", destination, shown);
        }
    }

    /** Without what could end a line of the log, and not longer than a line. */
    private static String shown(String reason) {
        String line = reason.replaceAll("\\p{Cntrl}", " ");
        return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) : line;
    }

    @GuardedBy("lock") private long nanosInDebt(long now) {
        TokenBucket ofRows = rows;
        TokenBucket ofBytes = bytes;
        return Math.max(ofRows == null ? 0 : ofRows.nanosInDebt(now), ofBytes == null ? 0 : ofBytes.nanosInDebt(now));
    }

    /** What was delivered before counts for nothing. */
    @GuardedBy("lock") private void beginMeasuring(long now) {
        LongSupplier source = deliveredBytes;
        measuredNanos = now;
        measuredBytes = source == null ? 0 : source.getAsLong();
        entryBytesSince = 0;
        spentSince = 0;
    }

    /** Spends what messages were larger than expected of their entries, and expects that of the next. */
    @GuardedBy("lock") private void measure(long now) {
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
        measuredNanos = now;
        measuredBytes = delivered;
        entryBytesSince = 0;
        spentSince = 0;
    }

    private void wake() {
        EntryStore current = store;
        if (current != null) {
            current.gateChanged();
        }
    }

    /** Has the store asked again in so many nanoseconds; sooner than that, if something else wants it. */
    private void wakeIn(long nanos) {
        long due = time.nanos() + nanos;
        synchronized (wakeLock) {
            ScheduledFuture<?> pending = wake;
            if (pending != null && wakeNanos - due <= 0) {
                return;
            }
            if (pending != null) {
                pending.cancel(false);
            }
            try {
                wakeNanos = due;
                wake = timer.schedule(this::wakeNow, nanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                wake = null;
                LOG.debug("the server ends, nothing is woken: instance={}", destination, e);
            }
        }
    }

    private void wakeNow() {
        synchronized (wakeLock) {
            wake = null;
        }
        wake();
    }

    private boolean isOpen() {
        long wait;
        synchronized (lock) {
            if (pauseReason != null) {
                return false;
            }
            if (rows == null && bytes == null) {
                return true;
            }
            long now = time.nanos();
            if (bytes != null && now - measuredNanos >= MEASURE_NANOS) {
                measure(now);
            }
            wait = nanosInDebt(now);
            batchRows = 0;
            batchBytes = 0;
        }
        if (wait > 0) {
            wakeIn(wait);
        }
        return wait == 0;
    }

    @GuardedBy("lock") private Verdict decide(Entry entry, boolean isFirst) {
        StopPoint point = stopPoint;
        if (point != null && isFirst && point.isBefore(entry)) {
            reach(point);
            return Verdict.STOP_BEFORE;
        }
        boolean isEnough = spend(entry);
        if (point != null && entry.isBoundary()) {
            Cursor cursor = entry.cursor();
            if (point.isReachedBy(cursor)) {
                reach(point);
                return Verdict.STOP_AFTER;
            }
            if (point.isOfAnotherServer(cursor)) {
                stopPoint = null;
                close("the source is another server now, where " + point.text() + " is somewhere else");
                keepLater();
                return Verdict.STOP_AFTER;
            }
        }
        return isEnough ? Verdict.STOP_AFTER : Verdict.PASS;
    }

    @GuardedBy("lock") private void reach(StopPoint point) {
        stopPoint = null;
        close(point.text() + " is reached");
        keepLater();
    }

    /** Whether a batch should end after the entry, so that no batch is so large that it comes in bursts. */
    @GuardedBy("lock") private boolean spend(Entry entry) {
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

    /** Called under the store's lock; so nothing of the store is called while the lock of this is held. */
    private final class Gate implements StoreGate {
        @Override
        public boolean isOpen() {
            return Pace.this.isOpen();
        }

        @Override
        public boolean isLooking() {
            synchronized (lock) {
                return stopPoint != null || rows != null || bytes != null;
            }
        }

        @Override
        public Verdict look(Entry entry, boolean isFirst) {
            synchronized (lock) {
                return decide(entry, isFirst);
            }
        }

        @Override
        public void acked(List<Entry> entries) {
            acked.accept(entries);
        }
    }
}
