package io.sluice.server.simulation;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.StoreGate;
import io.sluice.store.ring.StoreLevel;
import io.sluice.store.ring.StoreStats;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store in which each DDL is a boundary, also one within a transaction; see {@link Mistake#RESTARTS_AFTER_INNER_DDL}. */
record InnerDdlStore(EntryStore store, SimulatedHost host) implements EntryStore {
    private List<Entry> mistaken(List<? extends Entry> entries) {
        return entries.stream()
                .<Entry>map(entry -> entry.kind() == EntryKind.DDL && !entry.isBoundary() ? mistaken(entry) : entry)
                .toList();
    }

    private Entry mistaken(Entry entry) {
        ChangeId id = entry.changeId();
        Transaction around = null;
        for (Transaction transaction : host.binlog().transactions()) {
            if (transaction.file().equals(id.file()) && transaction.start() <= id.offset()) {
                around = transaction;
            }
        }
        SourceServer source =
                SourceServer.at(host.address().host(), host.address().port());
        return Encodings.withBoundary(
                entry,
                new Boundary(
                        source,
                        new BinlogPosition(id.file(), id.offset()),
                        around == null ? null : GtidSet.parse(around.gtidsAfter()),
                        7,
                        entry.executeTimeMillis(),
                        null,
                        0));
    }

    @Override
    public void put(List<? extends Entry> entries) throws InterruptedException {
        store.put(mistaken(entries));
    }

    @Override
    public int offer(List<? extends Entry> entries, int first, Runnable whenRoom) {
        return store.offer(mistaken(entries), first, whenRoom);
    }

    @Override
    public boolean awaitRoom(long bytes, Duration atMost) throws InterruptedException {
        return store.awaitRoom(bytes, atMost);
    }

    @Override
    public void begin(Cursor cursor) {
        store.begin(cursor);
    }

    @Override
    public void goBack(Cursor to) {
        store.goBack(to);
    }

    @Override
    public void checkpoint(Supplier<Cursor> cursor) {
        store.checkpoint(cursor);
    }

    @Override
    public @Nullable Batch getIfReady(BatchLimit limit, Readiness awaited) {
        return store.getIfReady(limit, awaited);
    }

    @Override
    public void onChange(Runnable task) {
        store.onChange(task);
    }

    @Override
    public void setGate(StoreGate gate) {
        store.setGate(gate);
    }

    @Override
    public void gateChanged() {
        store.gateChanged();
    }

    @Override
    public void ack(Batch batch) {
        store.ack(batch);
    }

    @Override
    public void rollback() {
        store.rollback();
    }

    @Override
    public @Nullable Cursor takeCursor() {
        return store.takeCursor();
    }

    @Override
    public @Nullable Cursor cursor() {
        return store.cursor();
    }

    @Override
    public StoreStats stats() {
        return store.stats();
    }

    @Override
    public StoreLevel level() {
        return store.level();
    }

    @Override
    public boolean hasWaiting(long bytes) {
        return store.hasWaiting(bytes);
    }

    @Override
    public void close() {
        store.close();
    }
}
