package io.sluice.schema.history.rows;

import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.TableCreation;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one instance's history, and its sequence of ids, in the table {@code meta_identity}.
 *
 * <p>Rows and snapshots are numbered in one ascending sequence, and an id is never used twice: the newest one is stored in the
 * transaction that writes its row. So a history that has reached an id holds, or held until it was purged, everything up to it. Histories
 * of canal number rows and snapshots separately; the sequence begins after both. A history that has lost its newest rows
 * gets another identity before their ids are used again, also if they are lost while it is open: its server may be restored from a backup, or fail over to
 * a replica that lags. For one thread.
 */
public final class HistoryIdentity {
    private static final String OF_DESTINATION = " where destination = ?";

    private final HistoryDatabase database;
    private final String destination;

    /** As this process has it: what the database had when it was last asked, and what was written since. */
    private Reached known = new Reached("", 0);
    /** Whether a transaction has failed, and may be committed all the same. */
    private boolean isUncertain;

    private boolean isWrittenByOthers;

    /**
     * How far a history reaches.
     *
     * @param historyId its UUID
     * @param lastId the newest id, whether or not its row has been purged
     */
    private record Reached(String historyId, long lastId) {
        boolean covers(Reached other) {
            return historyId.equals(other.historyId) && lastId >= other.lastId;
        }
    }

    public HistoryIdentity(HistoryDatabase database, String destination) {
        this.database = database;
        this.destination = destination;
    }

    /** @throws HistoryException if a later version has written what this one cannot read */
    void requireKnownFormat() throws IOException {
        long format =
                number("select " + TableCreation.FORMAT_COLUMN + " from meta_identity" + OF_DESTINATION, destination);
        if (format > TableCreation.FORMAT) {
            throw new HistoryException(
                    ("the schema history %s of %s was written by a later version, in format %d, and this version reads formats up to %d: start that version,"
                                    + " or restore the history from a backup of before the upgrade")
                            .formatted(database.location(), destination, format, TableCreation.FORMAT));
        }
    }

    /** Gives the history an identity unless it has one. Several processes may do so at a time: one succeeds, for all of them. */
    public void establish() throws IOException {
        insertUnlessThere();
        known = required();
    }

    private void insertUnlessThere() throws IOException {
        long newest = Math.max(newestId("meta_history"), newestId("meta_snapshot"));
        database.update(
                database.insertUnlessThere() + " into meta_identity (destination, history_id, last_id, numbered_apart, "
                        + TableCreation.FORMAT_COLUMN + ") values (?, ?, ?, ?, " + TableCreation.FORMAT + ")",
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
    public String historyId() throws IOException {
        return required().historyId();
    }

    /** The UUID of the history as this process knows it, without asking the database. */
    public String knownHistoryId() {
        return known.historyId();
    }

    private @Nullable Reached reached() throws IOException {
        List<@Nullable String[]> rows =
                database.query("select history_id, last_id from meta_identity" + OF_DESTINATION, destination);
        String id = rows.isEmpty() ? null : rows.get(0)[0];
        String last = rows.isEmpty() ? null : rows.get(0)[1];
        return id == null || last == null ? null : new Reached(id, Long.parseLong(last));
    }

    private Reached required() throws IOException {
        Reached reached = reached();
        if (reached == null) {
            throw new HistoryException(
                    "the schema history %s has lost its row in meta_identity: it was removed while this instance ran; start the instance again"
                            .formatted(database.location()));
        }
        return reached;
    }

    /** Whether rows were lost that this process knows: the database has another history, or one that does not reach as far. */
    public boolean isCutOff() throws IOException {
        Reached reached = reached();
        if (reached == null || !reached.covers(known)) {
            return true;
        }
        isWrittenByOthers |= !isUncertain && reached.lastId() > known.lastId();
        known = reached; // a row may be found there and used, and must be missed if it is lost
        return false;
    }

    /** Whether {@link #isCutOff} has seen since the last call that another process has written. */
    public boolean takeWrittenByOthers() {
        boolean isWritten = isWrittenByOthers;
        isWrittenByOthers = false;
        return isWritten;
    }

    /** Runs a transaction that takes ids; if it fails, it may have taken them all the same. */
    void commit(HistoryDatabase.Changes changes) throws IOException {
        try {
            database.atomically(changes);
        } catch (IOException e) {
            isUncertain = true;
            throw e;
        }
    }

    /**
     * Gives a {@linkplain #isCutOff cut-off} history a new UUID, and continues its ids after the largest one known to this process, so that no id is used for two
     * rows. Must run in the transaction that writes a snapshot of what was lost.
     *
     * @return the UUID, for {@link #markWritten}
     */
    String renewAfterLoss() throws IOException {
        insertUnlessThere();
        String id = UUID.randomUUID().toString();
        database.update("update meta_identity set history_id = ?" + OF_DESTINATION, id, destination);
        database.update(
                "update meta_identity set last_id = ?" + OF_DESTINATION + " and last_id < ?",
                known.lastId(),
                destination,
                known.lastId());
        return id;
    }

    /** States that a transaction that took an id is committed. */
    void markWritten(String historyId, long id) {
        known = new Reached(historyId, id);
        isUncertain = false;
    }

    /**
     * Gives the history another UUID, if it has this one.
     *
     * @return the UUID that it has then
     */
    public String renew(String lost) throws IOException {
        database.update(
                "update meta_identity set history_id = ?" + OF_DESTINATION + " and history_id = ?",
                UUID.randomUUID().toString(),
                destination,
                lost);
        known = required();
        return known.historyId();
    }

    /** The newest id, whether or not its row has been purged. */
    public long lastId() throws IOException {
        return number("select last_id from meta_identity" + OF_DESTINATION, destination);
    }

    /** The newest id of the time when rows and snapshots were numbered separately; 0 if they never were. */
    public long numberedApart() throws IOException {
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

    /**
     * When canal has closed the file from which the history was imported, in milliseconds since the epoch: what canal wrote later is not in it.
     *
     * @return 0 if canal had not closed the file; empty if the history was not imported, or that is not known
     */
    public OptionalLong importedClosedMillis() throws IOException {
        if (!database.hasColumn("meta_identity", TableCreation.CLOSED_COLUMN)) {
            return OptionalLong.empty();
        }
        List<@Nullable String[]> rows = database.query(
                "select " + TableCreation.CLOSED_COLUMN + " from meta_identity" + OF_DESTINATION, destination);
        String millis = rows.isEmpty() ? null : rows.get(0)[0];
        return millis == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(millis));
    }

    private long number(String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = database.query(sql, values);
        String number = rows.isEmpty() ? null : rows.get(0)[0];
        return number == null ? 0 : Long.parseLong(number);
    }
}
