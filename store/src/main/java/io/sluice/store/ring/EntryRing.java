package io.sluice.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store in memory: a bounded ring.
 *
 * <p>Every method preserves the order of its three sequences:
 *
 * <pre>  acked &lt;= delivered &lt;= published &lt;= acked + slots</pre>
 *
 * <p>so a slot is written again only after its entry was acked. The entries between {@code acked} and {@code published} take
 * at most the configured bytes, unless it is one entry that is larger. While the ring is full a put waits. That is
 * the back-pressure: it reaches the source because the reader stops reading the socket.
 *
 * <p>One lock guards it. It is taken once per put, offer, get and ack, never per entry, and the only foreign code
 * called under it are an entry's accessors, the gate and the change task, which must be quick and must not call the store.
 */
public final class EntryRing implements EntryStore {
    private final RingConfig config;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomFreed = lock.newCondition();

    @GuardedBy("lock") private final RingSlots slots;

    @GuardedBy("lock") private RingPosition published = RingPosition.START;

    @GuardedBy("lock") private RingPosition delivered = RingPosition.START;

    /** How many entries have been handed out, be it before a rollback; those that follow the one at which the gate was closed do not count. */
    @GuardedBy("lock") private long everDelivered;

    @GuardedBy("lock") private RingPosition acked = RingPosition.START;

    @GuardedBy("lock") private long ackedRows;

    @GuardedBy("lock") private long nextBatchId = 1;

    /** Batches with smaller ids were rolled back, unless they were acked before. */
    @GuardedBy("lock") private long firstValidBatchId = 1;

    @GuardedBy("lock") private int waitingPuts;

    /** Of an offer that did not put everything; null if there is none. */
    @GuardedBy("lock") private @Nullable Runnable roomTask;

    @GuardedBy("lock") private final RoomWait roomWait;

    @GuardedBy("lock") private final BoundaryCursors checkpoints = new BoundaryCursors();

    @GuardedBy("lock") private boolean closed;

    /** Whether a transaction is open after the last entry that was acked. */
    @GuardedBy("lock") private boolean ackedWithinTransaction;

    @GuardedBy("lock") private StoreGate gate = StoreGate.OPEN;

    @GuardedBy("lock") private Runnable changeTask = EntryRing::doNothing;

    private static void doNothing() {}

    /** Makes an empty ring; it takes 16 bytes or so for each slot at once. */
    public EntryRing(RingConfig config) {
        this(config, Time.SYSTEM);
    }

    /**
     * Makes an empty ring that measures waits by a clock.
     *
     * @param time is asked only while a producer waits for room
     */
    public EntryRing(RingConfig config, Time time) {
        this.config = config;
        this.roomWait = new RoomWait(time);
        this.slots = new RingSlots(config.slots());
    }

    @Override
    public void put(List<? extends Entry> entries) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            int next = 0;
            while (next < entries.size()) {
                requireOpen();
                next = publish(entries, next);
                if (next < entries.size()) {
                    waitingPuts++;
                    roomWait.begin();
                    changeTask.run(); // one that waits for a full batch must learn that no more will come
                    try {
                        roomFreed.await();
                    } finally {
                        waitingPuts--;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int offer(List<? extends Entry> entries, int first, Runnable whenRoom) {
        lock.lock();
        try {
            requireOpen();
            int next = publish(entries, first);
            if (next < entries.size()) {
                roomTask = whenRoom;
                roomWait.begin();
                changeTask.run(); // as in put: no more will come before an ack
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean awaitRoom(long bytes, Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanosLeft = atMost.toNanos();
            requireOpen();
            while (!hasRoom(bytes)) {
                if (nanosLeft <= 0) {
                    return false;
                }
                waitingPuts++;
                roomWait.begin();
                changeTask.run();
                try {
                    nanosLeft = roomFreed.awaitNanos(nanosLeft);
                } finally {
                    waitingPuts--;
                }
                requireOpen();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean hasRoom(long bytes) {
        return published.entries() == acked.entries() || fitsBytes(published.bytes() + bytes);
    }

    /** Whether the bytes would fit, if so many had been put in all. */
    @GuardedBy("lock") private boolean fitsBytes(long put) {
        return put - acked.bytes() <= config.capacityBytes() && put - delivered.bytes() <= config.waitingBytes();
    }

    /** Whether there is a free slot after so many entries. */
    @GuardedBy("lock") private boolean fitsEntry(long put) {
        return put - acked.entries() < config.slots() && put - delivered.entries() < config.waitingSlots();
    }

    /** Publishes what fits of {@code entries} from index {@code first} on, and returns the index of the next one. */
    @GuardedBy("lock") private int publish(List<? extends Entry> entries, int first) {
        long sequence = published.entries();
        long bytes = published.bytes();
        long time = published.lastTimeMillis();
        int next = first;
        while (next < entries.size()) {
            Entry entry = entries.get(next);
            int size = entry.sizeBytes();
            if (sequence > acked.entries() && !(fitsEntry(sequence) && fitsBytes(bytes + size))) {
                break;
            }
            bytes += size;
            time = entry.executeTimeMillis();
            slots.put(sequence, entry, bytes);
            sequence++;
            next++;
        }
        if (next > first) {
            published = new RingPosition(sequence, bytes, time);
            changeTask.run();
        }
        return next;
    }

    @Override
    public @Nullable Batch getIfReady(BatchLimit limit, Readiness awaited) {
        @Nullable Batch batch;
        Runnable task;
        lock.lock();
        try {
            requireOpen();
            if (!isReady(limit, awaited)) {
                return null;
            }
            batch = take(limit);
            task = freeRoomOfWaiting();
        } finally {
            lock.unlock();
        }
        task.run();
        return batch;
    }

    /** Returns null if the gate lets nothing pass. */
    @GuardedBy("lock") private @Nullable Batch take(BatchLimit limit) {
        RingPosition begin = delivered;
        long last = gate.isOpen() ? published.entries() : endOfClosedGate();
        RingPosition end =
                positionAt(last == begin.entries() ? last : endWithinGate(Math.min(endOfBatch(limit), last)));
        if (end.entries() == begin.entries()) {
            return null;
        }
        delivered = end;
        everDelivered = Math.max(everDelivered, end.entries());
        return new Batch(nextBatchId++, slots.copy(begin.entries(), end.entries()), begin, end);
    }

    /** The sequence after the last entry that a closed gate does not hold back. */
    @GuardedBy("lock") private long endOfClosedGate() {
        return delivered.entries() < everDelivered && gate.isOpenAgain() ? everDelivered : delivered.entries();
    }

    /** The sequence after the last entry that the gate lets pass, of those up to {@code end}. */
    @GuardedBy("lock") private long endWithinGate(long end) {
        if (!gate.inspectsEntries()) {
            return end;
        }
        boolean isFirst = delivered.entries() > acked.entries()
                ? slots.entryAt(delivered.entries() - 1).isBoundary()
                : !ackedWithinTransaction;
        for (long sequence = delivered.entries(); sequence < end; sequence++) {
            Entry entry = slots.entryAt(sequence);
            switch (gate.judge(entry, isFirst)) {
                case STOP_AFTER -> {
                    return sequence + 1;
                }
                case CLOSE_BEFORE -> {
                    everDelivered = sequence;
                    return sequence;
                }
                case CLOSE_AFTER -> {
                    everDelivered = sequence + 1;
                    return sequence + 1;
                }
                case PASS -> isFirst = entry.isBoundary();
            }
        }
        return end;
    }

    @Override
    public void setGate(StoreGate next) {
        lock.lock();
        try {
            gate = next;
            changeTask.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void gateChanged() {
        lock.lock();
        try {
            changeTask.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onChange(Runnable task) {
        lock.lock();
        try {
            changeTask = task;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean isReady(BatchLimit limit, Readiness awaited) {
        if (delivered.entries() == published.entries()) {
            return false;
        }
        if (!gate.isOpen()) {
            return endOfClosedGate() > delivered.entries(); // no more would come with it
        }
        return awaited == Readiness.ANY || isFull() || isFullBatch(limit);
    }

    @GuardedBy("lock") private boolean isFull() {
        return waitingPuts > 0 || roomTask != null || isAtLimit();
    }

    /** Whether an entry of any size would have to wait. */
    @GuardedBy("lock") private boolean isAtLimit() {
        return published.entries() > acked.entries()
                && !(fitsEntry(published.entries()) && fitsBytes(published.bytes() + 1));
    }

    @GuardedBy("lock") private boolean isFullBatch(BatchLimit limit) {
        boolean reached;
        if (limit instanceof BatchLimit.Entries byCount) {
            reached = published.entries() - delivered.entries() >= byCount.count()
                    || published.bytes() - delivered.bytes() >= byCount.bytes();
        } else {
            reached = published.bytes() - delivered.bytes() >= ((BatchLimit.Bytes) limit).bytes();
        }
        return reached
                || (config.ddlIsolation()
                        && (slots.isDdl(delivered.entries()) || isolated(published.entries()) < published.entries()));
    }

    /** The sequence after the last entry of a batch that begins now. */
    @GuardedBy("lock") private long endOfBatch(BatchLimit limit) {
        long end;
        if (limit instanceof BatchLimit.Entries byCount) {
            end = Math.min(
                    delivered.entries() + byCount.count(), slots.firstBeyond(byCount.bytes(), delivered, published));
        } else {
            end = slots.firstBeyond(((BatchLimit.Bytes) limit).bytes(), delivered, published);
        }
        return config.ddlIsolation() ? isolated(end) : end;
    }

    /** Where a batch that would go to {@code end} ends, so that a DDL comes alone. */
    @GuardedBy("lock") private long isolated(long end) {
        long ddl = slots.firstDdl(delivered.entries(), end);
        return ddl == delivered.entries() && ddl < end ? ddl + 1 : ddl;
    }

    @GuardedBy("lock") private RingPosition positionAt(long end) {
        return end == delivered.entries() ? delivered : slots.positionAfter(end - 1);
    }

    @Override
    public void ack(Batch batch) {
        Runnable task;
        StoreGate informed;
        List<Entry> entries;
        lock.lock();
        try {
            if (batch.end().entries() <= acked.entries()) {
                return;
            }
            informed = gate;
            if (batch.id() < firstValidBatchId || batch.end().entries() > delivered.entries()) {
                throw new IllegalStateException(
                        "%s was rolled back, so its ack would skip entries: get them again".formatted(batch));
            }
            if (batch.begin().entries() == acked.entries()) {
                entries = batch.entries();
                ackedRows += batch.rows();
            } else {
                Entry[] more = slots.copy(acked.entries(), batch.end().entries());
                entries = List.of(more);
                ackedRows += EntryRows.of(more);
            }
            free(batch.end());
            task = freeRoom();
        } finally {
            lock.unlock();
        }
        task.run();
        informed.acked(entries);
    }

    /** Empties the slots up to a position, which is acked then. */
    @GuardedBy("lock") private void free(RingPosition end) {
        long boundary = end.entries();
        while (boundary > acked.entries() && !slots.entryAt(boundary - 1).isBoundary()) {
            boundary--;
        }
        Entry last = boundary > acked.entries() ? slots.entryAt(boundary - 1) : null;
        ackedWithinTransaction = boundary < end.entries();
        slots.clear(acked.entries(), end.entries());
        acked = end;
        checkpoints.ack(end.entries(), boundary, last == null ? null : last::cursor);
    }

    @Override
    public void rollback() {
        lock.lock();
        try {
            delivered = acked;
            firstValidBatchId = nextBatchId;
            changeTask.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void begin(Cursor cursor) {
        lock.lock();
        try {
            checkpoints.begin(cursor);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void checkpoint(Supplier<Cursor> cursor) {
        lock.lock();
        try {
            checkpoints.add(published.entries(), acked.entries(), cursor);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void goBack(Cursor to) {
        lock.lock();
        try {
            checkpoints.goBack(published.entries(), acked.entries(), to);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Cursor takeCursor() {
        Supplier<Cursor> reached;
        lock.lock();
        try {
            reached = checkpoints.take();
        } finally {
            lock.unlock();
        }
        return reached == null ? null : reached.get(); // without the lock: its text may be long
    }

    @Override
    public @Nullable Cursor cursor() {
        Supplier<Cursor> reached;
        lock.lock();
        try {
            reached = checkpoints.newest();
        } finally {
            lock.unlock();
        }
        return reached == null ? null : reached.get();
    }

    @Override
    public StoreStats stats() {
        RingPosition put;
        RingPosition got;
        RingPosition freed;
        long freedRows;
        long waited;
        Entry[] gotNow;
        Entry[] others;
        lock.lock();
        try {
            put = published;
            got = delivered;
            freed = acked;
            freedRows = ackedRows;
            waited = roomWait.totalNanos();
            gotNow = slots.copy(freed.entries(), got.entries());
            others = slots.copy(got.entries(), put.entries());
        } finally {
            lock.unlock();
        }
        long gotRows = freedRows + EntryRows.ofReadable(gotNow);
        return new StoreStats(
                put.progress(gotRows + EntryRows.ofReadable(others)),
                got.progress(gotRows),
                freed.progress(freedRows),
                firstTimeOf(others),
                gotNow.length > 0 ? firstTimeOf(gotNow) : firstTimeOf(others),
                Duration.ofNanos(waited),
                config);
    }

    private static long firstTimeOf(Entry[] entries) {
        return entries.length == 0 ? 0 : entries[0].executeTimeMillis();
    }

    @Override
    public boolean hasWaiting(long bytes) {
        lock.lock();
        try {
            long roomBytes =
                    Math.min(config.waitingBytes(), config.capacityBytes() - (delivered.bytes() - acked.bytes()));
            long room = Math.min(config.waitingSlots(), config.slots() - (delivered.entries() - acked.entries()));
            return published.bytes() - delivered.bytes() >= Math.min(bytes, roomBytes / 4 * 3)
                    || published.entries() - delivered.entries() >= room * 3 / 4;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public StoreLevel level() {
        lock.lock();
        try {
            return new StoreLevel(
                    published.entries(),
                    delivered.entries(),
                    acked.entries(),
                    ackedRows,
                    Duration.ofNanos(roomWait.currentNanos()));
        } finally {
            lock.unlock();
        }
    }

    /** Lets waiting puts check for room again after a get, which frees room for them if fewer entries may wait than may be there. */
    @GuardedBy("lock") private Runnable freeRoomOfWaiting() {
        return config.waitingSlots() < config.slots() ? freeRoom() : EntryRing::doNothing;
    }

    /** Lets waiting puts check for room again if there may be room for them; the result is to be run without the lock. */
    @GuardedBy("lock") private Runnable freeRoom() {
        return isAtLimit() ? EntryRing::doNothing : wakePuts();
    }

    @GuardedBy("lock") private Runnable wakePuts() {
        roomWait.end();
        roomFreed.signalAll();
        Runnable task = roomTask;
        roomTask = null;
        return task == null ? EntryRing::doNothing : task;
    }

    @Override
    public void close() {
        Runnable task;
        lock.lock();
        try {
            closed = true;
            changeTask.run();
            task = wakePuts();
        } finally {
            lock.unlock();
        }
        task.run();
    }

    @GuardedBy("lock") private void requireOpen() {
        if (closed) {
            throw new StoreClosedException();
        }
    }
}
