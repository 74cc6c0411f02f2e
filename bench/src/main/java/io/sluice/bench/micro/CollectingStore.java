package io.sluice.bench.micro;

import io.sluice.protocol.position.LogPosition;
import io.sluice.store.entry.Entry;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchWait;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes all entries, and hands them out as a list. For one thread at a time. */
final class CollectingStore implements EntryStore {
    private final List<Entry> entries = new ArrayList<>();

    List<Entry> entries() {
        return entries;
    }

    @Override
    public void put(List<? extends Entry> more) {
        entries.addAll(more);
    }

    @Override
    public Batch get(BatchLimit limit, BatchWait wait) {
        throw new UnsupportedOperationException("nobody gets from here");
    }

    @Override
    public @Nullable Batch getIfReady(BatchLimit limit, boolean full) {
        throw new UnsupportedOperationException("nobody gets from here");
    }

    @Override
    public void onChange(Runnable task) {
        throw new UnsupportedOperationException("nobody waits here");
    }

    @Override
    public @Nullable LogPosition firstPosition() {
        throw new UnsupportedOperationException("nobody asks here");
    }

    @Override
    public void ack(Batch batch) {
        throw new UnsupportedOperationException("nobody acks here");
    }

    @Override
    public void rollback() {
        throw new UnsupportedOperationException("nobody rolls back here");
    }

    @Override
    public void mark(Supplier<LogPosition> position) {}

    @Override
    public @Nullable LogPosition takeMark() {
        return null;
    }

    @Override
    public StoreStats stats() {
        throw new UnsupportedOperationException("nobody asks here");
    }

    @Override
    public void close() {}
}
