package io.sluice.bench.micro;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.EntrySink;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A store that counts and discards entries. For one thread at a time. */
class PassingStore implements EntrySink {
    private int count;

    final int count() {
        return count;
    }

    @Override
    public void put(List<? extends Entry> more) {
        count += more.size();
    }

    @Override
    public int offer(List<? extends Entry> more, int first, Runnable whenRoom) {
        count += more.size() - first;
        return more.size();
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
