package io.sluice.server.simulation;

import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cursors that give a client none before its first ack; see {@link Mistake#LEAVES_OUT_CLIENTS_WITHOUT_A_CURSOR}. */
record ForgetfulCursors(CursorStore cursors) implements CursorStore {
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
    }

    @Override
    public void subscribe(int clientId) {
        cursors.subscribe(clientId);
    }

    @Override
    public void unsubscribe(int clientId) {
        cursors.unsubscribe(clientId);
    }

    @Override
    public void takeBack(int clientId, List<Subscription> before) {
        cursors.takeBack(clientId, before);
    }

    @Override
    public void replaceAll(List<Subscription> all) {
        cursors.replaceAll(all);
    }

    @Override
    public void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        cursors.save(clientIds, newest);
    }

    @Override
    public void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        cursors.saveAll(newest);
    }

    @Override
    public boolean begin(Supplier<? extends @Nullable Cursor> first) {
        Cursor cursor = first.get();
        if (cursor != null && cursors.load(Subscription.QUEUE_CLIENT) == null) {
            cursors.save(Subscription.QUEUE_CLIENT, cursor);
        }
        cursors.flush();
        return cursor != null;
    }

    @Override
    public void goBack(Cursor to) {
        cursors.goBack(to);
    }

    @Override
    public void flush() {
        cursors.flush();
    }

    @Override
    public void close() {
        cursors.close();
    }
}
