package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that keeps the clients in memory. What extends it writes them, by {@link #flush} at the latest. Thread-safe. */
public abstract class ClientCursorStore implements CursorStore {
    private final Clients clients;

    /** @param first the clients as they were {@linkplain #kept kept} */
    protected ClientCursorStore(List<Subscription> first) {
        this.clients = new Clients(first);
    }

    @Override
    public final List<Subscription> subscriptions() {
        return clients.all();
    }

    @Override
    public final List<Subscription> kept() {
        return clients.kept();
    }

    @Override
    public final void subscribe(int clientId, String filter) {
        clients.subscribe(clientId, filter);
    }

    @Override
    public final void subscribe(int clientId) {
        clients.subscribe(clientId);
    }

    @Override
    public final void unsubscribe(int clientId) {
        clients.unsubscribe(clientId);
    }

    @Override
    public final void takeBack(int clientId, List<Subscription> before) {
        clients.takeBack(clientId, before);
    }

    @Override
    public final void replaceAll(List<Subscription> all) {
        clients.replaceAll(all);
    }

    @Override
    public final void save(Set<Integer> clientIds, Supplier<? extends @Nullable Cursor> newest) {
        clients.save(clientIds, newest);
    }

    @Override
    public final void saveAll(Supplier<? extends @Nullable Cursor> newest) {
        clients.saveAll(newest);
    }

    @Override
    public final boolean begin(Supplier<? extends @Nullable Cursor> first) {
        boolean hasBegun = clients.begin(first);
        if (hasBegun) {
            flush();
        }
        return hasBegun;
    }

    @Override
    public final void goBack(Cursor to) {
        clients.goBack(to);
        flush();
    }
}
