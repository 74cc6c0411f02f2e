package io.sluice.stream.source.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Writes a schema history as canal does, in an H2 file with its two tables. */
final class HistoryOfCanal implements AutoCloseable {
    private static final String COMMON = "id bigint auto_increment primary key, gmt_create datetime not null,"
            + " gmt_modified datetime not null, destination varchar(128), binlog_file varchar(64),"
            + " binlog_offest bigint, binlog_master_id varchar(64), binlog_timestamp bigint, ";

    private final String destination;
    private final Path stem;
    private final Connection connection;

    private HistoryOfCanal(String destination, Path stem, Connection connection) {
        this.destination = destination;
        this.stem = stem;
        this.connection = connection;
    }

    /**
     * Makes a file.
     *
     * @param stem its path without {@code .mv.db}
     */
    static HistoryOfCanal create(String destination, Path stem) throws SQLException {
        HistoryOfCanal history = new HistoryOfCanal(
                destination,
                stem,
                DriverManager.getConnection(
                        "jdbc:h2:" + stem.toAbsolutePath() + ";CACHE_SIZE=1000;MODE=MYSQL;DB_CLOSE_ON_EXIT=FALSE",
                        "canal",
                        "canal"));
        history.update("create table meta_snapshot (" + COMMON + "data longtext, extra text)");
        history.update("create table meta_history (" + COMMON
                + "use_schema varchar(1024), sql_schema varchar(1024), sql_table varchar(1024), sql_text longtext,"
                + " sql_type varchar(256), extra text)");
        return history;
    }

    private void update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Writes the snapshot of the first start, of one schema. */
    void addFirstSnapshot(String schema, String definitions) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into meta_snapshot (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, data) values (now(), now(), ?, '0', 0, '-1', -2, ?)")) {
            insert.setString(1, destination);
            insert.setString(2, "{\"%s\":\"%s\"}".formatted(schema, definitions));
            insert.executeUpdate();
        }
    }

    /**
     * A statement in the binlog.
     *
     * @param offset where its event begins
     */
    record RecordedStatement(String file, long offset, long serverId, long seconds, String schema, String sql) {}

    /** Writes the row of a statement. */
    void add(RecordedStatement statement) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_type, sql_text)"
                        + " values (now(), now(), ?, ?, ?, ?, ?, ?, ?, 'ALTER', ?)")) {
            insert.setString(1, destination);
            insert.setString(2, statement.file());
            insert.setLong(3, statement.offset());
            insert.setString(4, Long.toString(statement.serverId()));
            insert.setLong(5, statement.seconds() * 1000);
            insert.setString(6, statement.schema());
            insert.setString(7, statement.schema());
            insert.setString(8, statement.sql());
            insert.executeUpdate();
        }
    }

    /** Copies what a process that is killed now leaves, if it was killed long enough after what it wrote last. */
    void copyAsKilled(Path target) throws IOException, SQLException {
        update("checkpoint sync");
        Files.copy(stem.resolveSibling(stem.getFileName() + ".mv.db"), target);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
