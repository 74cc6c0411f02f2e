package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.EventsBefore;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.SchemaMismatchException;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.DumpError;
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

/** Adds to a failure of a source what its server still has, or what else helps to find the cause. For one thread, but for {@link #abort}. */
final class FailureDiagnosis {
    private static final Logger LOG = LoggerFactory.getLogger(FailureDiagnosis.class);
    private static final String ANONYMOUS_REMEDY =
            "set gtid_mode=ON_PERMISSIVE on the source until its transactions without a GTID are read, or begin after them";

    private static final String NO_GTIDS_REMEDY =
            "reading continues by file and offset; to read by GTIDs again, set gtid_mode=ON on the source and restart the instance";

    private final String name;
    private final SourceServers servers;
    private final SourceQueries queries;
    private final SourceHosts hosts;
    private final Locator locator;
    private final long replicaServerId;

    /** Over which a server is queried at present; null if none is. */
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
        /** Nothing: the failure is not one of the position, or the server could not be queried. */
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

    /**
     * Finds out more about a failure, if it is one of those about which the server can be queried.
     *
     * @param silent the dump that has failed; null if it was by GTIDs, has sent an event, so that its offset is one, or was not begun
     */
    Diagnosis diagnose(SourceHost host, Throwable thrown, @Nullable SilentDump silent) {
        if (thrown instanceof SchemaMismatchException mismatch) {
            return Diagnosis.of(mismatch(host, mismatch));
        }
        Diagnosis wrongOffset =
                silent != null && isPerhapsOfWrongOffset(thrown) ? wrongOffset(host, thrown, silent) : null;
        if (wrongOffset != null) {
            return wrongOffset;
        }
        if (!(thrown instanceof ServerErrorException error)) {
            return Diagnosis.of(thrown);
        }
        boolean isPurged =
                FailureClassifier.of(error) == SourceFailure.PURGED && !AccountFailure.isMissingPrivilege(error);
        return isPurged ? purged(host, error) : Diagnosis.of(explained(host, error));
    }

    /** Within an event, a server takes other bytes for the header of an event, and its length may be anything. */
    private static boolean isPerhapsOfWrongOffset(Throwable thrown) {
        SourceFailure failure = FailureClassifier.of(thrown);
        return failure == SourceFailure.CORRUPT || failure == SourceFailure.EVENT_TOO_LARGE;
    }

    /** What is wrong if the position is within an event; null if it is not, or if that cannot be looked up. */
    private @Nullable Diagnosis wrongOffset(SourceHost host, Throwable thrown, SilentDump silent) {
        BinlogPosition sought = silent.start().positionOrUnknown();
        try (SourceConnection connection = connect(host)) {
            ServerFacts facts = connection.facts();
            if (!facts.server().identity().equals(silent.identity())) {
                return null;
            }
            long[] event = {0, 0};
            long[] begunSeconds = {0};
            boolean[] isDamaged = {false};
            connection.scan().scan(sought.file(), (header, body, from, end) -> {
                if (event[1] == 0) {
                    begunSeconds[0] = header.timestampSeconds();
                }
                isDamaged[0] = header.nextOffset() != 0 && (int) header.nextOffset() != (int) end;
                event[0] = from;
                event[1] = end;
                return !isDamaged[0] && end < sought.offset();
            });
            if (isDamaged[0] || event[0] >= sought.offset() || event[1] <= sought.offset()) {
                return null;
            }
            SourceException failure = HostCheck.otherFile(silent.start(), begunSeconds[0]);
            if (failure == null) {
                failure = EventsBefore.within(sought.file(), sought.offset(), event[0], event[1]);
            }
            failure.initCause(thrown);
            Position position = position(facts);
            return position == Position.OF_ANOTHER_SERVER ? ofAnotherServer(failure) : new Diagnosis(failure, position);
        } catch (IOException e) {
            LOG.debug("cannot look up whether an event begins at a position: instance={} position={}", name, sought, e);
            return null;
        } finally {
            open = null;
        }
    }

    private SourceConnection connect(SourceHost host) throws IOException {
        SourceConnection connection = servers.connect(host);
        open = connection;
        if (aborted) {
            connection.abort();
        }
        return connection;
    }

    /** Ends what is queried, also later, from any thread: a scan of a large file takes minutes. */
    void abort() {
        aborted = true;
        SourceConnection now = open;
        if (now != null) {
            now.abort();
        }
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

    private Throwable explained(SourceHost host, ServerErrorException error) {
        SourceFailure failure = FailureClassifier.of(error);
        if (AccountFailure.isMissingPrivilege(error) || error.isDumpDenied()) {
            return AccountFailure.explained(error, host.login(), account(host));
        }
        if (failure == SourceFailure.AUTHENTICATION) {
            return AccountFailure.explained(error, host.login(), null);
        }
        if (DumpError.isMissingFile(error)) {
            return new SourceException(
                    failure,
                    error.getMessage()
                            + "; that is so after RESET MASTER, and if a file of the binlog was deleted by hand: compare SHOW BINARY LOGS with the directory",
                    error);
        }
        if (DumpError.of(error) == DumpError.ANONYMOUS) {
            return new SourceException(failure, String.valueOf(error.getMessage()), ANONYMOUS_REMEDY, error);
        }
        if (DumpError.of(error) == DumpError.NO_GTIDS) {
            return new SourceException(failure, String.valueOf(error.getMessage()), NO_GTIDS_REMEDY, error);
        }
        if (failure == SourceFailure.DUPLICATE_SERVER_ID) {
            return new SourceException(
                    failure,
                    error.getMessage() + "; another replica has the same server id " + replicaServerId
                            + ", SHOW PROCESSLIST on the source shows where its dump comes from",
                    error);
        }
        return error;
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

    private Diagnosis purged(SourceHost host, ServerErrorException error) {
        Position position = Position.UNKNOWN;
        try (SourceConnection connection = connect(host)) {
            ServerFacts facts = connection.facts();
            position = position(facts);
            if (position == Position.OF_ANOTHER_SERVER) {
                return ofAnotherServer(error);
            }
            return new Diagnosis(HostCheck.purged(locator.sought(), error, facts), position);
        } catch (IOException e) {
            LOG.debug("cannot query what the server still has: instance={}", name, e);
            return new Diagnosis(error, position);
        } finally {
            open = null;
        }
    }
}
