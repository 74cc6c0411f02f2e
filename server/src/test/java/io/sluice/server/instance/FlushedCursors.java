package io.sluice.server.instance;

import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cursors that are written after every change, as the timer may do at any moment. */
final class FlushedCursors implements CursorStore {
    private final CursorStore cursors;
    private final Runnable onWrite;

    /** @param onWrite is run after each write */
    FlushedCursors(CursorStore cursors, Runnable onWrite) {
        this.cursors = cursors;
        this.onWrite = onWrite;
    }

    @Override
    public List<Subscription> subscriptions() {
        return cursors.subscriptions();
    }

    @Override
    public List<Subscription> kept() {
        return cursors.kept();
    }

    @Override
    public void subscribe(int clientId, String filter) {
        cursors.subscribe(clientId, filter);
        flush();
    }

    @Override
    public void subscribe(int clientId) {
        cursors.subscribe(clientId);
        flush();
    }

    @Override
    public void unsubscribe(int clientId) {
        cursors.unsubscribe(clientId);
        flush();
    }

    @Override
    public void takeBack(int clientId, List<Subscription> before) {
        cursors.takeBack(clientId, before);
    }

    @Override
    public void replaceAll(List<Subscription> all) {
        cursors.replaceAll(all);
        flush();
    }

    @Override
    public void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        cursors.save(clientIds, newest);
        flush();
    }

    @Override
    public void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        cursors.saveAll(newest);
        flush();
    }

    @Override
    public boolean begin(Supplier<? extends @Nullable Cursor> first) {
        boolean hasBegun = cursors.begin(first);
        onWrite.run();
        return hasBegun;
    }

    @Override
    public void goBack(Cursor to) {
        cursors.goBack(to);
        onWrite.run();
    }

    @Override
    public void flush() {
        cursors.flush();
        onWrite.run();
    }

    @Override
    public void close() {
        cursors.close();
    }
}
