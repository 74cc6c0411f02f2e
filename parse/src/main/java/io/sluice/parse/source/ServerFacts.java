package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.MySqlGtidSet;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.QueryResult;
import io.sluice.parse.wire.ServerAddress;
import io.sluice.parse.wire.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself and of its binlog, asked over a connection that is borrowed. For that connection's thread.
 */
final class ServerFacts {
    private static final int UNKNOWN_VARIABLE = 1193;

    private final MySqlConnection connection;

    ServerFacts(MySqlConnection connection) {
        this.connection = connection;
    }

    /**
     * One file of the binlog.
     *
     * @param bytes how long it is now
     */
    record File(String name, long bytes) {}

    /**
     * Where the binlog ends.
     *
     * @param gtidSet the executed transactions; empty if the server has none, or no GTIDs
     */
    record End(BinlogPosition point, String gtidSet) {}

    ServerAddress address() {
        return connection.address();
    }

    boolean mariaDb() {
        return connection.serverVersion().mariaDb();
    }

    /** Who it is: the same for as long as the names of its binlog files mean the same. */
    String identity() throws IOException {
        String uuid = variable("server_uuid");
        return uuid == null ? "server %d at %s".formatted(serverId(), address()) : uuid;
    }

    /** Its own {@code server_id}. */
    long serverId() throws IOException {
        String id = variable("server_id");
        return id == null ? 0 : Long.parseLong(id);
    }

    /** Whether every transaction has a GTID, so that the binlog can be asked for by them. */
    boolean hasGtids() throws IOException {
        return mariaDb() || "ON".equalsIgnoreCase(variable("gtid_mode"));
    }

    /** The value of {@code gtid_mode}; null if the server knows no such thing. */
    @Nullable String gtidMode() throws IOException {
        return variable("gtid_mode");
    }

    boolean writesChecksums() throws IOException {
        return "CRC32".equalsIgnoreCase(variable("binlog_checksum"));
    }

    /** The transactions that it has executed. */
    String executedGtids() throws IOException {
        return text(variable(mariaDb() ? "gtid_binlog_pos" : "gtid_executed"));
    }

    /** The same as a set of its flavour. */
    GtidSet executedSet() throws IOException {
        return mariaDb() ? MariaDbGtidSet.parse(executedGtids()) : MySqlGtidSet.parse(executedGtids());
    }

    /** The transactions that it has executed, and whose events it does not have any more; empty for MariaDB. */
    String purgedGtids() throws IOException {
        return mariaDb() ? "" : text(variable("gtid_purged"));
    }

    private static String text(@Nullable String gtidSet) {
        return gtidSet == null ? "" : gtidSet.replaceAll("\\s", "");
    }

    /** Where the binlog ends now. The transactions are at most older than the place, never newer. */
    End end() throws IOException {
        String executed = hasGtids() ? executedGtids() : "";
        boolean renamed = !mariaDb() && connection.serverVersion().atLeast(8, 4, 0);
        QueryResult.Row row = connection
                .query(renamed ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS")
                .firstRow();
        String file = row == null ? null : row.text(0);
        String offset = row == null ? null : row.text(1);
        if (file == null || offset == null) {
            throw new IOException("%s writes no binlog: start it with log_bin".formatted(address()));
        }
        return new End(new BinlogPosition(file, Long.parseLong(offset)), executed);
    }

    /** The files of the binlog, oldest first; at least one. */
    List<File> files() throws IOException {
        List<File> files = new ArrayList<>();
        for (QueryResult.Row row : connection.query("SHOW BINARY LOGS").rows()) {
            String name = row.text(0);
            String bytes = row.text(1);
            if (name != null && bytes != null) {
                files.add(new File(name, Long.parseLong(bytes)));
            }
        }
        if (files.isEmpty()) {
            throw new IOException("%s has no binlog: start it with log_bin".formatted(address()));
        }
        return files;
    }

    /** Its clock, in milliseconds since the epoch. */
    long clockMillis() throws IOException {
        QueryResult.Row row =
                connection.query("SELECT FLOOR(1000 * UNIX_TIMESTAMP(NOW(3)))").firstRow();
        String millis = row == null ? null : row.text(0);
        return millis == null ? 0 : Long.parseLong(millis);
    }

    /** A global variable; null if the server has none of that name. */
    @Nullable String variable(String name) throws IOException {
        try {
            QueryResult.Row row = connection.query("SELECT @@global." + name).firstRow();
            return row == null ? null : row.text(0);
        } catch (ServerErrorException e) {
            if (e.errno() == UNKNOWN_VARIABLE) {
                return null;
            }
            throw e;
        }
    }
}
