package io.sluice.schema.history.rows;

import io.sluice.schema.history.database.HistoryDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and writes one instance's rows in canal's table {@code meta_history}. For one thread. */
public final class HistoryRows {
    private static final String ALL_COLUMNS =
            HistoryColumns.POSITION + ", use_schema, sql_schema, sql_table, sql_text, sql_type";

    private final HistoryDatabase database;
    private final String destination;
    private final HistoryIdentity identity;

    HistoryRows(HistoryDatabase database, String destination, HistoryIdentity identity) {
        this.database = database;
        this.destination = destination;
        this.identity = identity;
    }

    /** The ids and positions of the rows that a selection needs, without their statements, by ascending ids. */
    public List<RowPosition> keys(RowSelection selection, long afterId, int limit) throws IOException {
        List<RowPosition> keys = new ArrayList<>();
        String condition = selection.isAll() ? "" : " and (id > ? or binlog_timestamp >= ?)";
        List<Object> values = new ArrayList<>(List.of(destination, afterId));
        if (!selection.isAll()) {
            values.add(selection.afterId());
            values.add(selection.fromMillis());
        }
        values.add(limit);
        for (@Nullable String[] row : database.query(
                "select " + HistoryColumns.POSITION + " from meta_history" + HistoryColumns.OF_DESTINATION
                        + " and id > ?" + condition + " order by id limit ?",
                values.toArray())) {
            keys.add(new RowPosition(
                    HistoryColumns.number(row[0]), HistoryColumns.position(row, HistoryColumns.extra(row[5]))));
        }
        return keys;
    }

    /** The ids and positions of the rows with the next ids below one, down to above another, by descending ids. */
    public List<RowPosition> keysBackwards(long belowId, long aboveId, int limit) throws IOException {
        List<RowPosition> keys = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + HistoryColumns.POSITION + " from meta_history" + HistoryColumns.OF_DESTINATION
                        + " and id < ? and id > ? order by id desc limit ?",
                destination,
                belowId,
                aboveId,
                limit)) {
            keys.add(new RowPosition(
                    HistoryColumns.number(row[0]), HistoryColumns.position(row, HistoryColumns.extra(row[5]))));
        }
        return keys;
    }

    /** The rows with the next ids after one, up to another, by ascending ids. */
    public List<HistoryRow> read(long afterId, long lastId, int limit) throws IOException {
        return rows(" and id > ? and id <= ? order by id limit ?", destination, afterId, lastId, limit);
    }

    private List<HistoryRow> rows(String condition, Object... values) throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + ALL_COLUMNS + " from meta_history" + HistoryColumns.OF_DESTINATION + condition, values)) {
            Map<String, String> extra = HistoryColumns.extra(row[5]);
            rows.add(new HistoryRow(
                    HistoryColumns.number(row[0]),
                    HistoryColumns.position(row, extra),
                    HistoryColumns.text(row[6]),
                    HistoryColumns.text(row[7]),
                    HistoryColumns.text(row[8]),
                    HistoryColumns.text(row[9]),
                    HistoryColumns.text(row[10]),
                    extra));
        }
        return rows;
    }

    /** The text of a row; null if it has been purged, or was lost: then its id may be that of another instance's row. */
    public @Nullable String text(long id) throws IOException {
        List<@Nullable String[]> rows = database.query(
                "select sql_text from meta_history" + HistoryColumns.OF_DESTINATION + " and id = ?", destination, id);
        return rows.isEmpty() ? null : HistoryColumns.text(rows.get(0)[0]);
    }

    /** The binlog files with rows, each with a {@code server_id} of events in it. */
    public List<HistoryFileKey> files() throws IOException {
        List<HistoryFileKey> files = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select distinct binlog_master_id, binlog_file from meta_history" + HistoryColumns.OF_DESTINATION,
                destination)) {
            files.add(new HistoryFileKey(HistoryColumns.text(row[0]), HistoryColumns.text(row[1])));
        }
        return files;
    }

    /** The rows of a file without their statements, the last one first, from below an offset. */
    public List<HistoryRow> readBackwards(HistoryFileKey file, long belowOffset, int limit) throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + HistoryColumns.POSITION + " from meta_history" + HistoryColumns.OF_DESTINATION
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
        Map<String, String> extra = HistoryColumns.extra(row[5]);
        return new HistoryRow(
                HistoryColumns.number(row[0]), HistoryColumns.position(row, extra), "", "", "", "", "", extra);
    }

    /** The binlog files that may have rows of a source; all others have none. A query that reads all rows, in the database. */
    public Set<HistoryFileKey> filesOf(String source) throws IOException {
        String member = TextMapJson.write(Map.of(HistoryRow.SOURCE, source));
        Set<HistoryFileKey> files = new HashSet<>();
        for (@Nullable String[] row : database.query(
                "select distinct binlog_master_id, binlog_file from meta_history" + HistoryColumns.OF_DESTINATION
                        + " and extra like ?",
                destination,
                // In LIKE a backslash is an escape in MySQL only; any character fits in its place.
                "%" + member.substring(1, member.length() - 1).replace('\\', '_') + "%")) {
            files.add(new HistoryFileKey(HistoryColumns.text(row[0]), HistoryColumns.text(row[1])));
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
    public record Added(long id, HistoryPosition position, boolean written) {}

    /**
     * Writes a row, unless there is one with the same content for the same event, which gets its text and its use of temporary tables. If other rows of the event are
     * there, it takes an offset after theirs, and in any case one that no row has, also of another binlog with files of the same names: canal's key, in which the
     * server is missing whose binlog it is, has room for one row at each offset only. It is within the event unless all these are taken.
     *
     * @param length the length of the event, in bytes
     * @return null if {@linkplain HistoryIdentity#isCutOff rows were lost}, and nothing was written: a snapshot must be written before
     */
    public @Nullable Added add(HistoryRow row, int length) throws IOException {
        @Nullable Added[] added = new Added[1];
        identity.commit(() -> added[0] = addInTransaction(row, length));
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

    /** Marks rows as those of events that the source has lost; their statements stay. Must run in a transaction. */
    void markLost(List<HistoryRow> rows) throws IOException {
        for (HistoryRow row : rows) {
            database.update(
                    "update meta_history set extra = ?, gmt_modified = current_timestamp where id = ?",
                    TextMapJson.write(row.extraOfLost()),
                    row.id());
        }
    }

    private boolean isTaken(HistoryPosition position, long offset) throws IOException {
        return !database.query(
                        "select id from meta_history" + HistoryColumns.OF_DESTINATION
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
                || row.isLost() // it is there after all
                || begun != 0 && begun != row.position().fileBegunSeconds()) {
            database.update(
                    "update meta_history set sql_text = ?, extra = ?, gmt_modified = current_timestamp where id = ?",
                    by.text(),
                    TextMapJson.write(by.extra()),
                    row.id());
        }
    }
}
