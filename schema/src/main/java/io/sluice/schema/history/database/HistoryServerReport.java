package io.sluice.schema.history.database;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a MySQL server with a schema history allows, as far as that can be determined without a change there.
 *
 * @param hasSchema whether the schema exists; an instance creates it otherwise
 * @param tables which of the tables of a history exist; an instance creates the others
 * @param denied the error for each kind of statement that an instance needs and the account may not run
 * @param changes the statements by which an instance gives tables of canal the form that it needs
 * @param maxPacketBytes {@code max_allowed_packet}, which a snapshot of all table schemas must fit into
 * @param snapshotBytes the size of the largest snapshot of the instance, in bytes; 0 if it has none, or it cannot be read
 */
public record HistoryServerReport(
        boolean hasSchema,
        List<String> tables,
        List<String> denied,
        List<String> changes,
        long maxPacketBytes,
        long snapshotBytes) {
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int MAX_RESULT_BYTES = 64 << 20;
    private static final List<String> TABLES = List.of("meta_history", "meta_identity", "meta_snapshot");

    /**
     * Queries a server.
     *
     * @param destination the instance's name, by which its snapshots are known
     * @param timeout how long to wait for the connection, and for each answer
     * @throws IOException if it cannot be reached, or rejects the login
     */
    public static HistoryServerReport read(
            HistoryLocation.MySql location, String user, String password, String destination, Duration timeout)
            throws IOException {
        ConnectOptions options = ConnectOptions.of(location.address(), user, password)
                .withTls(location.tls())
                .withPasswords(location.passwords())
                .withTimeouts(timeout, timeout)
                .withMaximumPacketBytes(MAX_RESULT_BYTES);
        try (MySqlConnection connection = MySqlConnection.openWithLimits(options.withDatabase(location.schema()))) {
            return ofSchema(connection, location.schema(), destination);
        } catch (ServerErrorException e) {
            if (e.errno() != UNKNOWN_DATABASE) {
                throw e;
            }
        }
        try (MySqlConnection connection = MySqlConnection.openWithLimits(options)) {
            return new HistoryServerReport(false, List.of(), List.of(), List.of(), maxPacketBytes(connection), 0);
        }
    }

    private static HistoryServerReport ofSchema(MySqlConnection connection, String schema, String destination)
            throws IOException {
        List<String> tables = new ArrayList<>();
        for (@Nullable String[] row :
                query(connection, "select table_name from information_schema.tables where table_schema = ?", schema)) {
            String table = String.valueOf(row[0]);
            if (TABLES.contains(table)) {
                tables.add(table);
            }
        }
        List<String> denied = new ArrayList<>();
        for (String table : tables) {
            for (String statement : List.of(
                    "select destination from %1$s where destination = ''",
                    "insert into %1$s select * from %1$s where destination = ''",
                    "update %1$s set destination = '' where destination = ''",
                    "delete from %1$s where destination = ''")) {
                denied(connection, statement.formatted(table), denied);
            }
        }
        return new HistoryServerReport(
                true,
                tables,
                denied,
                MySqlTableForms.changes(query(connection, MySqlTableForms.QUERY, schema)),
                maxPacketBytes(connection),
                tables.contains("meta_snapshot") && denied.isEmpty() ? snapshotBytes(connection, destination) : 0);
    }

    /** A statement that is explained only needs the privileges for running it. */
    private static void denied(MySqlConnection connection, String statement, List<String> denied) throws IOException {
        try {
            connection.query("explain " + statement);
        } catch (ServerErrorException e) {
            denied.add("%s (server error %d)".formatted(e.serverMessage(), e.errno()));
        }
    }

    private static long snapshotBytes(MySqlConnection connection, String destination) throws IOException {
        return number(query(
                connection,
                "select max(length(data) + length(coalesce(extra, ''))) from meta_snapshot where destination = ?",
                destination));
    }

    private static long maxPacketBytes(MySqlConnection connection) throws IOException {
        return number(query(connection, "select @@max_allowed_packet"));
    }

    private static long number(List<@Nullable String[]> rows) {
        String number = rows.get(0)[0];
        return number == null ? 0 : Long.parseLong(number);
    }

    private static List<@Nullable String[]> query(MySqlConnection connection, String sql, Object... values)
            throws IOException {
        List<@Nullable String[]> rows = new ArrayList<>();
        for (QueryResult.Row row : connection
                .query(MySqlDatabase.filled(sql, values), ResultLimit.HISTORY)
                .rows()) {
            rows.add(MySqlDatabase.texts(row));
        }
        return rows;
    }
}
