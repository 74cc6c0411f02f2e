package io.sluice.deployer.e2e;

import io.sluice.testkit.mysql.BinlogEnd;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/**
 * Writes what a canal 1.1.8 server leaves of a destination: its cursor, and its schema history.
 *
 * @param destination the name of the instance
 */
record CanalFootprint(String destination) {
    /** Copied here by the build; no class of it is on the class path, which has a newer H2. */
    private static final Path H2 = Path.of(System.getProperty("sluice.h2", ""));

    private static final List<String> TABLES = List.of("""
            create table meta_snapshot (id bigint(20) not null auto_increment, gmt_create datetime not null,
             gmt_modified datetime not null, destination varchar(128) default null, binlog_file varchar(64) default null,
             binlog_offest bigint(20) default null, binlog_master_id varchar(64) default null,
             binlog_timestamp bigint(20) default null, data longtext default null, extra text default null,
             primary key (id))""", """
            create table meta_history (id bigint(20) not null auto_increment, gmt_create datetime not null,
             gmt_modified datetime not null, destination varchar(128) default null, binlog_file varchar(64) default null,
             binlog_offest bigint(20) default null, binlog_master_id varchar(64) default null,
             binlog_timestamp bigint(20) default null, use_schema varchar(1024) default null,
             sql_schema varchar(1024) default null, sql_table varchar(1024) default null,
             sql_text longtext default null, sql_type varchar(256) default null, extra text default null,
             primary key (id))""");

    /**
     * Where an event begins.
     *
     * @param offset of its first byte
     * @param timeMillis when it was written, in milliseconds since the epoch
     */
    record EventStart(String file, long offset, long timeMillis) {
        /** The event that ends a transaction, of 31 bytes with its checksum, which is what canal's cursor names. */
        static EventStart ofXidBefore(BinlogEnd end) {
            return new EventStart(end.file(), end.offset() - 31, System.currentTimeMillis() / 1000 * 1000);
        }
    }

    /** A statement that canal recorded. */
    record Ddl(EventStart at, String schema, String table, String type, String sql) {}

    /** The object of a cursor. */
    private static String cursor(EventStart acked, int sourcePort) {
        return ("{\"identity\":{\"slaveId\":-1,\"sourceAddress\":{\"address\":\"localhost\",\"port\":%d}},\"postion\":"
                        + "{\"gtid\":\"\",\"included\":false,\"journalName\":\"%s\",\"position\":%d,\"serverId\":1,"
                        + "\"timestamp\":%d}}")
                .formatted(sourcePort, acked.file(), acked.offset(), acked.timeMillis());
    }

    /** The content of {@code meta.dat}. */
    String metaDat(EventStart acked, int sourcePort) {
        return ("{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":1001,\"destination\":\"%s\",\"filter\":\"\"},"
                        + "\"cursor\":%s}],\"destination\":\"%s\"}")
                .formatted(destination, cursor(acked, sourcePort), destination);
    }

    /** The content of the node {@code 1001/cursor}. */
    static String node(EventStart acked, int sourcePort) {
        return "{\"@type\":\"com.alibaba.otter.canal.protocol.position.LogPosition\","
                + cursor(acked, sourcePort).substring(1);
    }

    /** Writes {@code h2.mv.db}, with a snapshot of the first start and the statements after it. */
    void writeH2(Path folder, String snapshot, List<Ddl> statements) throws IOException, SQLException {
        Files.createDirectories(folder);
        inH2(folder.resolve("h2"), connection -> writeTables(connection, snapshot, statements));
    }

    /** Writes {@code h2.mv.db} as a process leaves it that is killed before what follows the statements is in the file. */
    void writeH2OfKilled(Path folder, String snapshot, List<Ddl> statements) throws IOException, SQLException {
        Files.createDirectories(folder);
        Path open = Files.createTempDirectory("sluice-canal-").resolve("h2");
        Path file = open.resolveSibling("h2.mv.db");
        inH2(open, connection -> {
            writeTables(connection, snapshot, statements);
            try (Statement statement = connection.createStatement()) {
                statement.execute("checkpoint sync");
            }
            Files.copy(file, folder.resolve("h2.mv.db"));
        });
        Files.delete(file);
        Files.delete(file.getParent());
    }

    /** What is done with a database. */
    private interface Work {
        void run(Connection connection) throws IOException, SQLException;
    }

    private static void inH2(Path stem, Work work) throws IOException, SQLException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {H2.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Driver driver = (Driver)
                    loader.loadClass("org.h2.Driver").getDeclaredConstructor().newInstance();
            Properties login = new Properties();
            login.setProperty("user", "canal");
            login.setProperty("password", "canal");
            String url = "jdbc:h2:" + stem.toAbsolutePath() + ";CACHE_SIZE=1000;MODE=MYSQL;";
            try (Connection connection = driver.connect(url, login)) {
                work.run(connection);
            }
        } catch (ReflectiveOperationException e) {
            throw new IOException("H2 as of canal cannot be loaded from " + H2.toAbsolutePath(), e);
        }
    }

    /** Writes the two tables of a history into a database. */
    void writeTables(Connection connection, String snapshot, List<Ddl> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into meta_snapshot (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, data) values (now(), now(), ?, '0', 0, '-1', -2, ?)")) {
            insert.setString(1, destination);
            insert.setString(2, snapshot);
            insert.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_type, sql_text)"
                        + " values (now(), now(), ?, ?, ?, '1', ?, ?, ?, ?, ?, ?)")) {
            for (Ddl ddl : statements) {
                insert.setString(1, destination);
                insert.setString(2, ddl.at().file());
                insert.setLong(3, ddl.at().offset());
                insert.setLong(4, ddl.at().timeMillis());
                insert.setString(5, ddl.schema());
                insert.setString(6, ddl.schema());
                insert.setString(7, ddl.table());
                insert.setString(8, ddl.type());
                insert.setString(9, ddl.sql());
                insert.executeUpdate();
            }
        }
    }
}
