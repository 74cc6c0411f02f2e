package io.sluice.schema.history;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.schema.ddl.SchemaState;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.TableCreation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and writes one instance's rows in canal's two tables, {@code meta_snapshot} and {@code meta_history}. For one thread. */
final class HistoryTables {
    private static final String POSITION_COLUMNS =
            "id, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, extra";
    private static final String ROW_COLUMNS =
            POSITION_COLUMNS + ", use_schema, sql_schema, sql_table, sql_text, sql_type";
    private static final String OF_DESTINATION = " where destination = ?";

    private final HistoryDatabase database;
    private final String destination;
    private final HistoryIdentity identity;

    HistoryTables(HistoryDatabase database, String destination) {
        this.database = database;
        this.destination = destination;
        this.identity = new HistoryIdentity(database, destination);
    }

    /** Creates the tables, the indexes and the identity, unless they are there. */
    void create() throws IOException {
        TableCreation.createMissing(database);
        identity.requireKnownFormat(); // those of a later version are not changed
        TableCreation.complete(database);
        database.adaptTables();
        identity.establish();
    }

    HistoryIdentity identity() {
        return identity;
    }

    /** Whether there is no snapshot, so that nothing was ever written. */
    boolean isEmpty() throws IOException {
        return database.query("select id from meta_snapshot" + OF_DESTINATION + " limit 1", destination)
                .isEmpty();
    }

    /** All snapshots, without the schemas that they hold, by ascending ids. */
    List<HistorySnapshot> snapshots() throws IOException {
        List<HistorySnapshot> snapshots = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + POSITION_COLUMNS + " from meta_snapshot" + OF_DESTINATION + " order by id", destination)) {
            Map<String, String> extra = extra(row[5]);
            snapshots.add(new HistorySnapshot(
                    number(row[0]),
                    position(row, extra),
                    executed(extra.get(HistorySnapshot.EXECUTED)),
                    number(extra, HistorySnapshot.BEGINNING),
                    number(extra, HistorySnapshot.WRITTEN)));
        }
        return snapshots;
    }

    private static long number(Map<String, String> extra, String key) {
        try {
            return Long.parseLong(extra.getOrDefault(key, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static @Nullable GtidSet executed(@Nullable String set) {
        try {
            return set == null ? null : GtidSet.parse(set);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Reads the contents of a snapshot. */
    SchemaState state(HistorySnapshot snapshot) throws IOException {
        List<@Nullable String[]> rows =
                database.query("select data, extra from meta_snapshot where id = ?", snapshot.id());
        if (rows.isEmpty()) {
            throw new HistoryException(
                    "a snapshot of the schema history %s is gone: another process removed it while it was read; start again"
                            .formatted(database.location()));
        }
        try {
            return new SchemaState(TextMapJson.read(text(rows.get(0)[0])), extra(rows.get(0)[1]));
        } catch (IllegalArgumentException e) {
            throw unreadable(snapshot, e);
        }
    }

    /** The failure of a snapshot whose contents are not those that are written here. */
    HistoryException unreadable(HistorySnapshot snapshot, IllegalArgumentException cause) {
        return new HistoryException(
                ("a snapshot in the schema history %s cannot be read, it is damaged, or of a later version: meta_snapshot, id %d: %s;"
                                + " start the version that wrote it, or delete the row to use an older snapshot")
                        .formatted(database.location(), snapshot.id(), cause.getMessage()),
                cause);
    }

    /**
     * Writes a snapshot, which replaces one of the same position, and is a beginning if that was one.
     *
     * <p>If {@linkplain HistoryIdentity#isCutOff rows were lost}, it is a beginning, and of a history with another identity.
     *
     * @param executed the transactions whose DDL it holds; null if the position decides
     * @param isBeginning whether DDL before it may be missing
     * @param state states in its notes when the snapshot is written, which does not count if it replaces one
     * @return its id
     */
    long add(HistoryPosition position, @Nullable GtidSet executed, boolean isBeginning, SchemaState state)
            throws IOException {
        Map<String, String> extra = new HashMap<>(state.notes());
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
        String data = TextMapJson.write(state.definitions());
        long[] id = new long[1];
        String[] historyId = {identity.knownHistoryId()};
        commit(() -> {
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
                    data);
        });
        identity.markWritten(historyId[0], id[0]);
        return id[0];
    }

    private void commit(HistoryDatabase.Changes changes) throws IOException {
        try {
            database.atomically(changes);
        } catch (IOException e) {
            identity.markUncertain();
            throw e;
        }
    }

    /** What stays of snapshots that are replaced, as {@link HistorySnapshot} has it. */
    private record Replaced(long beginning, long writtenMillis) {}

    private Replaced replacedAt(HistoryPosition position) throws IOException {
        long newest = 0;
        long written = 0;
        for (@Nullable String[] row : database.query(
                "select extra from meta_snapshot" + OF_DESTINATION
                        + " and binlog_master_id = ? and binlog_file = ? and binlog_offest = ?",
                destination,
                position.masterId(),
                position.file(),
                position.offset())) {
            Map<String, String> extra = extra(row[0]);
            newest = Math.max(newest, number(extra, HistorySnapshot.BEGINNING));
            written = Math.max(written, number(extra, HistorySnapshot.WRITTEN));
        }
        return new Replaced(newest, written);
    }

    /** The ids and positions of the rows that a selection needs, without their statements, by ascending ids. */
    List<RowPosition> keys(RowSelection selection, long afterId, int limit) throws IOException {
        List<RowPosition> keys = new ArrayList<>();
        String condition = selection.isAll() ? "" : " and (id > ? or binlog_timestamp >= ?)";
        List<Object> values = new ArrayList<>(List.of(destination, afterId));
        if (!selection.isAll()) {
            values.add(selection.afterId());
            values.add(selection.fromMillis());
        }
        values.add(limit);
        for (@Nullable String[] row : database.query(
                "select " + POSITION_COLUMNS + " from meta_history" + OF_DESTINATION + " and id > ?" + condition
                        + " order by id limit ?",
                values.toArray())) {
            keys.add(new RowPosition(number(row[0]), position(row, extra(row[5]))));
        }
        return keys;
    }

    /** The ids and positions of the rows with the next ids below one, down to above another, by descending ids. */
    List<RowPosition> keysBackwards(long belowId, long aboveId, int limit) throws IOException {
        List<RowPosition> keys = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + POSITION_COLUMNS + " from meta_history" + OF_DESTINATION
                        + " and id < ? and id > ? order by id desc limit ?",
                destination,
                belowId,
                aboveId,
                limit)) {
            keys.add(new RowPosition(number(row[0]), position(row, extra(row[5]))));
        }
        return keys;
    }

    /** The rows with the next ids after one, up to another, by ascending ids. */
    List<HistoryRow> rows(long afterId, long lastId, int limit) throws IOException {
        return rows(" and id > ? and id <= ? order by id limit ?", destination, afterId, lastId, limit);
    }

    private List<HistoryRow> rows(String condition, Object... values) throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        for (@Nullable String[] row :
                database.query("select " + ROW_COLUMNS + " from meta_history" + OF_DESTINATION + condition, values)) {
            Map<String, String> extra = extra(row[5]);
            rows.add(new HistoryRow(
                    number(row[0]),
                    position(row, extra),
                    text(row[6]),
                    text(row[7]),
                    text(row[8]),
                    text(row[9]),
                    text(row[10]),
                    extra));
        }
        return rows;
    }

    /** The text of a row; null if it has been purged, or was lost: then its id may be that of another instance's row. */
    @Nullable String text(long id) throws IOException {
        List<@Nullable String[]> rows =
                database.query("select sql_text from meta_history" + OF_DESTINATION + " and id = ?", destination, id);
        return rows.isEmpty() ? null : text(rows.get(0)[0]);
    }

    /** The binlog files with rows, each with a {@code server_id} of events in it. */
    List<HistoryFileKey> files() throws IOException {
        List<HistoryFileKey> files = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select distinct binlog_master_id, binlog_file from meta_history" + OF_DESTINATION, destination)) {
            files.add(new HistoryFileKey(text(row[0]), text(row[1])));
        }
        return files;
    }

    /** The rows of a file without their statements, the last one first, from below an offset. */
    List<HistoryRow> rowsBackwards(HistoryFileKey file, long belowOffset, int limit) throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + POSITION_COLUMNS + " from meta_history" + OF_DESTINATION
                        + " and binlog_master_id = ? and binlog_file = ? and binlog_offest < ? order by binlog_offest desc limit ?",
                destination,
                file.masterId(),
                file.file(),
                belowOffset,
                limit)) {
            rows.add(withoutStatement(row));
        }
        return rows;
    }

    private static HistoryRow withoutStatement(@Nullable String[] row) {
        Map<String, String> extra = extra(row[5]);
        return new HistoryRow(number(row[0]), position(row, extra), "", "", "", "", "", extra);
    }

    /** The binlog files that may have rows of a source; all others have none. A query that reads all rows, in the database. */
    Set<HistoryFileKey> filesOf(String source) throws IOException {
        String member = TextMapJson.write(Map.of(HistoryRow.SOURCE, source));
        Set<HistoryFileKey> files = new HashSet<>();
        for (@Nullable String[] row : database.query(
                "select distinct binlog_master_id, binlog_file from meta_history" + OF_DESTINATION
                        + " and extra like ?",
                destination,
                // In LIKE a backslash is an escape in MySQL only; any character fits in its place.
                "%" + member.substring(1, member.length() - 1).replace('\\', '_') + "%")) {
            files.add(new HistoryFileKey(text(row[0]), text(row[1])));
        }
        return files;
    }

    /**
     * The result of writing a row.
     *
     * @param id the id of the row, or of the equal row that existed
     * @param position the position of the same
     * @param written whether it was written, since there was no equal row
     */
    record Added(long id, HistoryPosition position, boolean written) {}

    /**
     * Writes a row, unless there is one with the same content for the same event, which gets its text and its use of temporary tables. If other rows of the event are
     * there, it takes an offset after theirs, and in any case one that no row has, also of another binlog with files of the same names: canal's key, in which the
     * server is missing whose binlog it is, has room for one row at each offset only. It is within the event unless all these are taken.
     *
     * @param length the length of the event, in bytes
     * @return null if {@linkplain HistoryIdentity#isCutOff rows were lost}, and nothing was written: a snapshot must be written before
     */
    @Nullable Added add(HistoryRow row, int length) throws IOException {
        @Nullable Added[] added = new Added[1];
        commit(() -> added[0] = addInTransaction(row, length));
        Added result = added[0];
        if (result != null && result.written()) {
            identity.markWritten(identity.knownHistoryId(), result.id());
        }
        return result;
    }

    private @Nullable Added addInTransaction(HistoryRow row, int length) throws IOException {
        identity.lock();
        if (identity.isCutOff()) {
            return null;
        }
        HistoryPosition position = row.position();
        long offset = position.offset();
        long end = offset + Math.max(1, length);
        Set<Long> taken = new HashSet<>();
        for (HistoryRow other : rows(
                " and binlog_master_id = ? and binlog_file = ? and binlog_offest >= ? and binlog_offest < ? order by id",
                destination,
                position.masterId(),
                position.file(),
                position.offset(),
                end)) {
            taken.add(other.position().offset());
            if (other.position().isOfSameBinlog(position) && other.position().epoch() == position.epoch()) {
                if (other.isAboutTheSame(row)) {
                    replace(other, row);
                    return new Added(other.id(), other.position(), false);
                }
                offset = Math.max(offset, other.position().offset() + 1);
            }
        }
        while (offset < end ? taken.contains(offset) : isTaken(position, offset)) {
            offset++;
        }
        long id = identity.next();
        database.update(
                "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_type, extra, sql_text) values (?, current_timestamp, current_timestamp, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                id,
                destination,
                position.file(),
                offset,
                position.masterId(),
                position.timeMillis(),
                row.useSchema(),
                row.sqlSchema(),
                row.sqlTable(),
                row.type(),
                TextMapJson.write(row.extra()),
                row.text());
        return new Added(id, position, true);
    }

    private boolean isTaken(HistoryPosition position, long offset) throws IOException {
        return !database.query(
                        "select id from meta_history" + OF_DESTINATION
                                + " and binlog_master_id = ? and binlog_file = ? and binlog_offest = ?",
                        destination,
                        position.masterId(),
                        position.file(),
                        offset)
                .isEmpty();
    }

    private void replace(HistoryRow row, HistoryRow by) throws IOException {
        long begun = by.position().fileBegunSeconds();
        if (!row.text().equals(by.text())
                || row.temporaryUse() != by.temporaryUse()
                || begun != 0 && begun != row.position().fileBegunSeconds()) {
            database.update(
                    "update meta_history set sql_text = ?, extra = ?, gmt_modified = current_timestamp where id = ?",
                    by.text(),
                    TextMapJson.write(by.extra()),
                    row.id());
        }
    }

    /** When the newest event was written that has a row or a snapshot; 0 if there is none with a time. */
    long newestMillis() throws IOException {
        long newest = newestSnapshotUpTo(Long.MAX_VALUE);
        for (@Nullable String[] row : database.query("select max(binlog_timestamp) from meta_history" + OF_DESTINATION, destination)) {
            newest = Math.max(newest, number(row[0]));
        }
        return newest;
    }

    /** The time of the newest snapshot that is not newer than a time; 0 if there is none with a time. */
    long newestSnapshotUpTo(long millis) throws IOException {
        List<@Nullable String[]> rows = database.query(
                "select max(binlog_timestamp) from meta_snapshot" + OF_DESTINATION + " and binlog_timestamp <= ?",
                destination,
                millis);
        return Math.max(0, rows.isEmpty() ? 0 : number(rows.get(0)[0]));
    }

    /** The id of the first snapshot of a time. */
    long idOfSnapshot(long millis) throws IOException {
        List<@Nullable String[]> rows = database.query(
                "select min(id) from meta_snapshot" + OF_DESTINATION + " and binlog_timestamp = ?",
                destination,
                millis);
        return rows.isEmpty() ? 0 : number(rows.get(0)[0]);
    }

    /**
     * Deletes the snapshots and the rows that are older than a time each.
     *
     * @param beforeId rows with this id or a higher one stay, whatever their time: a statement may have the time of another day, as one that
     *     {@code mysqlbinlog} has written. Snapshots do not: one that was written after a rewind has a high id, and the rows after it low ones
     */
    void purge(long snapshotsBeforeMillis, long rowsBeforeMillis, long beforeId) throws IOException {
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

    private static HistoryPosition position(@Nullable String[] row, Map<String, String> extra) {
        return new HistoryPosition(
                extra.getOrDefault(HistoryRow.SOURCE, ""),
                text(row[1]),
                number(row[2]),
                text(row[3]),
                number(row[4]),
                extra.getOrDefault(HistoryRow.GTID, ""),
                number(extra, HistoryRow.EPOCH),
                number(extra, HistoryRow.BEGUN));
    }

    /** The newest binlog of a server that a row or snapshot is in; 0 if none is in one after a reset. */
    long newestEpoch(String source) throws IOException {
        long newest = 0;
        for (String table : List.of("meta_snapshot", "meta_history")) {
            for (@Nullable String[] row : database.query(
                    "select extra from " + table + OF_DESTINATION + " and extra like ?",
                    destination,
                    "%\"" + HistoryRow.EPOCH + "\"%")) {
                Map<String, String> extra = extra(row[0]);
                if (source.equals(extra.get(HistoryRow.SOURCE))) {
                    newest = Math.max(newest, number(extra, HistoryRow.EPOCH));
                }
            }
        }
        return newest;
    }

    /** canal has a word or nothing in this column, Sluice a JSON object. */
    private static Map<String, String> extra(@Nullable String extra) {
        if (extra == null || extra.isBlank()) {
            return Map.of();
        }
        try {
            return TextMapJson.read(extra);
        } catch (IllegalArgumentException e) {
            return Map.of(HistoryRow.KIND, extra.strip());
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static long number(@Nullable String value) {
        return value == null ? 0 : Long.parseLong(value);
    }
}
