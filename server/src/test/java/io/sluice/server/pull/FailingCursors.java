package io.sluice.server.pull;

import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cursors in memory whose writes can be made to fail. */
final class FailingCursors implements CursorStore {
    private final CursorStore inMemory = new MemoryCursorStore();
    private final AtomicReference<Runnable> beforeLoad = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> beforeWrite = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> afterSaveAll = new AtomicReference<>(() -> {});
    private volatile boolean fails;
    private volatile List<Subscription> written = List.of();

    /** Has something done once, before the next cursor is looked up. */
    void beforeLoad(Runnable task) {
        beforeLoad.set(task);
    }

    /** Has something done once, before the next write. */
    void beforeWrite(Runnable task) {
        beforeWrite.set(task);
    }

    /** Has something done once, after the cursors of all clients were set the next time. */
    void afterSaveAll(Runnable task) {
        afterSaveAll.set(task);
    }

    void failWrites(boolean isFailing) {
        fails = isFailing;
    }

    /** What the last write that succeeded has written. */
    List<Subscription> written() {
        return written;
    }

    @Override
    public List<Subscription> subscriptions() {
        return inMemory.subscriptions();
    }

    @Override
    public List<Subscription> kept() {
        return inMemory.kept();
    }

    @Override
    public void subscribe(int clientId, String filter) {
        inMemory.subscribe(clientId, filter);
    }

    @Override
    public void subscribe(int clientId) {
        inMemory.subscribe(clientId);
    }

    @Override
    public void unsubscribe(int clientId) {
        inMemory.unsubscribe(clientId);
    }

    @Override
    public void takeBack(int clientId, List<Subscription> before) {
        inMemory.takeBack(clientId, before);
    }

    @Override
    public void replaceAll(List<Subscription> all) {
        inMemory.replaceAll(all);
    }

    @Override
    public @Nullable Cursor load(int clientId) {
        beforeLoad.getAndSet(() -> {}).run();
        return inMemory.load(clientId);
    }

    @Override
    public void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        inMemory.save(clientIds, newest);
    }

    @Override
    public void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        inMemory.saveAll(newest);
        afterSaveAll.getAndSet(() -> {}).run();
    }

    @Override
    public boolean begin(Supplier<? extends @Nullable Cursor> first) {
        boolean hasBegun = inMemory.begin(first);
        if (hasBegun) {
            flush();
        }
        return hasBegun;
    }

    @Override
    public void goBack(Cursor to) {
        inMemory.goBack(to);
        flush();
    }

    @Override
    public void flush() {
        beforeWrite.getAndSet(() -> {}).run();
        if (fails) {
            throw new CursorException("the disk is full");
        }
        written = inMemory.kept();
    }

    @Override
    public void close() {
        inMemory.close();
    }
}
