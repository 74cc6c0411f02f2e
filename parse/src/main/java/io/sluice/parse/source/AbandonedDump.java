package io.sluice.parse.source;

import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.MySqlConnection;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a dump at the server that we let go of: else it learns of that only when it sends next. */
final class AbandonedDump {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedDump.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private AbandonedDump() {}

    /** Kills the session of a dump, if the server answers within seconds. */
    static void kill(ConnectOptions login, long connectionId) {
        try (MySqlConnection connection = MySqlConnection.open(login.withTimeouts(PATIENCE, PATIENCE))) {
            // After a restart of the server the number may be somebody else's.
            boolean isDump = connection
                            .query(
                                    "SELECT 1 FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%' AND id = "
                                            + connectionId)
                            .firstRow()
                    != null;
            if (isDump) {
                connection.execute("KILL CONNECTION " + connectionId);
            }
        } catch (IOException e) {
            LOG.debug(
                    "an abandoned dump was not killed: server={} connection={} cause={}",
                    login.address(),
                    connectionId,
                    e.getMessage());
        }
    }
}
