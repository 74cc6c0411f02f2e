package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.canal.PulledEntries;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.nio.file.NoSuchFileException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The published clients of canal, unmodified, against a server that reads a real MySQL. */
@Timeout(600)
class CanalClientIT {
    private static final Map<String, String> WITH_PASSWORD = Map.of(
            "canal.user", "canal",
            "canal.passwd", "E3619321C1A937C46A0D8BD1DAC39F93B27D4458");

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    /** The client that pulls. */
    enum Language {
        JAVA(7, 15_000),
        PYTHON(8, 4_000);

        private final long seed;
        private final int changes;

        Language(long seed, int changes) {
            this.seed = seed;
            this.changes = changes;
        }

        CanalClient open(CanalClient.Target target) {
            return this == JAVA ? CanalClient.java(target) : CanalClient.python(target);
        }
    }

    private static CompletableFuture<Void> change(RandomWorkload workload) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = mysql.connect()) {
                workload.run(connection);
                workload.markTheEnd(connection);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Every change arrives, whatever the client rolls back, and although the server is stopped and started in between. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void aClientSeesEveryChange(Language language) throws Exception {
        String schema = "pull_" + language.name().toLowerCase(Locale.ROOT);
        RandomWorkload workload = new RandomWorkload(
                RandomWorkload.Options.of(language.seed, language.changes).schema(schema));
        StateModel model = new StateModel(Duplicates.ALLOWED);
        RawRecords records = new RawRecords();
        TableId end = new TableId(schema, "sluice_end");
        Random random = new Random(language.seed);
        try (PulledServer server = new PulledServer(mysql, WITH_PASSWORD)) {
            server.start();
            CompletableFuture<Void> changes;
            try (CanalClient client = language.open(server.target().as("canal", "canal"))) {
                client.connect();
                client.subscribe(schema + "\\..*");
                changes = change(workload);
                int batches = 0;
                while (batches < 20) {
                    PulledEntries pulled = client.get(100, 200);
                    if (pulled.batchId() > 0 && random.nextInt(4) == 0) {
                        client.rollback(random.nextBoolean() ? 0 : pulled.batchId());
                    } else if (pulled.batchId() > 0) {
                        apply(model, records, pulled);
                        client.ack(pulled.batchId());
                        batches++;
                    }
                }
                client.get(1000, -1); // neither acked nor rolled back: it comes again
            }
            server.stop();
            server.start();
            try (CanalClient client = language.open(server.target().as("canal", "canal"))) {
                client.connect();
                client.subscribe(schema + "\\..*");
                await().atMost(Duration.ofMinutes(2))
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> {
                            PulledEntries pulled = client.get(1000, 100);
                            if (pulled.batchId() > 0) {
                                apply(model, records, pulled);
                                client.ack(pulled.batchId());
                            }
                            return model.rowCount(end) == 1 && !model.isRepeating();
                        });
                client.disconnect();
            }
            changes.join();
        }
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schema), model);
        }
    }

    private static void apply(StateModel model, RawRecords records, PulledEntries pulled) {
        for (Entry entry : pulled.entries()) {
            try {
                model.apply(records.read("example", 0, pulled.batchId(), entry));
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void aWrongPasswordIsRejected(Language language) throws Exception {
        try (PulledServer server = new PulledServer(mysql, WITH_PASSWORD)) {
            server.start();
            for (CanalClient.Target target : List.of(
                    server.target().as("canal", "wrong"), server.target().as("root", "canal"), server.target())) {
                try (CanalClient client = language.open(target)) {
                    assertThatThrownBy(client::connect).hasMessageContaining("auth failed for user:" + target.user());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void aFilterCountsFromTheSubscriptionOnAndAfterARestart(Language language) throws Exception {
        String schema = "filter_" + language.name().toLowerCase(Locale.ROOT);
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            execute(
                    "create database " + schema,
                    "create table " + schema + ".seen (id int primary key)",
                    "create table " + schema + ".hidden (id int primary key)");
            try (CanalClient client = language.open(server.target())) {
                client.connect();
                client.subscribe(".*\\..*");
                drain(client, "hidden", schema); // the table that was created last
                client.subscribe(schema + "\\.seen");
                execute("insert into " + schema + ".hidden values (1)", "insert into " + schema + ".seen values (1)");
                assertThat(drain(client, "seen", schema)).doesNotContain("hidden");
            }
            await().ignoreException(NoSuchFileException.class)
                    .until(() -> server.metaFile().contains(schema + "\\\\.seen"));
            server.stop();
            execute("insert into " + schema + ".hidden values (2)", "insert into " + schema + ".seen values (2)");
            server.start();
            try (CanalClient client = language.open(server.target())) {
                client.connect();
                client.subscribe("");
                assertThat(drain(client, "seen", schema)).doesNotContain("hidden");
                client.subscribe(schema + "\\.hidden");
                execute("insert into " + schema + ".seen values (3)", "insert into " + schema + ".hidden values (3)");
                assertThat(drain(client, "hidden", schema)).doesNotContain("seen");
            }
        }
    }

    /** Pulls until rows or a DDL of a table have come; returns the tables of all that came. */
    private static List<String> drain(CanalClient client, String untilTable, String schema) {
        List<String> tables = new ArrayList<>();
        await().pollDelay(Duration.ZERO).until(() -> {
            PulledEntries pulled = client.get(100, 100);
            if (pulled.batchId() > 0) {
                pulled.entries().stream()
                        .filter(entry -> entry.getEntryType() == EntryType.ROWDATA)
                        .filter(entry -> entry.getHeader().getSchemaName().equals(schema))
                        .forEach(entry -> tables.add(entry.getHeader().getTableName()));
                client.ack(pulled.batchId());
            }
            return tables.contains(untilTable);
        });
        return tables;
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = mysql.connect()) {
            for (String statement : statements) {
                connection.createStatement().execute(statement);
            }
        }
    }

    @Test
    void theJavaClientReceivesErrors() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            try (CanalClient client = CanalClient.java(CanalClient.Target.of(server.port(), "nobody"))) {
                client.connect();
                assertThatThrownBy(() -> client.subscribe(""))
                        .hasMessageContaining("destination:nobody should start first");
            }
            try (CanalClient client = CanalClient.java(server.target())) {
                client.connect();
                assertThatThrownBy(() -> client.get(1, -1)).hasMessageContaining("should subscribe first");
                client.subscribe("");
                client.ack(99);
                assertThatThrownBy(() -> client.get(1, -1))
                        .hasMessageContaining("ack error , clientId:1001 batchId:99 is not exist , please check");
                // The client has read that as the answer to the get, and would read the answer to the get as the next
                // one.
                client.disconnect();
                client.connect();
                assertThatThrownBy(() -> client.subscribe("(")).hasMessageContaining("the filter is refused");
                client.unsubscribe();
                assertThatThrownBy(() -> client.get(1, -1)).hasMessageContaining("should subscribe first");
            }
        }
    }
}
