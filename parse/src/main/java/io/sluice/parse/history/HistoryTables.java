package io.sluice.parse.history;

import io.sluice.parse.schema.SchemaState;
import io.sluice.protocol.history.TextMapJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** canal's two tables, {@code meta_snapshot} and {@code meta_history}, and one instance's rows in them. For one thread. */
final class HistoryTables {
    private static final String KEY_COLUMNS = "destination, binlog_master_id, binlog_file, binlog_offest";
    private static final String COMMON_COLUMNS = "gmt_create datetime not null, gmt_modified datetime not null,"
            + " destination varchar(128), binlog_file varchar(64), binlog_offest bigint, binlog_master_id varchar(64),"
            + " binlog_timestamp bigint";
    private static final String STAMP_COLUMNS =
            "id, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, extra";
    private static final String OF_DESTINATION = " where destination = ?";

    private final HistoryDatabase database;
    private final String destination;

    HistoryTables(HistoryDatabase database, String destination) {
        this.database = database;
        this.destination = destination;
    }

    /** Makes the tables if they are not there. */
    void create() throws IOException {
        database.update("create table if not exists meta_snapshot (id " + database.counterType() + " primary key, "
                + COMMON_COLUMNS + ", data longtext, extra longtext, constraint meta_snapshot_position unique ("
                + KEY_COLUMNS
                + "))" + database.tableOptions());
        database.update("create table if not exists meta_history (id " + database.counterType() + " primary key, "
                + COMMON_COLUMNS + ", use_schema varchar(1024), sql_schema varchar(1024), sql_table varchar(1024),"
                + " sql_text longtext, sql_type varchar(1024), extra text, constraint meta_history_position unique ("
                + KEY_COLUMNS
                + "))" + database.tableOptions());
    }

    /** All snapshots, without what they hold, in the order in which they were written. */
    List<HistorySnapshot> snapshots() throws IOException {
        List<HistorySnapshot> snapshots = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + STAMP_COLUMNS + " from meta_snapshot" + OF_DESTINATION + " order by id", destination)) {
            snapshots.add(new HistorySnapshot(number(row[0]), stamp(row, extra(row[5]))));
        }
        return snapshots;
    }

    /** What a snapshot holds. */
    SchemaState state(HistorySnapshot snapshot) throws IOException {
        List<@Nullable String[]> rows =
                database.query("select data, extra from meta_snapshot where id = ?", snapshot.id());
        if (rows.isEmpty()) {
            throw new HistoryException(
                    "a snapshot of the schema history %s is gone: somebody else removed it while it was read; start again"
                            .formatted(database.place()));
        }
        try {
            return new SchemaState(TextMapJson.read(text(rows.get(0)[0])), extra(rows.get(0)[1]));
        } catch (IllegalArgumentException e) {
            throw new HistoryException(
                    "a snapshot in the schema history %s cannot be read: meta_snapshot.data of id %d is %s; delete the row to use an older snapshot"
                            .formatted(database.place(), snapshot.id(), e.getMessage()),
                    e);
        }
    }

    /** Writes a snapshot in the place of one that has the same position. */
    void add(Stamp stamp, SchemaState state) throws IOException {
        Map<String, String> extra = new HashMap<>(state.notes());
        extra.put(HistoryRow.SOURCE, stamp.source());
        database.update(
                "delete from meta_snapshot where destination = ? and binlog_master_id = ? and binlog_file = ? and binlog_offest = ?",
                destination,
                stamp.masterId(),
                stamp.file(),
                stamp.offset());
        database.update(
                "insert into meta_snapshot (gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, data, extra) values (current_timestamp, current_timestamp, ?, ?, ?, ?, ?, ?, ?)",
                destination,
                stamp.file(),
                stamp.offset(),
                stamp.masterId(),
                stamp.timeMillis(),
                TextMapJson.write(state.definitions()),
                TextMapJson.write(extra));
    }

    /** All rows, in the order in which they were written. */
    List<HistoryRow> rows() throws IOException {
        return rows("", destination);
    }

    private List<HistoryRow> rows(String condition, Object... values) throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        for (@Nullable String[] row : database.query(
                "select " + STAMP_COLUMNS + ", use_schema, sql_schema, sql_table, sql_text, sql_type from meta_history"
                        + OF_DESTINATION + condition + " order by id",
                values)) {
            Map<String, String> extra = extra(row[5]);
            rows.add(new HistoryRow(
                    number(row[0]),
                    stamp(row, extra),
                    text(row[6]),
                    text(row[7]),
                    text(row[8]),
                    text(row[9]),
                    text(row[10]),
                    extra));
        }
        return rows;
    }

    /**
     * Writes a row, unless one about the same stands at the same event, which gets its text. If other rows do, it takes an offset behind
     * theirs that is still within the event, since canal's key has room for one row at each offset only.
     *
     * @param length the event's, in bytes
     * @return whether it was written
     */
    boolean add(HistoryRow row, int length) throws IOException {
        Stamp stamp = row.stamp();
        long offset = stamp.offset();
        for (HistoryRow other : rows(
                " and binlog_master_id = ? and binlog_file = ? and binlog_offest >= ? and binlog_offest < ?",
                destination,
                stamp.masterId(),
                stamp.file(),
                stamp.offset(),
                stamp.offset() + Math.max(1, length))) {
            if (other.isAboutTheSame(row)) {
                replaceText(other, row.text());
                return false;
            }
            offset = Math.max(offset, other.stamp().offset() + 1);
        }
        database.update(
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_text, sql_type, extra) values (current_timestamp, current_timestamp, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                destination,
                stamp.file(),
                offset,
                stamp.masterId(),
                stamp.timeMillis(),
                row.useSchema(),
                row.sqlSchema(),
                row.sqlTable(),
                row.text(),
                row.type(),
                TextMapJson.write(row.extra()));
        return true;
    }

    private void replaceText(HistoryRow row, String text) throws IOException {
        if (!row.text().equals(text)) {
            database.update(
                    "update meta_history set sql_text = ?, gmt_modified = current_timestamp where id = ?",
                    text,
                    row.id());
        }
    }

    /** Deletes all that is older than a time, for which a snapshot stands that is not. */
    void purge(long snapshotsBeforeMillis, long rowsBeforeMillis) throws IOException {
        database.update(
                "delete from meta_snapshot where destination = ? and binlog_timestamp < ?",
                destination,
                snapshotsBeforeMillis);
        database.update(
                "delete from meta_history where destination = ? and binlog_timestamp < ?",
                destination,
                rowsBeforeMillis);
    }

    private static Stamp stamp(@Nullable String[] row, Map<String, String> extra) {
        return new Stamp(
                extra.getOrDefault(HistoryRow.SOURCE, ""),
                text(row[1]),
                number(row[2]),
                text(row[3]),
                number(row[4]),
                extra.getOrDefault(HistoryRow.GTID, ""));
    }

    /** canal has a word or nothing in that column, we have an object. */
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
