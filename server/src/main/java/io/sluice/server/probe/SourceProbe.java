package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.time.Time;
import io.sluice.schema.table.TableName;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.MySqlServerFacts;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tries one host of an instance's source: login, settings, rights, the binlog from the cursor on, and the tables. For one thread. */
final class SourceProbe implements Probe {
    /** What any of the answers may have; whatever is at that address, it cannot fill the heap. */
    static final int MAX_RESULT_BYTES = 64 << 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String REPLICATED = "log_replica_updates";
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

    private final InstanceConfig config;
    private final SourceHost host;
    private final boolean flat;
    private final StoredCursor cursor;
    private final Optional<String> runner;
    private final Time time;
    private volatile List<TableName> tables = List.of();

    /**
     * Makes it.
     *
     * @param flat whether rows leave as flat messages
     * @param runner the server that runs the instance now; empty if none is known to
     */
    SourceProbe(
            InstanceConfig config,
            SourceHost host,
            boolean flat,
            StoredCursor cursor,
            Optional<String> runner,
            Time time) {
        this.config = config;
        this.host = host;
        this.flat = flat;
        this.cursor = cursor;
        this.runner = runner;
        this.time = time;
    }

    /** The tables that pass the filter, as far as they were found. */
    List<TableName> tables() {
        return tables;
    }

    @Override
    public void run(Findings findings) {
        ConnectOptions login = host.login().withTimeouts(TIMEOUT, TIMEOUT).withMaximumPacketBytes(MAX_RESULT_BYTES);
        boolean isOpen = false;
        try (MySqlConnection connection = MySqlConnection.open(login)) {
            isOpen = true;
            findings.ok(
                    "login", "%s, %s".formatted(login.user(), connection.isEncrypted() ? "over TLS" : "without TLS"));
            judge(connection, login, findings);
        } catch (IOException e) {
            Throwable cause = AccountFailure.explained(e, login, null);
            boolean isLogin = !isOpen && FailureClassifier.of(cause) != SourceFailure.UNREACHABLE;
            findings.failed(
                    isLogin ? "login" : "connection",
                    FailureClassifier.message(cause),
                    FailureClassifier.remedy(cause));
        }
    }

    private void judge(MySqlConnection connection, ConnectOptions login, Findings findings) throws IOException {
        SourceVariables variables = SourceVariables.read(connection);
        MySqlServerFacts facts = new MySqlServerFacts(connection);
        String user = user(connection);
        Retention retention = Retention.read(connection, variables);
        new SourceSettings(config, host, flat, findings).judge(variables, retention);
        step("clock", findings, () -> judgeClock(facts, findings));
        boolean hasBinlog = variables.writesBinlog() && variables.hasBinlogFiles();
        if (hasBinlog) {
            judgeBinlog(connection, login, variables, retention, facts, user, findings);
        }
        try {
            tables = new SourceTables(connection, login, config.filter().tables(), user, findings).judge();
        } catch (SocketTimeoutException e) {
            findings.unknown(
                    "filter",
                    "the server has not listed its tables in %d s, or not shown the definitions of some: %s"
                            .formatted(login.readTimeout().toSeconds(), e.getMessage()),
                    "try it again, when the definitions are in the server's cache");
            return;
        }
        if (hasBinlog) {
            judgeLoggedSchemas(connection, findings);
        }
    }

    /** Something that can be left out. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** An error that the server answers with leaves the connection as it was, so the next step can follow. */
    private static void step(String subject, Findings findings, Step step) throws IOException {
        try {
            step.run();
        } catch (ServerErrorException e) {
            findings.unknown(
                    subject,
                    String.valueOf(e.getMessage()),
                    FailureClassifier.of(e).remedy());
        }
    }

    private void judgeBinlog(
            MySqlConnection connection,
            ConnectOptions login,
            SourceVariables variables,
            Retention retention,
            MySqlServerFacts facts,
            String user,
            Findings findings)
            throws IOException {
        SourceRights rights = new SourceRights(config, user, runner, findings);
        List<ServerFacts.File> files = rights.files(facts);
        if (!files.isEmpty()) {
            judgeReplicated(variables.writesReplicated(), facts, user, findings);
        }
        try (BinlogBoundaries binlog = BinlogBoundaries.open(login)) {
            String newest = files.isEmpty() ? "" : files.get(files.size() - 1).name();
            boolean canReplicate = rights.canReplicate(binlog, newest);
            if (canReplicate) {
                rights.judgeReplicaId(connection);
            }
            if (canReplicate && !files.isEmpty()) {
                StartProbe start = new StartProbe(config, host, facts, files, binlog, retention, time, findings);
                step("start", findings, () -> start.judge(cursor));
            }
        }
    }

    /** Searches for tables that pass and that the server leaves out of its binlog. */
    private void judgeLoggedSchemas(MySqlConnection connection, Findings findings) throws IOException {
        try {
            LoggedSchemas.read(connection).judge(tables, findings);
        } catch (ServerErrorException e) {
            // the privilege that is missing for it is a finding already
        }
    }

    /** Whether the server is a replica counts if it does not log what it replicates, and where transactions are missing that another host has. */
    private void judgeReplicated(boolean isLogged, ServerFacts facts, String user, Findings findings)
            throws IOException {
        boolean isOneOfSeveral = config.source().hosts().size() > 1;
        if (isLogged && !isOneOfSeveral) {
            return;
        }
        boolean isReplica;
        try {
            isReplica = facts.isReplica();
        } catch (ServerErrorException e) {
            mayNotAsk(isLogged, isOneOfSeveral, facts.mariaDb(), e, user, findings);
            return;
        }
        if (isReplica && !isLogged) {
            findings.failed(
                    REPLICATED,
                    "OFF: this replica does not write the changes of its own source into its binlog",
                    "start it with log_replica_updates=ON (log_slave_updates), or read its source");
        }
    }

    private static void mayNotAsk(
            boolean isLogged,
            boolean isOneOfSeveral,
            boolean isMariaDb,
            ServerErrorException refusal,
            String user,
            Findings findings) {
        boolean isDenied = refusal.errno() == ServerErrorException.SPECIFIC_ACCESS_DENIED;
        String right = isMariaDb ? "SLAVE MONITOR" : "REPLICATION CLIENT";
        String grant = isDenied ? "grant %s on *.* to %s".formatted(right.toLowerCase(Locale.ROOT), user) : "";
        if (!isLogged) {
            findings.unknown(
                    REPLICATED,
                    "OFF, which is wrong if the server is itself a replica, and this user may not ask that: "
                            + refusal.serverMessage(),
                    grant.isEmpty()
                            ? "ignore it if the server is no replica"
                            : grant + ", or ignore it if the server is no replica");
        }
        if (isOneOfSeveral && isDenied) {
            findings.warning(
                    right,
                    "this user may not ask whether the server is a replica, so transactions that were read from another host and are missing"
                            + " here are waited for, also if they never come: "
                            + refusal.serverMessage(),
                    grant);
        }
    }

    private void judgeClock(ServerFacts facts, Findings findings) throws IOException {
        long before = time.millis();
        long server = facts.clockMillis();
        Duration difference = Duration.ofMillis(server - (before + time.millis()) / 2);
        String evidence = "the server's clock is %.1f s %s this machine's"
                .formatted(Math.abs(difference.toMillis()) / 1000.0, difference.isNegative() ? "behind" : "ahead of");
        if (difference.abs().compareTo(CLOCK_TOLERANCE) > 0) {
            findings.warning(
                    "clock",
                    evidence + ", so delays are measured wrongly, and so is the age of what is read by time",
                    "have both synchronized by NTP");
        } else {
            findings.ok("clock", evidence);
        }
    }

    /** The account by which the server has taken the login, with its host, for GRANT. */
    private static String user(MySqlConnection connection) throws IOException {
        String account = AccountFailure.account(connection);
        return account == null ? "the account" : account;
    }
}
