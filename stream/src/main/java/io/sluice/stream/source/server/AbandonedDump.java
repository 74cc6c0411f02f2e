package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.query.QueryResult;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kills the dump thread of an abandoned connection on its server; otherwise it lives until its next write. */
final class AbandonedDump {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedDump.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The column of {@code SHOW PROCESSLIST} after id, user, host and schema. */
    private static final int COMMAND = 4;

    private AbandonedDump() {}

    /** Kills the session of a dump, if the server answers within seconds. */
    static void kill(ConnectOptions login, long connectionId) {
        try (MySqlConnection connection = MySqlConnection.open(login.withTimeouts(TIMEOUT, TIMEOUT))) {
            if (isDump(connection, connectionId)) {
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

    /**
     * After a restart of the server the number may be that of another connection. Not asked of {@code information_schema}, which
     * fails where any session runs a statement that it cannot convert.
     */
    private static boolean isDump(MySqlConnection connection, long connectionId) throws IOException {
        String id = Long.toString(connectionId);
        for (QueryResult.Row row : connection.query("SHOW PROCESSLIST").rows()) {
            String command = row.text(COMMAND);
            if (id.equals(row.text(0)) && command != null) {
                return command.startsWith("Binlog Dump");
            }
        }
        return false;
    }
}
