package io.sluice.stream.source.server;

import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import java.io.IOException;
import java.util.List;

/**
 * Statements that have another name since a version of MySQL. Where the server does not know the name that its version stands for, the other one is
 * tried: the version may be that of a proxy.
 */
public final class RenamedStatements {
    private static final int SYNTAX_ERROR = 1064;

    private RenamedStatements() {}

    /** The end of the binlog, in one row, as of {@code SHOW MASTER STATUS}; none if the server has no binlog. */
    public static QueryResult binlogStatus(MySqlConnection connection) throws IOException {
        return query(connection, isSince(connection, 8, 4, 0), "SHOW BINARY LOG STATUS", "SHOW MASTER STATUS");
    }

    /**
     * How the server replicates from its sources; halted only if that was stopped for all of them: while a source is down, its replica connects
     * again and again, and continues when it is back; after an error an operator will have it continue.
     */
    static ServerFacts.Replication replication(MySqlConnection connection) throws IOException {
        QueryResult status = replicaStatus(connection);
        if (status.rows().isEmpty()) {
            return ServerFacts.Replication.NONE;
        }
        return status.rows().stream().allMatch(row -> isHalted(status.columns(), row))
                ? ServerFacts.Replication.HALTED
                : ServerFacts.Replication.RUNNING;
    }

    /** The columns have the names of the statement. */
    private static boolean isHalted(List<String> columns, QueryResult.Row row) {
        String prefix = columns.contains("Replica_IO_Running") ? "Replica" : "Slave";
        return "No".equalsIgnoreCase(row.text(prefix + "_IO_Running"))
                && "No".equalsIgnoreCase(row.text(prefix + "_SQL_Running"))
                && "0".equals(row.text("Last_SQL_Errno")); // else it may have ended by itself
    }

    private static QueryResult replicaStatus(MySqlConnection connection) throws IOException {
        return connection.serverVersion().mariaDb()
                ? connection.query("SHOW ALL SLAVES STATUS", ResultLimit.GTIDS)
                : query(connection, isSince(connection, 8, 0, 22), "SHOW REPLICA STATUS", "SHOW SLAVE STATUS");
    }

    /** The replicas that are registered at the server, as of {@code SHOW SLAVE HOSTS}. */
    public static QueryResult replicas(MySqlConnection connection) throws IOException {
        return query(connection, isSince(connection, 8, 0, 22), "SHOW REPLICAS", "SHOW SLAVE HOSTS");
    }

    private static boolean isSince(MySqlConnection connection, int major, int minor, int patch) {
        return !connection.serverVersion().mariaDb()
                && connection.serverVersion().atLeast(major, minor, patch);
    }

    private static QueryResult query(MySqlConnection connection, boolean isRenamed, String newName, String oldName)
            throws IOException {
        try {
            return connection.query(isRenamed ? newName : oldName, ResultLimit.GTIDS);
        } catch (ServerErrorException e) {
            if (e.errno() != SYNTAX_ERROR) {
                throw e;
            }
            return connection.query(isRenamed ? oldName : newName, ResultLimit.GTIDS);
        }
    }
}
