package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Polling;
import java.time.Duration;

/**
 * Two MySQL 8.0 servers with GTIDs: the replica applies what the source commits, and writes it to its own binlog.
 *
 * <p>Either of them can be stopped, killed and started again by itself. For one thread at a time.
 *
 * @param source has server id 1
 * @param replica has server id 2, replicates by GTID, and is writable
 */
public record ReplicationPair(MySqlServer source, MySqlServer replica) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Starts both and lets the second follow the first. */
    public static ReplicationPair start() {
        return start(MySqlOptions.defaults());
    }

    /** Starts both with these options, GTIDs and server ids aside, and lets the second follow the first. */
    public static ReplicationPair start(MySqlOptions options) {
        MySqlServer source = MySqlServer.start(options.gtid().serverId(1));
        try {
            MySqlServer replica = MySqlServer.start(options.gtid().serverId(2).with("relay-log", "relay"));
            ReplicationPair pair = new ReplicationPair(source, replica);
            pair.follow();
            return pair;
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /** Lets the replica follow the source from now on, as of a pair of a promoted replica and its former source. */
    public void follow() {
        replica.execute("""
                CHANGE REPLICATION SOURCE TO SOURCE_HOST = '%s', SOURCE_PORT = %d, SOURCE_USER = 'root',
                SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1""".formatted(source.host(), source.port()), "START REPLICA");
    }

    /** Waits until the replica has applied all that the source has committed by now. */
    public void awaitReplica() {
        String committed = source.binlogEnd().gtidSet();
        String question = "SELECT GTID_SUBSET('%s', @@global.gtid_executed)".formatted(committed);
        if (!Polling.await(TIMEOUT, () -> "1".equals(replica.query(question)))) {
            throw new IllegalStateException("the replica has not applied " + committed + " but "
                    + replica.binlogEnd().gtidSet());
        }
    }

    /** Makes the replica a server on its own: it applies what it has received, and forgets its source. */
    public void promote() {
        replica.execute("STOP REPLICA IO_THREAD");
        String question = """
                SELECT GTID_SUBSET(received_transaction_set, @@global.gtid_executed)
                FROM performance_schema.replication_connection_status""";
        if (!Polling.await(TIMEOUT, () -> "1".equals(replica.query(question)))) {
            throw new IllegalStateException("the replica does not apply what it has received");
        }
        replica.execute("STOP REPLICA", "RESET REPLICA ALL");
    }

    @Override
    public void close() {
        replica.close();
        source.close();
    }
}
