package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.RowTaker;
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

    private interface Query {
        QueryResult run() throws IOException;
    }

    /**
     * Runs it, waits for ten minutes, or as long as for other answers if that is longer, and hands on each row as it comes.
     *
     * @param login by which the connection was opened
     * @throws IOException as {@link MySqlConnection#query(String, ResultLimit, RowTaker)}
     */
    public static void run(MySqlConnection connection, ConnectOptions login, String sql, RowTaker taker)
            throws IOException {
        Duration usual = login.readTimeout();
        run(connection, login, sql, usual.isZero() || usual.compareTo(TIMEOUT) > 0 ? usual : TIMEOUT, taker);
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
        return run(connection, login, sql, timeout, () -> connection.query(sql, ResultLimit.LARGE));
    }

    /**
     * Runs it, ends it at the server if it is not answered in time, and hands on each row as it comes, so that it does not matter how many there are.
     *
     * @throws IOException as {@link MySqlConnection#query(String, ResultLimit, RowTaker)}
     */
    public static void run(
            MySqlConnection connection, ConnectOptions login, String sql, Duration timeout, RowTaker taker)
            throws IOException {
        run(connection, login, sql, timeout, () -> {
            connection.query(sql, ResultLimit.LARGE, taker);
            return QueryResult.EMPTY;
        });
    }

    private static QueryResult run(
            MySqlConnection connection, ConnectOptions login, String sql, Duration timeout, Query query)
            throws IOException {
        Duration usual = login.readTimeout();
        connection.changeReadTimeout(timeout);
        try {
            QueryResult result = query.run();
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
