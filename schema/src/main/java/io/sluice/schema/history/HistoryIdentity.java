package io.sluice.schema.history;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one instance's history, and its sequence of ids, in the table {@code meta_identity}.
 *
 * <p>Rows and snapshots are numbered in one ascending sequence, and an id is never used twice: the newest one is stored in the
 * transaction that writes its row. So a history that has reached an id holds, or held until it was purged, everything up to it. Histories
 * of earlier versions and of canal number rows and snapshots separately; the sequence begins after both. A history that has lost its newest rows
 * gets another identity before their ids are used again. For one thread.
 */
final class HistoryIdentity {
    private static final String OF_DESTINATION = " where destination = ?";

    private final HistoryDatabase database;
    private final String destination;

    HistoryIdentity(HistoryDatabase database, String destination) {
        this.database = database;
        this.destination = destination;
    }

    /** Creates the table unless it is there; the tables of rows and snapshots must be. */
    static void createTable(HistoryDatabase database) throws IOException {
        database.update("create table if not exists meta_identity (destination varchar(128) not null primary key,"
                + " history_id varchar(36) not null, last_id bigint not null, numbered_apart bigint not null,"
                + " imported varchar(64))" + database.tableOptions());
    }

    /** Gives the history an identity unless it has one. Several processes may do so at a time: one succeeds, for all of them. */
    void establish() throws IOException {
        long newest = Math.max(newestId("meta_history"), newestId("meta_snapshot"));
        database.update(
                database.insertUnlessThere()
                        + " into meta_identity (destination, history_id, last_id, numbered_apart) values (?, ?, ?, ?)",
                destination,
                UUID.randomUUID().toString(),
                newest,
                newest);
        database.update( // canal has written since
                "update meta_identity set last_id = ?" + OF_DESTINATION + " and last_id < ?",
                newest,
                destination,
                newest);
    }

    private long newestId(String table) throws IOException {
        return number("select max(id) from " + table + OF_DESTINATION, destination);
    }

    /** The UUID of the history. */
    String historyId() throws IOException {
        List<@Nullable String[]> rows =
                database.query("select history_id from meta_identity" + OF_DESTINATION, destination);
        String id = rows.isEmpty() ? null : rows.get(0)[0];
        if (id == null) {
            throw new HistoryException(
                    "the schema history %s has lost its row in meta_identity: it was removed while this instance ran; start the instance again"
                            .formatted(database.location()));
        }
        return id;
    }

    /**
     * Gives the history another UUID, if it has this one.
     *
     * @return the UUID that it has then
     */
    String renew(String lost) throws IOException {
        database.update(
                "update meta_identity set history_id = ?" + OF_DESTINATION + " and history_id = ?",
                UUID.randomUUID().toString(),
                destination,
                lost);
        return historyId();
    }

    /** The newest id, whether or not its row has been purged. */
    long lastId() throws IOException {
        return number("select last_id from meta_identity" + OF_DESTINATION, destination);
    }

    /** The newest id of the time when rows and snapshots were numbered separately; 0 if they never were. */
    long numberedApart() throws IOException {
        return number("select numbered_apart from meta_identity" + OF_DESTINATION, destination);
    }

    /**
     * Lets one transaction at a time take ids, also those of other instances that share the tables.
     *
     * @return the newest id of all of them
     */
    long lock() throws IOException {
        return number("select max(last_id) from meta_identity" + database.forUpdate());
    }

    /** Takes the next id; must run in the transaction that writes the row with that id. */
    long next() throws IOException {
        long newest = lock();
        newest = Math.max(newest, number("select max(id) from meta_history"));
        newest = Math.max(newest, number("select max(id) from meta_snapshot"));
        database.update("update meta_identity set last_id = ?" + OF_DESTINATION, newest + 1, destination);
        return newest + 1;
    }

    private long number(String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = database.query(sql, values);
        String number = rows.isEmpty() ? null : rows.get(0)[0];
        return number == null ? 0 : Long.parseLong(number);
    }
}
