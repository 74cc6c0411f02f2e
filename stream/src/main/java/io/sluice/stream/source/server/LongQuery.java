package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A query over all tables of a server. MySQL 5.7 and MariaDB open the definition of each table for it before they send anything, which takes minutes where there
 * are a hundred thousand.
 */
public final class LongQuery {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private LongQuery() {}

    /**
     * Runs it, and waits for ten minutes, or as long as for other answers if that is longer.
     *
     * @param login by which the connection was opened
     * @throws IOException as {@link MySqlConnection#query(String)}
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
     * @throws IOException as {@link MySqlConnection#query(String)}
     */
    public static QueryResult run(MySqlConnection connection, ConnectOptions login, String sql, Duration timeout)
            throws IOException {
        Duration usual = login.readTimeout();
        connection.changeReadTimeout(timeout);
        try {
            QueryResult result = connection.query(sql, ResultLimit.LARGE);
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
        ServerProcess.end(
                "KILL QUERY",
                login,
                connectionId,
                (command, text) -> command.equals("Query") && text != null && sql.startsWith(text));
    }
}
