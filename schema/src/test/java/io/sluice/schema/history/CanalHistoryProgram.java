package io.sluice.schema.history;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Writes numbered rows to the H2 file of a history as canal does, and prints the number of each that is committed, until its input ends: then it closes the
 * file. Its arguments are the path of the file without {@code .mv.db}, and a seed. It needs nothing but H2.
 */
final class CanalHistoryProgram {
    static final String OPENED = "opened ";
    static final String COMMITTED = "committed ";

    private static final int LONG_PAUSE_MILLIS = 700;
    private static final String COMMON = " (id bigint(20) not null auto_increment, gmt_create datetime not null,"
            + " gmt_modified datetime not null, destination varchar(128) default null, binlog_file varchar(64) default null,"
            + " binlog_offest bigint(20) default null, binlog_master_id varchar(64) default null,"
            + " binlog_timestamp bigint(20) default null, ";

    private final Connection connection;
    private final Random random;

    private CanalHistoryProgram(Connection connection, Random random) {
        this.connection = connection;
        this.random = random;
    }

    public static void main(String[] arguments) throws Exception {
        String url = "jdbc:h2:" + arguments[0] + ";CACHE_SIZE=1000;MODE=MYSQL;";
        try (Connection connection = DriverManager.getConnection(url, "canal", "canal")) {
            new CanalHistoryProgram(connection, new Random(Long.parseLong(arguments[1]))).run();
        }
    }

    private void run() throws Exception {
        createTables();
        long newest = newest();
        print(OPENED, newest);
        while (System.in.available() == 0) {
            newest++;
            addRow(newest);
            print(COMMITTED, newest);
            // H2 writes what was committed up to half a second later.
            Thread.sleep(random.nextInt(random.nextInt(10) == 0 ? LONG_PAUSE_MILLIS : 10));
        }
    }

    private static void print(String event, long number) {
        System.out.println(event + number);
        System.out.flush();
    }

    private void createTables() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists meta_snapshot" + COMMON
                    + "data longtext default null, extra text default null, primary key (id))");
            statement.execute("create table if not exists meta_history" + COMMON
                    + "use_schema varchar(1024) default null, sql_schema varchar(1024) default null,"
                    + " sql_table varchar(1024) default null, sql_text longtext default null,"
                    + " sql_type varchar(256) default null, extra text default null, primary key (id))");
        }
    }

    private long newest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select max(binlog_offest) from meta_history")) {
            result.next();
            return result.getLong(1);
        }
    }

    private void addRow(long number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                        + " binlog_timestamp, use_schema, sql_text) values (now(), now(), 'shop', 'binlog.000001', ?, '1', ?, 'shop', ?)")) {
            insert.setLong(1, number);
            insert.setLong(2, number);
            insert.setString(3, "alter table t add c int comment '" + "x".repeat(random.nextInt(2_000)) + "'");
            insert.executeUpdate();
        }
    }
}
