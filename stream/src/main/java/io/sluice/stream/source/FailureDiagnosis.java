package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.SchemaMismatchException;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.search.OffsetCheck;
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
 * Adds to a failure of a source what its server still has, or what else helps to find the cause. Over a connection of its own it asks the server
 * whether a position
 *
 * <ul>
 *   <li>is {@linkplain #wrongOffset within an event}, if the first event of a dump could not be read,
 *   <li>is {@linkplain #purged purged}, or is one of another server.
 * </ul>
 *
 * <p>If the server cannot be asked, a failure stays as it is. For one thread, but for {@link #abort}.
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

    /**
     * A dump by file and offset that has sent no event.
     *
     * @param identity that of the server that was asked for it
     */
    record SilentDump(DumpStart start, @Nullable String identity) {}

    /** What a server is asked. */
    private interface Question {
        /** Asks it; returns null if it tells nothing of the failure. */
        @Nullable Diagnosis ask(SourceConnection connection) throws IOException;
    }

    /**
     * Finds out more about a failure, if it is one of those about which the server can be asked.
     *
     * @param silent the dump that has failed; null if it was by GTIDs, has sent an event, so that its offset is one, or was not begun
     */
    Diagnosis diagnose(SourceHost host, Throwable thrown, @Nullable SilentDump silent) {
        if (thrown instanceof SchemaMismatchException mismatch) {
            return Diagnosis.of(mismatch(host, mismatch));
        }
        Diagnosis found = null;
        if (silent != null && isPerhapsOfWrongOffset(thrown)) {
            found = answer(host, connection -> wrongOffset(connection, thrown, silent));
        }
        if (found == null && thrown instanceof ServerErrorException error) {
            found = isPurged(error)
                    ? answer(host, connection -> purged(connection.facts(), error))
                    : Diagnosis.of(explained(host, error));
        }
        return found == null ? Diagnosis.of(thrown) : found;
    }

    /** Within an event, a server takes other bytes for the header of an event, and its length may be anything. */
    private static boolean isPerhapsOfWrongOffset(Throwable thrown) {
        SourceFailure failure = FailureClassifier.of(thrown);
        return failure == SourceFailure.CORRUPT || failure == SourceFailure.EVENT_TOO_LARGE;
    }

    private static boolean isPurged(ServerErrorException error) {
        return FailureClassifier.of(error) == SourceFailure.PURGED && !AccountFailure.isMissingPrivilege(error);
    }

    /** What is wrong if the position is within an event; null if it is not, or if the address leads to another server now. */
    private @Nullable Diagnosis wrongOffset(SourceConnection connection, Throwable thrown, SilentDump silent)
            throws IOException {
        ServerFacts facts = connection.facts();
        if (!facts.identity().equals(silent.identity())) {
            return null;
        }
        SourceException failure = OffsetCheck.failure(silent.start(), connection.scan());
        if (failure == null) {
            return null;
        }
        failure.initCause(thrown);
        Position position = position(facts);
        return position == Position.OF_ANOTHER_SERVER ? ofAnotherServer(failure) : new Diagnosis(failure, position);
    }

    private Diagnosis purged(ServerFacts facts, ServerErrorException error) throws IOException {
        Position position = position(facts);
        return position == Position.OF_ANOTHER_SERVER
                ? ofAnotherServer(error)
                : new Diagnosis(HostCheck.purged(locator.sought(), error, facts), position);
    }

    private Position position(ServerFacts facts) throws IOException {
        if (hosts.haveOthers()) {
            return Position.UNKNOWN;
        }
        return locator.isOfAnotherServer(facts) ? Position.OF_ANOTHER_SERVER : Position.OF_THE_SERVER;
    }

    private static Diagnosis ofAnotherServer(IOException failure) {
        return new Diagnosis(
                new SourceException(
                        SourceFailure.REJECTED,
                        failure.getMessage() + "; its server_id is not that of the position, continuing by time",
                        failure),
                Position.OF_ANOTHER_SERVER);
    }

    /** Asks a host; returns null if it cannot be asked. */
    private @Nullable Diagnosis answer(SourceHost host, Question question) {
        try (SourceConnection connection = servers.connect(host)) {
            open = connection;
            if (aborted) {
                connection.abort();
            }
            return question.ask(connection);
        } catch (IOException e) {
            LOG.debug("cannot ask the server about a failure: instance={} position={}", name, locator.sought(), e);
            return null;
        } finally {
            open = null;
        }
    }

    /** Ends what is asked, also later, from any thread: a scan of a large file takes minutes. */
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
