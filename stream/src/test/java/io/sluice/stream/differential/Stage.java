package io.sluice.stream.differential;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.RowChange;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** The random schemas on a server, and marks in its binlog between the steps. */
final class Stage implements AutoCloseable {
    private static final String MARKS = "d1_marks";

    private final MySqlServer server;
    private final Connection marker;
    /** Logs nothing. */
    private final Connection observer;

    private final Map<String, String> globals = new LinkedHashMap<>();
    private int marks;

    /** Creates the schemas, without tables. */
    Stage(MySqlServer server) throws SQLException {
        this.server = server;
        marker = connect();
        observer = connect();
        try (Statement statement = observer.createStatement()) {
            statement.execute("set time_zone = '+00:00'");
            statement.execute("set sql_log_bin = 0");
            try (ResultSet rows = statement.executeQuery("show global variables where variable_name in"
                    + " ('log_bin_trust_function_creators', 'binlog_row_metadata', 'log_bin_compress',"
                    + " 'log_bin_compress_min_len')")) {
                while (rows.next()) {
                    globals.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        clear();
        try (Statement statement = marker.createStatement()) {
            statement.execute("set global log_bin_trust_function_creators = 1");
            statement.execute("create database " + MARKS);
            statement.execute("create table " + MARKS + ".m (n int primary key)");
            statement.execute("create database d1 default charset utf8mb4");
            statement.execute("create database `D``2` default charset gbk");
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(server.jdbcUrl() + "&characterEncoding=UTF-8", "root", "");
        try (Statement statement = connection.createStatement()) {
            statement.execute("set sql_mode = ''");
            statement.execute("set foreign_key_checks = 0");
        }
        return connection;
    }

    Dialect dialect() throws SQLException {
        return Dialect.of(observer, server.release().isMariaDb());
    }

    ServerSnapshot snapshot() throws SQLException {
        return ServerSnapshot.read(observer);
    }

    /** Writes the next mark into the binlog. */
    int mark() throws SQLException {
        marks++;
        try (Statement statement = marker.createStatement()) {
            statement.execute("insert into " + MARKS + ".m values (" + marks + ")");
        }
        return marks;
    }

    static boolean isOfMarks(Entry entry) {
        return entry.schemaName().equals(MARKS);
    }

    static boolean isMark(Entry entry, int mark) {
        if (entry.kind() != EntryKind.ROWS || !isOfMarks(entry)) {
            return false;
        }
        RowChange change = rows(entry);
        return change.getRowDatasCount() == 1
                && change.getRowDatas(0).getAfterColumns(0).getValue().equals(Integer.toString(mark));
    }

    /** What an entry of rows contains. */
    static RowChange rows(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        try {
            return RowChange.parseFrom(
                    io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray()) // has the name of ours
                            .getStoreValue());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("not an entry of rows", e);
        }
    }

    private void clear() throws SQLException {
        try (Statement statement = marker.createStatement()) {
            for (String schema : Identifiers.SCHEMAS) {
                statement.execute("drop database if exists " + Identifiers.quoted(schema));
            }
            statement.execute("drop database if exists " + MARKS);
            for (Map.Entry<String, String> global : globals.entrySet()) {
                statement.execute("set global " + global.getKey() + " = " + global.getValue());
            }
        }
    }

    @Override
    public void close() throws SQLException {
        clear();
        observer.close();
        marker.close();
    }
}
