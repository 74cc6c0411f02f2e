package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A query over all tables of a server. MySQL 5.7 and MariaDB open the definition of each table for it before they send anything, which takes minutes where there
 * are a hundred thousand.
 */
public final class LongQuery {
    private static final Logger LOG = LoggerFactory.getLogger(LongQuery.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration TIMEOUT_OF_KILL = Duration.ofSeconds(2);

    /** Columns of {@code SHOW PROCESSLIST}; the text is cut. */
    private static final int COMMAND = 4;

    private static final int TEXT = 7;

    private LongQuery() {}

    /**
     * Runs it, and waits for ten minutes, or as long as for other answers if that is longer.
     *
     * @param login by which the connection was opened
     * @throws IOException as {@link MySqlConnection#query}
     */
    public static QueryResult run(MySqlConnection connection, ConnectOptions login, String sql) throws IOException {
        Duration usual = login.readTimeout();
        return run(connection, login, sql, usual.isZero() || usual.compareTo(TIMEOUT) > 0 ? usual : TIMEOUT);
    }

    /**
     * Runs it, and ends it at the server if it is not answered in time.
     *
     * @param login by which the connection was opened
     * @param timeout how long to wait for the begin of the answer; zero waits without limit
     * @throws SocketTimeoutException if that was too short
     * @throws IOException as {@link MySqlConnection#query}
     */
    public static QueryResult run(MySqlConnection connection, ConnectOptions login, String sql, Duration timeout)
            throws IOException {
        Duration usual = login.readTimeout();
        connection.changeReadTimeout(timeout);
        try {
            QueryResult result = connection.query(sql);
            connection.changeReadTimeout(usual);
            return result;
        } catch (ServerErrorException e) {
            connection.changeReadTimeout(usual);
            throw e;
        } catch (SocketTimeoutException e) {
            kill(login, connection.connectionId(), sql);
            throw e;
        }
    }

    /**
     * Ends a query that was not answered in time, which the server would otherwise run to its end. Does nothing if the server does not answer within seconds.
     *
     * @param connectionId of the connection that it was sent over
     */
    static void kill(ConnectOptions login, long connectionId, String sql) {
        try (MySqlConnection connection = MySqlConnection.open(login.withTimeouts(TIMEOUT_OF_KILL, TIMEOUT_OF_KILL))) {
            if (runs(connection, connectionId, sql)) {
                connection.execute("KILL QUERY " + connectionId);
            }
        } catch (IOException e) {
            LOG.debug(
                    "a query that was not answered was not ended: server={} connection={} cause={}",
                    login.address(),
                    connectionId,
                    e.getMessage());
        }
    }

    /** The id may be that of another connection after a restart of the server, or behind a proxy. */
    private static boolean runs(MySqlConnection connection, long connectionId, String sql) throws IOException {
        String id = Long.toString(connectionId);
        for (QueryResult.Row row : connection.query("SHOW PROCESSLIST").rows()) {
            String text = row.size() > TEXT ? row.text(TEXT) : null; // a proxy may have other columns
            if (text != null && id.equals(row.text(0))) {
                return "Query".equals(row.text(COMMAND)) && sql.startsWith(text);
            }
        }
        return false;
    }
}
