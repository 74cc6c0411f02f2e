package io.sluice.stream.differential;

import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Polling;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The sessions that execute random statements: one for each character set, opened when it is used first. */
final class Sessions implements AutoCloseable {
    /** A statement that fails may have dropped some of its tables. */
    private static final Pattern MAY_DROP_SOME = Pattern.compile("(?is)drop (temporary )?table .*,.*");

    private static final int PATIENCE_FOR_LOCKS_S = 5;
    private static final Duration PATIENCE_FOR_THE_END = Duration.ofSeconds(30);

    private final MySqlServer server;
    private final Map<Client, Connection> connections = new EnumMap<>(Client.class);

    Sessions(MySqlServer server) {
        this.server = server;
    }

    /** Executes a step; returns the statements that the server accepted. */
    Step execute(Step step) throws SQLException {
        List<String> accepted = new ArrayList<>();
        for (String sql : step.statements()) {
            if (sql.equals(Step.RECONNECT)) {
                end(step.client());
                accepted.add(sql);
                continue;
            }
            try (Statement statement = connection(step.client()).createStatement()) {
                statement.execute(sql);
                while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
                    // a result of one of several statements
                }
                accepted.add(sql);
            } catch (SQLException e) {
                if (MAY_DROP_SOME.matcher(sql).matches()) {
                    accepted.add(sql);
                }
                Connection broken = connections.get(step.client());
                if (broken != null && !broken.isValid(PATIENCE_FOR_LOCKS_S)) {
                    connections.remove(step.client()).close();
                }
            }
        }
        return new Step(step.client(), accepted);
    }

    /** How a session reads statements now. */
    SessionState state(Client client) throws SQLException {
        try (Statement statement = connection(client).createStatement();
                ResultSet row = statement.executeQuery("select database(), @@sql_mode")) {
            row.next();
            String modes = row.getString(2);
            return new SessionState(
                    client,
                    row.getString(1),
                    modes.contains("ANSI_QUOTES") || modes.contains("ORACLE"),
                    modes.contains("NO_BACKSLASH_ESCAPES"));
        }
    }

    /** The server drops the temporary tables of a session when it has noticed its end. */
    private void end(Client client) throws SQLException {
        Connection connection = connections.remove(client);
        if (connection == null) {
            return;
        }
        String id;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select connection_id()")) {
            row.next();
            id = row.getString(1);
        }
        connection.close();
        boolean ended = Polling.await(
                PATIENCE_FOR_THE_END,
                () -> "0".equals(server.query("select count(*) from information_schema.processlist where id = " + id)));
        if (!ended) {
            throw new IllegalStateException("a session does not end: " + id);
        }
    }

    private Connection connection(Client client) throws SQLException {
        Connection known = connections.get(client);
        if (known != null) {
            return known;
        }
        Connection opened = DriverManager.getConnection(
                server.jdbcUrl() + "&allowMultiQueries=true&characterEncoding=" + client.javaName(), "root", "");
        connections.put(client, opened);
        try (Statement statement = opened.createStatement()) {
            statement.execute("set sql_mode = ''");
            if (client == Client.MIXED) {
                statement.execute("set binlog_format = 'MIXED'");
                statement.execute("set foreign_key_checks = 0");
            }
            statement.execute("set time_zone = '+00:00'");
            statement.execute("set lock_wait_timeout = " + PATIENCE_FOR_LOCKS_S);
            statement.execute("use " + SessionState.FIRST_SCHEMA);
        }
        return opened;
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }
}
