package io.sluice.stream.source.server;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts about a server and its binlog, queried at each call. For the thread of its connection. */
public interface ServerFacts {
    /**
     * One file of the binlog.
     *
     * @param bytes how long it is now, as offsets count it
     */
    record File(String name, long bytes) {}

    /**
     * Where the binlog ends.
     *
     * @param executed the executed transactions; null if the server has no GTIDs
     */
    record End(BinlogPosition position, @Nullable GtidSet executed) {}

    /** How a server gets what others write. */
    enum Replication {
        /** It replicates from no server. */
        NONE,
        /** It is configured as a replica, but does not replicate now, as a server that was promoted by {@code STOP REPLICA} only. */
        HALTED,
        /** It replicates from another server. */
        RUNNING,
        /** It is a member of a group or a cluster. */
        MEMBER
    }

    /** Where it is, as its host is configured. */
    ServerAddress address();

    boolean mariaDb();

    /** The identity of the server: the same for as long as the names of its binlog files mean the same. */
    String identity() throws IOException;

    /** It, as cursors state it. */
    default SourceServer server() throws IOException {
        return new SourceServer(address().host(), address().port(), identity());
    }

    /** Whether a cursor's position is of this server: the address is the same, and so is the server identity if the cursor states it. */
    default boolean isServerOf(Cursor cursor) throws IOException {
        String identity = cursor.source().identity();
        return SourceHosts.isAt(address(), cursor.sourceHost(), cursor.sourcePort())
                && (identity.isEmpty() || identity.equals(identity()));
    }

    /** Whether a cursor's GTIDs are of the same transactions on this server. */
    default boolean sharesGtidsOf(Cursor cursor) throws IOException {
        return isServerOf(cursor) || GaleraNode.areGtidsShared(cursor.source().identity(), identity());
    }

    /** Its own {@code server_id}. */
    long serverId() throws IOException;

    /** Whether it writes a binlog. Readers of a cluster that has one writer may not, and write one as soon as they are the writer. */
    boolean writesBinlog() throws IOException;

    /** Whether every transaction has a GTID, so that the binlog can be requested by GTIDs. */
    boolean hasGtids() throws IOException;

    /** The value of {@code gtid_mode}; null if the server has no such variable. */
    @Nullable String gtidMode() throws IOException;

    boolean writesChecksums() throws IOException;

    /** The transactions that it has executed, in its flavour. */
    GtidSet executed() throws IOException;

    /**
     * The newest transaction in its binlog of each server in each domain, as {@code gtid_binlog_state} of MariaDB; empty for MySQL. {@link #executed}
     * has the last one of each domain, which need not have the highest number if several servers write the domain.
     */
    List<MariaDbGtid> newestOfServers() throws IOException;

    /**
     * The last transaction of each domain that it has replicated, which need not be in its binlog, as {@code gtid_slave_pos} of MariaDB: it can be read
     * after these, too. Empty for MySQL.
     */
    MariaDbGtidSet replicated() throws IOException;

    /**
     * The transactions of its own that it is committing: their events are in its binlog, and are sent, while it still waits for a replica to
     * acknowledge them (semi-synchronous replication). Empty for MariaDB, which counts those as executed.
     */
    MySqlGtidSet committing() throws IOException;

    /** The transactions that it has executed, and whose events it does not have any more; empty for MariaDB. */
    MySqlGtidSet purged() throws IOException;

    /**
     * Whether it replicates from another server, or is a member of a group or a cluster, so that it may catch up with transactions that
     * it does not have yet.
     */
    default boolean isReplica() throws IOException {
        return replication() != Replication.NONE;
    }

    /** How it gets what other servers write. */
    Replication replication() throws IOException;

    /** Whether clients cannot change anything on it ({@code read_only}). */
    boolean isReadOnly() throws IOException;

    /** Whether its binlog has what it replicates, too, if it replicates. */
    boolean logsReplicated() throws IOException;

    /** Where the binlog ends now. The transactions are at most older than the position, never newer. */
    End end() throws IOException;

    /** The files of the binlog, oldest first; at least one. */
    List<File> files() throws IOException;

    /** Its clock, in milliseconds since the epoch. */
    long clockMillis() throws IOException;
}
