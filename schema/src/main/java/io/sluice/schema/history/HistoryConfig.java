package io.sluice.schema.history;

import io.sluice.schema.history.database.HistoryLocation;
import java.time.Duration;

/**
 * The location and the retention of an instance's schema history.
 *
 * @param destination the instance's name, by which its rows are known
 * @param location the database
 * @param user the account of a MySQL server, or of the H2 file of canal that is taken over
 * @param password the same user's
 * @param snapshotInterval after how long all table schemas are written again if there was DDL; zero for never
 * @param expire for how long rows are kept that are older than the snapshot in use
 */
public record HistoryConfig(
        String destination,
        HistoryLocation location,
        String user,
        String password,
        Duration snapshotInterval,
        Duration expire) {
    /** All but the password. */
    @Override
    public String toString() {
        return "HistoryConfig[destination=%s, location=%s, user=%s]".formatted(destination, location, user);
    }
}
