package io.sluice.bench.micro;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.EntrySink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Takes all entries, and hands them out as a list. For one thread at a time. */
final class CollectingStore implements EntrySink {
    private final List<Entry> entries = new ArrayList<>();

    List<Entry> entries() {
        return entries;
    }

    @Override
    public void put(List<? extends Entry> more) {
        entries.addAll(more);
    }

    @Override
    public int offer(List<? extends Entry> more, int first, Runnable whenRoom) {
        entries.addAll(more.subList(first, more.size()));
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
