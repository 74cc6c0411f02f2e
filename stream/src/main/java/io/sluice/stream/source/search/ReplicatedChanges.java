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
     * @param from the time from which it is to be read
     * @throws SourceException MISCONFIGURED if it is a replica without them in its binlog, or may be one
     */
    static void requireLogged(String instance, Instant from, ServerFacts facts) throws IOException {
        if (facts.logsReplicated()) {
            return;
        }
        if (isReplica(facts)) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "%s is a replica and %s, so that no change of the server that was read before would come"
                            .formatted(facts.address(), NOT_LOGGED),
                    START
                            + "; or, if it has taken the place of that server, end its replication: RESET REPLICA ALL (RESET SLAVE ALL)");
        }
        LOG.warn(
                "what this server has replicated is not in its binlog, so changes may be missing; load again what was changed until it took the place"
                        + " of the server that was read before, and set log_replica_updates=ON (log_slave_updates): instance={} source={} from={}",
                instance,
                facts.address(),
                from);
    }

    private static boolean isReplica(ServerFacts facts) throws IOException {
        try {
            return facts.isReplica();
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            String right = facts.mariaDb() ? "SLAVE MONITOR" : "REPLICATION CLIENT";
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "%s %s, and may be a replica, which this account may not ask (%s)"
                            .formatted(facts.address(), NOT_LOGGED, e.serverMessage()),
                    START + ", or grant the account " + right,
                    e);
        }
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
