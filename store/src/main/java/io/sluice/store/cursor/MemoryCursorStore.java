package io.sluice.store.cursor;

import io.sluice.protocol.position.LogPosition;
import org.jspecify.annotations.Nullable;

/** Keeps the cursor as long as the process lives. */
public final class MemoryCursorStore implements CursorStore {
    private volatile @Nullable LogPosition cursor;

    @Override
    public @Nullable LogPosition load() {
        return cursor;
    }

    @Override
    public void save(LogPosition newest) {
        cursor = newest;
    }

    @Override
    public void close() {}
}
