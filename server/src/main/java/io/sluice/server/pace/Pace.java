package io.sluice.server.pace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreGate;
import io.sluice.store.ring.StoreGate.Verdict;
import io.sluice.store.text.DurableText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast one destination is delivered: paused, limited, or as fast as it goes. It decides what its store hands out; what was handed out
 * before is delivered, also once more after a rollback. So the reader stops when the store is full, and no other queue grows.
 *
 * <p>It belongs to the destination, not to an instance, so it stays when an instance is started again. Thread-safe.
 *
 * <p>Owns what an operator has set, and decides by it. {@link RateBudget} computes the rates, {@link PaceKeeper} keeps what is set,
 * {@link StoreWake} has the store ask again.
 */
public final class Pace {
    private static final Logger LOG = LoggerFactory.getLogger(Pace.class);

    private static final int MAX_REASON = 300;

    private final String destination;
    private final Time time;
    private final Gate gate = new Gate();
    private final Object lock = new Object();
    private final Consumer<List<Entry>> acked;
    private final PaceKeeper keeper;
    private final StoreWake store;

    @GuardedBy("lock") private @Nullable String pauseReason;

    @GuardedBy("lock") private @Nullable Instant pausedSince;

    /** Where it is to pause, or where it has. */
    @GuardedBy("lock") private @Nullable PauseTarget pauseTarget;

    /** Whether it is paused at a target that what its store begins with is before: that is delivered, since not all of it may have been. */
    @GuardedBy("lock") private boolean isCatchingUp;

    @GuardedBy("lock") private final RateBudget budget = new RateBudget();

    /**
     * Makes one that lets everything pass.
     *
     * @param timer has stores asked again; what it runs takes no time
     * @param acked is given the entries that were delivered, each once; must be quick
     */
    public Pace(String destination, ScheduledExecutorService timer, Time time, Consumer<List<Entry>> acked) {
        this.destination = destination;
        this.time = time;
        this.acked = acked;
        this.keeper = new PaceKeeper(destination, timer, this::kept);
        this.store = new StoreWake(destination, timer, time);
    }

    /** As {@link #takeOver}, from a text that only this process writes. */
    public void keepIn(DurableText text, Executor writers) {
        takeOver(text, () -> true, PaceKept.FILE, writers);
    }

    /**
     * Takes over what was set before, by an earlier process or another server, instead of what is set, and keeps what is set from now on.
     * What cannot be read counts as a pause: it may have been one. To be called before an instance is made.
     *
     * @param owned whether this server still owns the text; if not, writing it is not tried again
     * @param kept how long what is in the text holds
     * @param writers may wait for the text to be written
     */
    public void takeOver(DurableText text, BooleanSupplier owned, PaceKept kept, Executor writers) {
        keeper.keepNowhere(); // nothing of this is written where it was kept before
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
        keeper.keepIn(next, writers);
    }

    private void set(KeptPace kept) {
        synchronized (lock) {
            pauseReason = kept.reason();
            pausedSince = kept.since();
            pauseTarget = kept.pauseTarget();
            isCatchingUp = false;
            budget.limit(kept.limits(), time.nanos());
        }
        if (!kept.isNothing()) {
            LOG.warn(
                    "what an operator has set before still holds: instance={} paused_since={} reason={} pause_at={}"
                            + " rows_per_second={} bytes_per_second={}; resume with: sluice.sh resume {}",
                    destination,
                    kept.since(),
                    kept.reason(),
                    kept.pauseTarget() == null ? null : kept.pauseTarget().text(),
                    kept.limits().rowsPerSecond(),
                    kept.limits().bytesPerSecond(),
                    destination);
        }
    }

    /** Keeps what is set, and what is set from now on, in another text, as {@link #takeOver} does. */
    public void moveTo(DurableText text, BooleanSupplier owned, PaceKept kept, Executor writers) {
        keeper.keepIn(new PaceKeeping(destination, text, owned, kept), writers);
        keeper.keep();
    }

    /** Writes what is set where it is kept, if that is a file which is gone; one that is there stays, whatever is in it. */
    public void keepIfGone() {
        keeper.keepIfGone();
    }

    /** Keeps nothing any more: what is set holds until the process ends. */
    public void keepNowhere() {
        keeper.keepNowhere();
    }

    /** Why what is set now ends with this process, though it is to be kept; null if it is kept, or is not to be. */
    public @Nullable String whyNotKept() {
        PaceKeeping current = keeper.keeping();
        return current == null ? null : current.failure();
    }

    private KeptPace kept() {
        synchronized (lock) {
            return new KeptPace(pauseReason, pausedSince, pauseTarget, budget.limits());
        }
    }

    /**
     * Decides from now on what a store hands out, and nothing about the one before.
     *
     * @param begin where the store begins; null if that is not known, so that a pause holds from its first entry on
     * @param messageBytes how many bytes of messages were delivered from this store so far; null if a message is as large as its entries
     */
    public void attach(EntryStore next, @Nullable Cursor begin, @Nullable LongSupplier messageBytes) {
        synchronized (lock) {
            budget.measureBy(messageBytes, time.nanos());
            PauseTarget target = pauseTarget;
            isCatchingUp = pauseReason != null
                    && target != null
                    && begin != null
                    && !target.isLostAt(begin)
                    && !target.isReachedBy(begin);
            store.attach(next);
        }
        next.setGate(gate);
    }

    /**
     * Holds a store no longer whose instance has ended, so that its entries and its sender can be collected: this is kept when the destination is
     * removed. Does nothing if another store is attached.
     */
    public void detach(EntryStore former) {
        synchronized (lock) {
            if (store.detach(former)) {
                budget.measureBy(null, time.nanos());
            }
        }
    }

    /**
     * Pauses now if the instance that is made cannot find the target at which it was to pause; else it would pass it. To be called before its
     * store is attached.
     *
     * @param obstacle why a target cannot be found; null if it can
     */
    public void requireFindable(Function<PauseTarget, @Nullable String> obstacle) {
        synchronized (lock) {
            PauseTarget target = pauseTarget;
            if (target == null) {
                return;
            }
            String why = obstacle.apply(target);
            if (why == null) {
                return;
            }
            pauseTarget = null;
            isCatchingUp = false;
            close("%s cannot be found: %s".formatted(target.text(), why));
        }
        keeper.keep();
    }

    /**
     * Pauses now; a position at which it was to pause is removed. One that is paused stays so, with its first reason, and with the target at which it has
     * paused.
     *
     * @param reason the caller and the reason, for logs and status
     */
    public void pause(String reason) {
        synchronized (lock) {
            if (pauseReason == null) {
                pauseTarget = null;
                close(reason);
            }
        }
        keeper.keep();
    }

    /** Pauses when a target is reached; one before that is replaced. Does nothing while it is paused. */
    public void pauseAt(PauseTarget target) {
        synchronized (lock) {
            if (pauseReason == null) {
                pauseTarget = target;
            }
        }
        keeper.keep();
        store.wake();
    }

    /** Ends a pause, and removes the position at which it was to pause. */
    public void resume() {
        synchronized (lock) {
            if (pauseReason != null) {
                LOG.info("delivery is resumed: instance={}", destination);
            }
            pauseReason = null;
            pausedSince = null;
            pauseTarget = null;
            isCatchingUp = false;
        }
        keeper.keep();
        store.wake();
    }

    /** Sets the largest rates, from now on. */
    public void limit(RateLimits next) {
        synchronized (lock) {
            budget.limit(next, time.nanos());
        }
        keeper.keep();
        store.wake();
    }

    /** What holds it up at the moment. */
    public PaceStatus status() {
        PaceKeeping current = keeper.keeping();
        synchronized (lock) {
            PauseTarget target = pauseReason == null ? pauseTarget : null;
            return new PaceStatus(
                    pauseReason != null,
                    pauseReason,
                    pausedSince,
                    target == null ? null : target.text(),
                    budget.limits(),
                    current == null ? PaceKept.PROCESS : current.kept(),
                    current == null ? null : current.failure());
        }
    }

    /** Whether nothing is handed out now, which is no fault of any stage. */
    public boolean isHolding() {
        synchronized (lock) {
            return isPaused() || budget.nanosInDebt(time.nanos()) > 0;
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

    /** Whether nothing is handed out that was not before. */
    @GuardedBy("lock") private boolean isPaused() {
        return pauseReason != null && !isCatchingUp;
    }

    /** The target before which it is; null if there is none. */
    @GuardedBy("lock") private @Nullable PauseTarget targetAhead() {
        return isPaused() ? null : pauseTarget;
    }

    /** Whether something may be handed out: what never was while it is not paused, or else what was. */
    private boolean isOpen(boolean whilePaused) {
        long wait;
        synchronized (lock) {
            if (isPaused() != whilePaused) {
                return false;
            }
            if (!budget.isLimited()) {
                return true;
            }
            wait = budget.beginBatch(time.nanos());
        }
        if (wait > 0) {
            store.wakeIn(wait);
        }
        return wait == 0;
    }

    @GuardedBy("lock") private Verdict decide(Entry entry, boolean isFirst) {
        PauseTarget target = targetAhead();
        if (target != null && isFirst && target.isBefore(entry)) {
            reach(target);
            return Verdict.CLOSE_BEFORE;
        }
        boolean isEnough = budget.spend(entry);
        if (target != null && entry.isBoundary()) {
            Cursor cursor = entry.cursor();
            if (target.isReachedBy(cursor)) {
                reach(target);
                return Verdict.CLOSE_AFTER;
            }
            if (target.isLostAt(cursor)) {
                pauseTarget = null;
                isCatchingUp = false;
                close(target.lost());
                keeper.keepLater();
                return Verdict.CLOSE_AFTER;
            }
        }
        return isEnough ? Verdict.STOP_AFTER : Verdict.PASS;
    }

    /**
     * Pauses at a target. That is kept later, as the store's lock is held; until then the target is, where the next process would pause. The target is kept
     * with the pause: what is before it may have to be delivered again by another instance.
     */
    @GuardedBy("lock") private void reach(PauseTarget target) {
        isCatchingUp = false;
        close(target.text() + " is reached");
        keeper.keepLater();
    }

    /** Called under the store's lock; so nothing of the store is called while the lock of this is held. */
    private final class Gate implements StoreGate {
        @Override
        public boolean isOpen() {
            return Pace.this.isOpen(false);
        }

        @Override
        public boolean isOpenAgain() {
            return Pace.this.isOpen(true);
        }

        @Override
        public boolean inspectsEntries() {
            synchronized (lock) {
                return targetAhead() != null || budget.isLimited();
            }
        }

        @Override
        public Verdict judge(Entry entry, boolean isFirst) {
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
