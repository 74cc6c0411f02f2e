package io.sluice.bench.stage;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.EntrySink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Counts rows and discards entries. */
final class RowCounter implements EntrySink {
    private final AtomicLong rows = new AtomicLong();

    long rows() {
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
}
