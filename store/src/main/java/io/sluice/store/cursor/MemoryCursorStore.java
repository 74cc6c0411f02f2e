package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the clients as long as the process lives. */
public final class MemoryCursorStore implements CursorStore {
    private final Clients clients = new Clients();

    @Override
    public List<Subscription> subscriptions() {
        return clients.all();
    }

    @Override
    public List<Subscription> kept() {
        return clients.kept();
    }

    @Override
    public void subscribe(int clientId, String filter) {
        clients.subscribe(clientId, filter);
    }

    @Override
    public void unsubscribe(int clientId) {
        clients.unsubscribe(clientId);
    }

    @Override
    public void replaceAll(List<Subscription> all) {
        clients.replaceAll(all);
    }

    @Override
    public void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        clients.save(clientIds, newest);
    }

    @Override
    public void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        clients.saveAll(newest);
    }

    @Override
    public boolean begin(Supplier<? extends @Nullable Cursor> first) {
        return clients.begin(first);
    }

    @Override
    public void goBack(Cursor to) {
        clients.goBack(to);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
