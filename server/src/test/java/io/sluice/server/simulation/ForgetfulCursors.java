package io.sluice.server.simulation;

import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import java.util.List;

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
    public void unsubscribe(int clientId) {
        cursors.unsubscribe(clientId);
    }

    @Override
    public void replaceAll(List<Subscription> all) {
        cursors.replaceAll(all);
    }

    @Override
    public void save(int clientId, Cursor cursor) {
        cursors.save(clientId, cursor);
    }

    @Override
    public void saveAll(Cursor cursor) {
        cursors.saveAll(cursor);
    }

    @Override
    public void begin(Cursor first) {
        if (cursors.load(QUEUE_CLIENT) == null) {
            cursors.save(QUEUE_CLIENT, first);
        }
        cursors.flush();
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
