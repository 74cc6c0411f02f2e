package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.RenamedStatements;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tries the statements that need replication rights, and searches for another replica with the same server id. */
final class SourceRights {
    private final InstanceConfig config;
    private final String user;
    private final Optional<String> runner;
    private final Findings findings;

    /**
     * Makes it.
     *
     * @param user the account as the server names it, quoted
     * @param runner the server that runs the instance now; empty if none is known to
     */
    SourceRights(InstanceConfig config, String user, Optional<String> runner, Findings findings) {
        this.config = config;
        this.user = user;
        this.runner = runner;
        this.findings = findings;
    }

    /** Tries the statements that show the binlog; returns its files, oldest first, or none if that is not allowed. */
    List<ServerFacts.File> files(ServerFacts facts) throws IOException {
        String right = facts.mariaDb() ? "REPLICATION CLIENT (BINLOG MONITOR)" : AccountFailure.REPLICATION_CLIENT;
        try {
            ServerFacts.End end = facts.end();
            List<ServerFacts.File> files = facts.files();
            findings.ok(
                    right,
                    "the binlog has %d file%s and ends at %s"
                            .formatted(files.size(), files.size() == 1 ? "" : "s", end.position()));
            return files;
        } catch (ServerErrorException e) {
            findings.failed(
                    right,
                    String.valueOf(e.getMessage()),
                    AccountFailure.grant(AccountFailure.REPLICATION_CLIENT, user));
            return List.of();
        }
    }

    /**
     * Tries to read the first event of a file as a replica does.
     *
     * @param file empty for the oldest
     */
    boolean canReplicate(BinlogBoundaries binlog, String file) {
        String right = AccountFailure.REPLICATION_SLAVE;
        try {
            long unused = binlog.begunMillis(file);
            findings.ok(right, "the binlog can be read");
            return true;
        } catch (IOException e) {
            SourceFailure failure = FailureClassifier.of(e);
            boolean isRejected = failure == SourceFailure.AUTHENTICATION || failure == SourceFailure.MISCONFIGURED;
            findings.failed(
                    right,
                    String.valueOf(e.getMessage()),
                    isRejected ? AccountFailure.grant(AccountFailure.REPLICATION_SLAVE, user) : failure.remedy());
            return false;
        }
    }

    /** Searches for a replica that is registered with the server id of the instance. */
    void judgeReplicaId(MySqlConnection connection) throws IOException {
        String id = Long.toString(config.source().replicaServerId());
        String subject = "replica id";
        List<String> others = new ArrayList<>();
        try {
            for (QueryResult.Row row : RenamedStatements.replicas(connection).rows()) {
                if (id.equals(row.text("Server_id"))) {
                    others.add("%s:%s".formatted(row.text("Host"), row.text("Port")));
                }
            }
        } catch (ServerErrorException e) {
            findings.unknown(
                    subject,
                    "whether another replica has %s is not known: %s".formatted(id, e.serverMessage()),
                    connection.serverVersion().mariaDb() ? "grant replication master admin on *.* to " + user : "");
            return;
        }
        if (others.isEmpty()) {
            findings.ok(subject, "no other replica is registered with " + id);
        } else if (runner.isPresent()) {
            findings.ok(subject, "%s is in use, and %s runs this instance".formatted(id, runner.get()));
        } else {
            findings.failed(
                    subject,
                    "a replica at %s is registered with %s, and would be disconnected by this instance, or this one by it"
                            .formatted(String.join(", ", others), id),
                    "stop it if this instance replaces it; " + SourceFailure.DUPLICATE_SERVER_ID.remedy());
        }
    }
}
