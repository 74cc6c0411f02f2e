package io.sluice.bench.micro;

import io.sluice.format.entry.Entry;
import java.util.ArrayList;
import java.util.List;

/** A store that collects all entries in a list. For one thread at a time. */
final class CollectingStore extends PassingStore {
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
}
