package io.sluice.schema.history.rows;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.table.SchemaHeap;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes one instance's snapshots, in canal's table {@code meta_snapshot}. For one thread. */
public final class SnapshotRows {
    private final HistoryDatabase database;
    private final String destination;
    private final HistoryIdentity identity;

    SnapshotRows(HistoryDatabase database, String destination, HistoryIdentity identity) {
        this.database = database;
        this.destination = destination;
        this.identity = identity;
    }

    /** Whether there is no snapshot, so that nothing was ever written. */
    public boolean isEmpty() throws IOException {
        return database.query("select id from meta_snapshot" + HistoryColumns.OF_DESTINATION + " limit 1", destination)
                .isEmpty();
    }

    /** All snapshots, without the schemas that they hold, by ascending ids. */
    public List<HistorySnapshot> all() throws IOException {
        List<HistorySnapshot> snapshots = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + HistoryColumns.POSITION + " from meta_snapshot" + HistoryColumns.OF_DESTINATION
                        + " order by id",
                destination)) {
            Map<String, String> extra = HistoryColumns.extra(row[5]);
            snapshots.add(new HistorySnapshot(
                    HistoryColumns.number(row[0]),
                    HistoryColumns.position(row, extra),
                    executed(extra.get(HistorySnapshot.EXECUTED)),
                    HistoryColumns.number(extra, HistorySnapshot.BEGINNING),
                    HistoryColumns.number(extra, HistorySnapshot.WRITTEN)));
        }
        return snapshots;
    }

    private static @Nullable GtidSet executed(@Nullable String set) {
        try {
            return set == null ? null : GtidSet.parse(set);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Reads the contents of a snapshot.
     *
     * @param heap of the schemas that are made of it
     */
    public SchemaState state(HistorySnapshot snapshot, SchemaHeap heap) throws IOException {
        try (SchemaHeap.Step step = heap.step("its tables", ResultLimit.IF_HISTORY, true)) {
            return state(snapshot, new SnapshotText(database, snapshot.id(), step));
        }
    }

    /** As {@link #state(HistorySnapshot, SchemaHeap)}, whose texts of tables are read elsewhere; they are closed. */
    SchemaState state(HistorySnapshot snapshot, Reader tables) throws IOException {
        try (Reader data = tables) {
            Map<String, String> notes = HistoryColumns.extra(
                    SnapshotText.value(database, "select extra from meta_snapshot where id = ?", snapshot.id()));
            return new SchemaState(TextMapJson.read(data), notes);
        } catch (IllegalArgumentException e) {
            throw unreadable(snapshot, e);
        } catch (ResultTooLargeException e) {
            throw tooLarge(e);
        }
    }

    /** The failure of schemas for which the heap is too small. It is retried: it is no damage, and the database may be another one then. */
    public SourceException tooLarge(ResultTooLargeException cause) {
        return new SourceException(
                SourceFailure.HISTORY_UNREACHABLE,
                "the schema history %s cannot be restored: %s".formatted(database.location(), cause.excess()),
                cause.remedy(),
                cause);
    }

    /** The failure of a snapshot whose contents are not those that are written here. */
    public HistoryException unreadable(HistorySnapshot snapshot, IllegalArgumentException cause) {
        return new HistoryException(
                ("a snapshot in the schema history %s cannot be read, it is damaged, or of a later version: meta_snapshot, id %d: %s;"
                                + " start the version that wrote it, or delete the row to use an older snapshot")
                        .formatted(database.location(), snapshot.id(), cause.getMessage()),
                cause);
    }

    /** Writes a snapshot as {@link #add(HistoryPosition, GtidSet, boolean, SchemaRecorder.StateSupplier)} does, of schemas that are in memory as texts. */
    public long add(HistoryPosition position, @Nullable GtidSet executed, boolean isBeginning, SchemaState state)
            throws IOException {
        return add(position, executed, isBeginning, () -> state);
    }

    /**
     * Writes a snapshot, which replaces one of the same position, and is a beginning if that was one.
     *
     * <p>If {@linkplain HistoryIdentity#isCutOff rows were lost}, it is a beginning, and of a history with another identity.
     *
     * @param executed the transactions whose DDL it holds; null if the position decides
     * @param isBeginning whether DDL before it may be missing
     * @param state returns the schemas, with the time of writing in their notes, which does not count if it replaces a snapshot; called before the database
     *     is asked
     * @return its id
     */
    public long add(
            HistoryPosition position,
            @Nullable GtidSet executed,
            boolean isBeginning,
            SchemaRecorder.StateSupplier state)
            throws IOException {
        Contents contents = contents(state.get());
        Map<String, String> extra = contents.extra();
        extra.put(HistoryRow.SOURCE, position.source());
        extra.remove(HistoryRow.EPOCH);
        if (position.epoch() != 0) {
            extra.put(HistoryRow.EPOCH, Long.toString(position.epoch()));
        }
        extra.remove(HistoryRow.BEGUN);
        if (position.fileBegunSeconds() != 0) {
            extra.put(HistoryRow.BEGUN, Long.toString(position.fileBegunSeconds()));
        }
        if (!position.gtid().isEmpty()) {
            extra.put(HistoryRow.GTID, position.gtid());
        }
        if (executed != null) {
            extra.put(HistorySnapshot.EXECUTED, executed.toString());
        }
        extra.remove(HistorySnapshot.BEGINNING);
        long[] id = new long[1];
        String[] historyId = {identity.knownHistoryId()};
        identity.commit(() -> {
            identity.lock();
            boolean isCutOff = identity.isCutOff();
            if (isCutOff) {
                historyId[0] = identity.renewAfterLoss();
            }
            boolean begins = isBeginning || isCutOff && !position.isFirst();
            Replaced replaced = replacedAt(position);
            database.update(
                    "delete from meta_snapshot where destination = ? and binlog_master_id = ? and binlog_file = ? and binlog_offest = ?",
                    destination,
                    position.masterId(),
                    position.file(),
                    position.offset());
            id[0] = identity.next();
            if (begins || replaced.beginning() != 0) {
                extra.put(HistorySnapshot.BEGINNING, Long.toString(begins ? id[0] : replaced.beginning()));
            }
            if (replaced.writtenMillis() != 0) {
                extra.put(HistorySnapshot.WRITTEN, Long.toString(replaced.writtenMillis()));
            }
            database.update(
                    "insert into meta_snapshot (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, extra, data) values (?, current_timestamp, current_timestamp, ?, ?, ?, ?, ?, ?, ?)",
                    id[0],
                    destination,
                    position.file(),
                    position.offset(),
                    position.masterId(),
                    position.timeMillis(),
                    TextMapJson.write(extra),
                    contents.data());
        });
        identity.markWritten(historyId[0], id[0]);
        return id[0];
    }

    /** Deletes snapshots. Must run in a transaction. */
    void delete(List<HistorySnapshot> snapshots) throws IOException {
        for (HistorySnapshot snapshot : snapshots) {
            database.update("delete from meta_snapshot where id = ?", snapshot.id());
        }
    }

    /**
     * The contents of two columns.
     *
     * @param extra by names, may be added to
     */
    private record Contents(String data, Map<String, String> extra) {}

    /** The schemas themselves are not in memory any more when these are written. */
    private static Contents contents(SchemaState state) {
        return new Contents(TextMapJson.write(state.definitions()), new HashMap<>(state.notes()));
    }

    /** What stays of snapshots that are replaced, as {@link HistorySnapshot} has it. */
    private record Replaced(long beginning, long writtenMillis) {}

    private Replaced replacedAt(HistoryPosition position) throws IOException {
        long newest = 0;
        long written = 0;
        for (@Nullable String[] row : database.query(
                "select extra from meta_snapshot" + HistoryColumns.OF_DESTINATION
                        + " and binlog_master_id = ? and binlog_file = ? and binlog_offest = ?",
                destination,
                position.masterId(),
                position.file(),
                position.offset())) {
            Map<String, String> extra = HistoryColumns.extra(row[0]);
            newest = Math.max(newest, HistoryColumns.number(extra, HistorySnapshot.BEGINNING));
            written = Math.max(written, HistoryColumns.number(extra, HistorySnapshot.WRITTEN));
        }
        return new Replaced(newest, written);
    }

    /** The time of the newest snapshot that is not newer than a time; 0 if there is none with a time. */
    public long newestUpTo(long millis) throws IOException {
        List<@Nullable String[]> rows = database.query(
                "select max(binlog_timestamp) from meta_snapshot" + HistoryColumns.OF_DESTINATION
                        + " and binlog_timestamp <= ?",
                destination,
                millis);
        return Math.max(0, rows.isEmpty() ? 0 : HistoryColumns.number(rows.get(0)[0]));
    }

    /** The id of the first snapshot of a time. */
    public long idOf(long millis) throws IOException {
        List<@Nullable String[]> rows = database.query(
                "select min(id) from meta_snapshot" + HistoryColumns.OF_DESTINATION + " and binlog_timestamp = ?",
                destination,
                millis);
        return rows.isEmpty() ? 0 : HistoryColumns.number(rows.get(0)[0]);
    }
}
