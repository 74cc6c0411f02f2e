package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the binlog of a server has what it replicates. Without {@code log_replica_updates} it has only what clients change on the server
 * itself, and a dump of it looks like that of an idle source.
 */
final class ReplicatedChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedChanges.class);
    private static final String NOT_LOGGED =
            "does not write into its binlog what it replicates (log_replica_updates=OFF, log_slave_updates on older servers)";
    private static final String START = "start it with log_replica_updates=ON (log_slave_updates)";

    private ReplicatedChanges() {}

    /**
     * Checks a server that is to be read in place of another one, whose changes it has as a replica. Reading by GTIDs needs no check: there, what
     * is not in the binlog counts as purged or missing.
     *
     * <p>A server that accepts writes of clients is read although it is configured as a replica, such as one of two servers that replicate from each other, or
     * a promoted replica that keeps its configuration: the changes of the clients are in its binlog.
     *
     * @param from the time from which it is to be read
     * @param isOnlyHost whether the source has no other host, so that its address leads to this server on purpose
     * @throws SourceException MISCONFIGURED if it is a replica without them in its binlog, or may be one, and takes no writes of clients in place of
     *     the other server
     */
    static void requireLogged(String instance, Instant from, boolean isOnlyHost, ServerFacts facts) throws IOException {
        if (facts.logsReplicated()) {
            return;
        }
        try {
            requireWriter(facts.replication(), isOnlyHost, facts);
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            requireWriter(e, isOnlyHost, facts);
        }
        LOG.warn(
                "what this server has replicated is not in its binlog, so changes may be missing; load again what was changed until it took the place"
                        + " of the server that was read before, and set log_replica_updates=ON (log_slave_updates): instance={} source={} from={}",
                instance,
                facts.address(),
                from);
    }

    private static void requireWriter(ServerFacts.Replication replication, boolean isOnlyHost, ServerFacts facts)
            throws IOException {
        boolean isWriter = switch (replication) {
            case NONE -> true;
            case HALTED -> !facts.isReadOnly();
            case RUNNING -> isOnlyHost && !facts.isReadOnly();
            case MEMBER -> false; // clients write to the other members, too
        };
        if (isWriter) {
            return;
        }
        if (replication == ServerFacts.Replication.MEMBER) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "%s is a node of a cluster and %s, so that nothing would come of what clients change on the other nodes"
                            .formatted(facts.address(), NOT_LOGGED),
                    "set log_slave_updates=ON on all nodes of the cluster, and restart them");
        }
        throw new SourceException(
                SourceFailure.MISCONFIGURED,
                "%s is a replica and %s, so that no change of the server that was read before would come"
                        .formatted(facts.address(), NOT_LOGGED),
                START
                        + "; or, if it has taken the place of that server, set read_only=OFF, and end its replication: STOP REPLICA, RESET REPLICA ALL (STOP SLAVE, RESET SLAVE ALL)");
    }

    /** The account may lack the privilege to query whether the server is a replica; whether it is read-only needs none. */
    private static void requireWriter(ServerErrorException error, boolean isOnlyHost, ServerFacts facts)
            throws IOException {
        if (isOnlyHost && !facts.isReadOnly()) {
            return;
        }
        String right = facts.mariaDb() ? "SLAVE MONITOR" : "REPLICATION CLIENT";
        throw new SourceException(
                SourceFailure.MISCONFIGURED,
                "%s %s, and may be a replica, which this account may not ask (%s)"
                        .formatted(facts.address(), NOT_LOGGED, error.serverMessage()),
                START + ", or grant the account " + right,
                error);
    }

    /** Warns if a server at which reading begins is a replica without them in its binlog. */
    static void warnUnlessLogged(String instance, ServerFacts facts) throws IOException {
        if (facts.logsReplicated()) {
            return;
        }
        try {
            if (facts.isReplica()) {
                LOG.warn(
                        "the source is a replica, and only what is changed on it directly comes; {}: instance={} source={}",
                        START,
                        instance,
                        facts.address());
            }
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            LOG.debug("it is not known whether the source is a replica: instance={}", instance, e);
        }
    }
}
