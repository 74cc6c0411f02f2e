package io.sluice.stream.source.server;

import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import java.io.IOException;

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

    /** The sources that the server replicates from, as of {@code SHOW SLAVE STATUS}. */
    static QueryResult replicaStatus(MySqlConnection connection) throws IOException {
        return connection.serverVersion().mariaDb()
                ? connection.query("SHOW ALL SLAVES STATUS")
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
            return connection.query(isRenamed ? newName : oldName);
        } catch (ServerErrorException e) {
            if (e.errno() != SYNTAX_ERROR) {
                throw e;
            }
            return connection.query(isRenamed ? oldName : newName);
        }
    }
}
