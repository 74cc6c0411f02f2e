package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.SchemaMismatchException;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.DumpFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to a failure of a source what its server still has, or what else helps to find the cause; it stays as it is if the server cannot be asked. For one
 * thread, but for {@link #abort}.
 */
final class FailureDiagnosis {
    private static final Logger LOG = LoggerFactory.getLogger(FailureDiagnosis.class);

    private final String name;
    private final SourceServers servers;
    private final SourceQueries queries;
    private final SourceHosts hosts;
    private final Locator locator;
    private final long replicaServerId;

    /** Over which a server is asked at present; null if none is. */
    private volatile @Nullable SourceConnection open;

    private volatile boolean aborted;

    FailureDiagnosis(
            String name,
            SourceServers servers,
            SourceQueries queries,
            SourceHosts hosts,
            Locator locator,
            long replicaServerId) {
        this.name = name;
        this.servers = servers;
        this.queries = queries;
        this.hosts = hosts;
        this.locator = locator;
        this.replicaServerId = replicaServerId;
    }

    /** What was found out about the position that the server was asked for. */
    enum Position {
        /** Nothing: the failure is not one of the position, or the server could not be asked. */
        UNKNOWN,
        /** The position is probably one of this server, or reading by time has failed, too. */
        OF_THE_SERVER,
        /** The position is probably one of another server, so reading can continue by time. */
        OF_ANOTHER_SERVER
    }

    /**
     * The result of a diagnosis.
     *
     * @param cause the failure, with what was found out
     * @param position what was found out about the position
     */
    record Diagnosis(Throwable cause, Position position) {
        private static Diagnosis of(Throwable cause) {
            return new Diagnosis(cause, Position.UNKNOWN);
        }
    }

    /** Finds out more about a failure, if it is one of those about which the server can be asked. */
    Diagnosis diagnose(SourceHost host, Throwable thrown) {
        if (thrown instanceof SchemaMismatchException mismatch) {
            return Diagnosis.of(mismatch(host, mismatch));
        }
        if (thrown instanceof LostEndException lost && !lost.isCertain()) {
            return purged(host, lost);
        }
        if (!(thrown instanceof ServerErrorException error)) {
            return Diagnosis.of(thrown);
        }
        boolean isPurged =
                FailureClassifier.of(error) == SourceFailure.PURGED && !AccountFailure.isMissingPrivilege(error);
        return isPurged ? purged(host, error) : Diagnosis.of(explained(host, error));
    }

    private Diagnosis purged(SourceHost host, IOException error) {
        try (SourceConnection connection = servers.connect(host)) {
            open = connection;
            if (aborted) {
                connection.abort();
            }
            ServerFacts facts = connection.facts();
            Position position = position(facts);
            return position == Position.OF_ANOTHER_SERVER
                    ? ofAnotherServer(error)
                    : new Diagnosis(
                            error instanceof ServerErrorException ofServer
                                    ? HostCheck.purged(locator.sought(), ofServer, facts)
                                    : error,
                            position);
        } catch (IOException e) {
            LOG.debug("cannot ask what the server still has: instance={}", name, e);
            return Diagnosis.of(error);
        } finally {
            open = null;
        }
    }

    private Position position(ServerFacts facts) throws IOException {
        if (hosts.haveOthers()) {
            return Position.UNKNOWN;
        }
        return locator.isOfAnotherServer(facts) ? Position.OF_ANOTHER_SERVER : Position.OF_THE_SERVER;
    }

    private static Diagnosis ofAnotherServer(IOException error) {
        return new Diagnosis(
                new SourceException(
                        SourceFailure.REJECTED,
                        error.getMessage() + "; its server_id is not that of the position, continuing by time",
                        error),
                Position.OF_ANOTHER_SERVER);
    }

    /** Ends what is asked, also later, from any thread. */
    void abort() {
        aborted = true;
        SourceConnection now = open;
        if (now != null) {
            now.abort();
        }
    }

    private Throwable explained(SourceHost host, ServerErrorException error) {
        if (AccountFailure.isMissingPrivilege(error) || error.isDumpDenied()) {
            return AccountFailure.explained(error, host.login(), account(host));
        }
        if (FailureClassifier.of(error) == SourceFailure.AUTHENTICATION) {
            return AccountFailure.explained(error, host.login(), null);
        }
        return DumpFailure.explained(error, replicaServerId);
    }

    /** The account by which the host has accepted the login; null if it cannot be queried. */
    private @Nullable String account(SourceHost host) {
        try {
            queries.moveTo(host);
            return queries.account();
        } catch (IOException e) {
            LOG.debug("cannot query the account: instance={}", name, e);
            return null;
        } finally {
            queries.close();
        }
    }

    /** If the source has rejected the query for the table's definition, its rows cannot be named since the account lacks a privilege. */
    private Throwable mismatch(SourceHost host, SchemaMismatchException thrown) {
        TableName denied = queries.denied();
        if (!thrown.table().equals(denied)) {
            return thrown;
        }
        return new SourceException(
                SourceFailure.MISCONFIGURED,
                "the source does not show how table %s is defined: the account lacks SELECT on it, or it was dropped; %s"
                        .formatted(denied, thrown.getMessage()),
                AccountFailure.grant(host.login(), account(host)),
                thrown);
    }
}
