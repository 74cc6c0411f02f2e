package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what an abandoned connection still does at its server, over another connection. */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Columns of {@code SHOW PROCESSLIST}; the text is cut. */
    private static final int COMMAND = 4;

    private static final int TEXT = 7;

    private ServerProcess() {}

    /** Whether a connection does what is to be ended. */
    @FunctionalInterface
    interface Check {
        /**
         * Tells it by the list of connections.
         *
         * @param command such as {@code Query}
         * @param text the begin of the statement; null if there is none
         */
        boolean isMeant(String command, @Nullable String text);
    }

    /**
     * Runs a {@code KILL}. Does nothing if the server does not answer within seconds, or if the connection does something else: after a restart
     * of the server, or behind a proxy, its id may be that of another one.
     *
     * @param kill {@code KILL CONNECTION} or {@code KILL QUERY}
     */
    static void end(String kill, ConnectOptions login, long connectionId, Check check) {
        try (MySqlConnection connection = MySqlConnection.open(login.withTimeouts(TIMEOUT, TIMEOUT))) {
            if (isMeant(connection, connectionId, check)) {
                connection.execute(kill + " " + connectionId);
            }
        } catch (IOException e) {
            LOG.debug(
                    "what an abandoned connection does was not ended: server={} connection={} cause={}",
                    login.address(),
                    connectionId,
                    e.getMessage());
        }
    }

    /** Not asked of {@code information_schema}, which fails where any session runs a statement that it cannot convert. */
    private static boolean isMeant(MySqlConnection connection, long connectionId, Check check) throws IOException {
        String id = Long.toString(connectionId);
        for (QueryResult.Row row :
                connection.query("SHOW PROCESSLIST", ResultLimit.LARGE).rows()) {
            String command = row.size() > COMMAND ? row.text(COMMAND) : null; // a proxy may have other columns
            if (command != null && id.equals(row.text(0))) {
                return check.isMeant(command, row.size() > TEXT ? row.text(TEXT) : null);
            }
        }
        return false;
    }
}
