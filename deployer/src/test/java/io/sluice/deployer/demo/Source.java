package io.sluice.deployer.demo;

import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** The MySQL server whose changes are shown: one that the demo started, or the reader's own. */
final class Source implements AutoCloseable {
    private static final String SCHEMA = "sluice_demo";

    private final String host;
    private final int port;
    private final String replicationUser;
    private final String replicationPassword;
    private final String version;
    private final Connection connection;
    private final AutoCloseable server;

    private Source(
            String host,
            int port,
            String replicationUser,
            String replicationPassword,
            Connection connection,
            AutoCloseable server)
            throws SQLException {
        this.host = host;
        this.port = port;
        this.replicationUser = replicationUser;
        this.replicationPassword = replicationPassword;
        this.connection = connection;
        this.server = server;
        this.version = query("select version()", 1);
    }

    /** Starts one, with a user of its own for the replication. */
    static Source started() throws SQLException {
        MySqlServer server = MySqlServer.start();
        String password = UUID.randomUUID().toString();
        server.createReplicationUser("sluice", password, AuthPlugin.CACHING_SHA2_PASSWORD);
        return new Source(server.host(), server.port(), "sluice", password, server.connect(), server);
    }

    /** Connects to the reader's, which must allow its user to replicate and to make a schema. */
    static Source of(DemoOptions.OwnServer own) throws SQLException {
        Connection connection = DriverManager.getConnection(
                "jdbc:mysql://%s:%d/?sslMode=PREFERRED&allowPublicKeyRetrieval=true".formatted(own.host(), own.port()),
                own.user(),
                own.password());
        return new Source(own.host(), own.port(), own.user(), own.password(), connection, () -> {});
    }

    /** Makes the schema that the changes happen in, empty. */
    void createSchema() throws SQLException {
        execute("drop database if exists " + SCHEMA);
        execute("create database " + SCHEMA + " character set utf8mb4");
        execute("use " + SCHEMA);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What the configuration of an instance says to read from here on. */
    String settings() throws SQLException {
        String status =
                version.startsWith("5.") || version.startsWith("8.0") ? "show master status" : "show binary log status";
        return """
                canal.instance.master.address = %s:%d
                canal.instance.master.allowPublicKeyRetrieval = true
                canal.instance.dbUsername = %s
                canal.instance.master.journal.name = %s
                canal.instance.master.position = %s
                canal.instance.filter.regex = %s\\\\..*
                """.formatted(host, port, replicationUser, query(status, 1), query(status, 2), SCHEMA);
    }

    String password() {
        return replicationPassword;
    }

    String version() {
        return version;
    }

    /** How to reach it with MySQL's own client. */
    String clientCommand(String user) {
        return "mysql -h%s -P%d -u%s %s".formatted(host, port, user, SCHEMA);
    }

    @Override
    public void close() throws Exception {
        try {
            execute("drop database if exists " + SCHEMA);
        } finally {
            connection.close();
            server.close();
        }
    }

    private String query(String sql, int column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new SQLException("nothing came back from: " + sql + ". Does the server write a binlog?");
            }
            return rows.getString(column);
        }
    }
}
