package io.sluice.bench.micro;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.EntrySink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that counts rows and keeps no entry. The rows may be read by any thread. */
public final class PassingStore implements EntrySink {
    private final Consumer<List<? extends Entry>> receiver;
    private final AtomicLong rows = new AtomicLong();

    /** A store that discards entries. */
    public PassingStore() {
        this(entries -> {});
    }

    /** A store that passes entries on. */
    PassingStore(Consumer<List<? extends Entry>> receiver) {
        this.receiver = receiver;
    }

    public long rows() {
        return rows.get();
    }

    @Override
    public void put(List<? extends Entry> entries) {
        offer(entries, 0, () -> {});
    }

    @Override
    public int offer(List<? extends Entry> entries, int first, Runnable whenRoom) {
        long sum = 0;
        for (int i = first; i < entries.size(); i++) {
            sum += entries.get(i).rowCount();
        }
        rows.addAndGet(sum);
        receiver.accept(entries.subList(first, entries.size()));
        return entries.size();
    }

    @Override
    public boolean awaitRoom(long bytes, Duration atMost) {
        return true;
    }

    @Override
    public void begin(Cursor cursor) {}

    @Override
    public void checkpoint(Supplier<Cursor> cursor) {}

    @Override
    public void goBack(Cursor to) {}
}
