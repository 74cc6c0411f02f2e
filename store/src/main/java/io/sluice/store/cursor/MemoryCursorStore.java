package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.List;

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
    public void save(int clientId, Cursor cursor) {
        clients.save(clientId, cursor);
    }

    @Override
    public void saveAll(Cursor cursor) {
        clients.saveAll(cursor);
    }

    @Override
    public void begin(Cursor first) {
        clients.begin(first);
        flush();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
