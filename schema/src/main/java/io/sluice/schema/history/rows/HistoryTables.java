package io.sluice.schema.history.rows;

import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.TableCreation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of one instance's history: canal's two, {@code meta_snapshot} and {@code meta_history}, and its identity. For one thread. */
public final class HistoryTables {
    private final HistoryDatabase database;
    private final String destination;
    private final HistoryIdentity identity;
    private final HistoryRows rows;
    private final SnapshotRows snapshots;

    public HistoryTables(HistoryDatabase database, String destination) {
        this.database = database;
        this.destination = destination;
        this.identity = new HistoryIdentity(database, destination);
        this.rows = new HistoryRows(database, destination, identity);
        this.snapshots = new SnapshotRows(database, destination, identity);
    }

    /** Creates the tables, the indexes and the identity, unless they are there. */
    public void create() throws IOException {
        TableCreation.createMissing(database);
        identity.requireKnownFormat(); // those of a later version are not changed
        TableCreation.complete(database);
        database.adaptTables();
        identity.establish();
    }

    public HistoryIdentity identity() {
        return identity;
    }

    public HistoryRows rows() {
        return rows;
    }

    public SnapshotRows snapshots() {
        return snapshots;
    }

    /** When the newest event was written that has a row or a snapshot; 0 if there is none with a time. */
    public long newestMillis() throws IOException {
        long newest = snapshots.newestUpTo(Long.MAX_VALUE);
        for (@Nullable String[] row : database.query(
                "select max(binlog_timestamp) from meta_history" + HistoryColumns.OF_DESTINATION, destination)) {
            newest = Math.max(newest, HistoryColumns.number(row[0]));
        }
        return newest;
    }

    /** The newest binlog of a server that a row or snapshot is in; 0 if none is in one after a reset. */
    public long newestEpoch(String source) throws IOException {
        long newest = 0;
        for (String table : List.of("meta_snapshot", "meta_history")) {
            for (@Nullable String[] row : database.query(
                    "select extra from " + table + HistoryColumns.OF_DESTINATION + " and extra like ?",
                    destination,
                    "%\"" + HistoryRow.EPOCH + "\"%")) {
                Map<String, String> extra = HistoryColumns.extra(row[0]);
                if (source.equals(extra.get(HistoryRow.SOURCE))) {
                    newest = Math.max(newest, HistoryColumns.number(extra, HistoryRow.EPOCH));
                }
            }
        }
        return newest;
    }

    /**
     * Marks rows as those of events that the source has lost, and deletes the snapshots that were made after such events.
     *
     * @throws IOException if its server cannot be reached; nothing has changed then
     */
    public void lose(List<HistoryRow> lost, List<HistorySnapshot> madeAfter) throws IOException {
        database.atomically(() -> {
            rows.markLost(lost);
            snapshots.delete(madeAfter);
        });
    }

    /**
     * Deletes the snapshots and the rows that are older than a time each.
     *
     * @param beforeId rows with this id or a higher one stay, whatever their time: a statement may have the time of another day, as one that
     *     {@code mysqlbinlog} has written. Snapshots do not: one that was written after a rewind has a high id, and the rows after it low ones
     */
    public void purge(long snapshotsBeforeMillis, long rowsBeforeMillis, long beforeId) throws IOException {
        database.atomically(() -> {
            database.update(
                    "delete from meta_snapshot where destination = ? and binlog_timestamp < ?",
                    destination,
                    snapshotsBeforeMillis);
            database.update(
                    "delete from meta_history where destination = ? and binlog_timestamp < ? and id < ?",
                    destination,
                    rowsBeforeMillis,
                    beforeId);
        });
    }
}
