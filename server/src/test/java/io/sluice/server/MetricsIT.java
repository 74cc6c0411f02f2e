package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.server.control.Operations;
import io.sluice.server.pace.RateLimits;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.prometheus.PrometheusServer;
import io.sluice.testkit.prometheus.Promtool;
import io.sluice.testkit.prometheus.ScrapeTarget;
import io.sluice.testkit.prometheus.TargetHealth;
import io.sluice.testkit.tls.Certificates;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The metrics and the health of a server that reads a real source, for a real Prometheus and for other HTTP clients. */
@Timeout(600)
class MetricsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String STORE_PASSWORD = "changeit";
    private static final String USER = "shop";
    private static final String PASSWORD = "counts its stock";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
        mysql.execute("create schema shop", "create table shop.item (id int primary key)");
    }

    @BeforeEach
    void emptyTheTable() {
        mysql.execute("delete from shop.item");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void prometheusReadsTheMetrics() throws Exception {
        int port = FreePorts.next();
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.metrics.pull.port", Integer.toString(port)))) {
            server.start();
            try (CanalClient reader = CanalClient.java(server.target());
                    PrometheusServer prometheus = PrometheusServer.start(ScrapeTarget.of("sluice", port))) {
                reader.connect();
                reader.subscribe("shop\\..*");
                for (int i = 0; i < 3; i++) {
                    mysql.execute("insert into shop.item values (%d), (%d)".formatted(2 * i, 2 * i + 1));
                }
                // All in one wait each time: a scrape that takes too long leaves out what the one before had.
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(value(prometheus, "canal_instance_put_rows")).isEqualTo(6);
                    assertThat(value(prometheus, "canal_instance_ack_rows")).isZero();
                    assertThat(value(prometheus, "canal_instance_transactions")).isEqualTo(3);
                });
                await().atMost(PATIENCE).until(() -> {
                    long batch = reader.get(100, 100).batchId();
                    if (batch > 0) {
                        reader.ack(batch);
                    }
                    return server.server()
                                    .instances()
                                    .get(0)
                                    .storeStats()
                                    .acked()
                                    .rows()
                            == 6;
                });

                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(value(prometheus, "canal_instance_ack_rows")).isEqualTo(6);
                    assertThat(value(prometheus, "canal_instance_ack_delay")).isZero();
                    assertThat(value(prometheus, "canal_instance_client_packets{packetType=\"GET\"}"))
                            .isPositive();
                    assertThat(value(prometheus, "canal_instance_client_packets{packetType=\"CLIENTACK\"}"))
                            .isPositive();
                    assertThat(value(prometheus, "canal_instance_client_request_latency_count"))
                            .isPositive();
                    assertThat(value(prometheus, "canal_instance_subscriptions"))
                            .isEqualTo(1);
                    assertThat(value(prometheus, "canal_instance_received_binlog_bytes{parser=\"0\"}"))
                            .isGreaterThan(600);
                    assertThat(value(prometheus, "sluice_instance_state{state=\"running\"}"))
                            .isEqualTo(1);
                    assertThat(value(prometheus, "sluice_client_connections")).isEqualTo(1);
                });
            }
        }
    }

    @Test
    void overTlsOnlyClientsWithACertificateCanRead(@TempDir Path folder) throws Exception {
        Certificates own = Certificates.make(Files.createDirectory(folder.resolve("own")), "ip:127.0.0.1");
        Certificates reader = Certificates.make(Files.createDirectory(folder.resolve("reader")), "ip:127.0.0.1");
        int port = FreePorts.next();
        Map<String, String> settings = Map.of(
                "canal.metrics.pull.port",
                Integer.toString(port),
                "canal.metrics.tls.keyStore",
                storeOf(own).toUri().toString(),
                "canal.metrics.tls.keyStorePassword",
                STORE_PASSWORD,
                "canal.metrics.tls.trustStore",
                trustIn(reader).toUri().toString(),
                "canal.metrics.tls.trustStorePassword",
                STORE_PASSWORD,
                "canal.metrics.tls.clientAuth",
                "NEED");
        URI metrics = URI.create("https://127.0.0.1:" + port + "/metrics");
        try (PulledServer server = new PulledServer(mysql, settings)) {
            server.start();
            try (PrometheusServer prometheus = PrometheusServer.start(
                    ScrapeTarget.of("named", metrics)
                            .trustedBy(own.certificate())
                            .readAs(reader),
                    ScrapeTarget.of("nameless", metrics).trustedBy(own.certificate()))) {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(prometheus.target("named").state()).isEqualTo(TargetHealth.State.UP);
                    assertThat(value(prometheus, "canal_instance{job=\"named\"}"))
                            .isEqualTo(1);
                    assertThat(prometheus.target("nameless").state()).isEqualTo(TargetHealth.State.DOWN);
                });
                assertThat(prometheus.value("canal_instance{job=\"nameless\"}")).isEmpty();
            }
        }
    }

    /** The store that the files were made from, beside them. */
    private static Path storeOf(Certificates certificates) {
        return certificates.certificate().resolveSibling("store.p12");
    }

    private static Path trustIn(Certificates certificates) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        KeyStore known = KeyStore.getInstance(storeOf(certificates).toFile(), STORE_PASSWORD.toCharArray());
        String name = known.aliases().nextElement();
        trusted.setCertificateEntry(name, known.getCertificate(name));
        Path file = certificates.certificate().resolveSibling("trust.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            trusted.store(out, STORE_PASSWORD.toCharArray());
        }
        return file;
    }

    @Test
    void everyMetricIsInTheDocumentationAndViceVersa() throws Exception {
        int port = FreePorts.next();
        String pulled;
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.metrics.pull.port", Integer.toString(port)))) {
            server.start();
            try (CanalClient reader = CanalClient.java(server.target())) {
                reader.connect();
                reader.subscribe("");
                reader.get(1, 10);
            }
            try (CanalClient stranger = CanalClient.java(CanalClient.Target.of(server.port(), "nobody's"))) {
                stranger.connect();
                assertThatThrownBy(() -> stranger.subscribe("")).hasMessageContaining("should start first");
            }
            pulled = awaitMetrics(port);
            assertThat(pulled)
                    .contains("canal_instance_client_request_error{destination=\"unknown\",errorCode=\"400\"} ");
        }
        String sent;
        try (SendingServer server = new SendingServer()) {
            sent = awaitMetrics(server.port);
        }

        Set<String> served = names(pulled);
        served.addAll(names(sent));
        assertThat(served).containsExactlyInAnyOrderElementsOf(documented());
    }

    @Test
    void aCursorThatCannotBeWrittenIsCountedUntilItCan() throws Exception {
        int port = FreePorts.next();
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.metrics.pull.port", Integer.toString(port)))) {
            server.start();
            try (CanalClient reader = CanalClient.java(server.target())) {
                reader.connect();
                reader.subscribe("shop\\..*");
                await().atMost(PATIENCE).until(() -> server.metaFile().contains("journalName"));
                await().atMost(PATIENCE)
                        .until(() -> sample(get(port, "/metrics").body(), "sluice_cursor_unwritten_seconds") == 0);
                Path obstacle = server.directory().resolve("meta.dat.tmp").resolve("where the file should be");
                String before = server.metaFile();
                Files.createDirectories(obstacle);
                mysql.execute("insert into shop.item values (1)");
                await().atMost(PATIENCE).until(() -> {
                    long batch = reader.get(100, 100).batchId();
                    if (batch > 0) {
                        reader.ack(batch);
                    }
                    return batch > 0;
                });

                await().atMost(PATIENCE)
                        .until(() -> sample(get(port, "/metrics").body(), "sluice_cursor_unwritten_seconds") > 1);

                Files.delete(obstacle);
                await().atMost(PATIENCE)
                        .until(() -> sample(get(port, "/metrics").body(), "sluice_cursor_unwritten_seconds") == 0);
                assertThat(server.metaFile()).isNotEqualTo(before);
            }
        }
    }

    @Test
    void promtoolAcceptsOurNames() throws Exception {
        try (SendingServer server = new SendingServer()) {
            String ours = awaitMetrics(server.port)
                    .lines()
                    .filter(line -> line.contains("sluice_"))
                    .collect(Collectors.joining("\n", "", "\n"));

            assertThat(Promtool.find().checkMetrics(ours)).isEmpty();
        }
    }

    @Test
    void aBrokerThatDoesNotAnswerIsTheReportedStageUntilItDoes() throws Exception {
        try (SendingServer server = new SendingServer()) {
            awaitRunning(server.port);
            await().atMost(PATIENCE).until(() -> get(server.port, "/health").statusCode() == 200);
            server.broker.fallSilent();
            mysql.execute("insert into shop.item values (1)");

            awaitHealth(server.port, "\"stage\":\"broker\"");
            assertThat(get(server.port, "/health").statusCode()).isEqualTo(503);
            assertThat(get(server.port, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(server.port, "/metrics").body())
                    .contains("sluice_instance_healthy{destination=\"shop\"} 0.0")
                    .contains("sluice_sender_silence_seconds{destination=\"shop\"} ")
                    .doesNotContain("sluice_sender_silence_seconds{destination=\"shop\"} 0.0\n");

            server.broker.answer();
            awaitHealth(server.port, "\"status\":\"up\"");
        }
    }

    /** The stall limit is a second, so a delay of several is one in which a stall would have been found. */
    @Test
    void aPausedInstanceIsHealthyWhileItsDelayGrows() throws Exception {
        try (SendingServer server = new SendingServer()) {
            awaitRunning(server.port);
            server.operations().limit("shop", new RateLimits(5_000, 1_000_000));
            server.operations().pause("shop", "broker maintenance");
            mysql.execute("insert into shop.item values (1)");

            String page = await().atMost(PATIENCE)
                    .until(
                            () -> get(server.port, "/metrics").body(),
                            body -> sample(body, "canal_instance_ack_delay") > 5_000);

            assertThat(page)
                    .contains("sluice_instance_paused{destination=\"shop\"} 1.0\n")
                    .contains("sluice_instance_stopped{destination=\"shop\"} 0.0\n")
                    .contains("sluice_instance_healthy{destination=\"shop\"} 1.0\n")
                    .contains("sluice_instance_limit_rows_per_second{destination=\"shop\"} 5000.0\n")
                    .contains("sluice_instance_limit_bytes_per_second{destination=\"shop\"} 1000000.0\n");
            assertThat(sample(page, "canal_instance_get_delay")).isGreaterThan(5_000);
            assertThat(page.lines().filter(line -> line.startsWith("sluice_instance_stalled_seconds")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(" 0.0"));
            assertThat(get(server.port, "/health").statusCode()).isEqualTo(200);
            assertThat(get(server.port, "/health").body())
                    .isEqualTo("{\"status\":\"up\",\"instances\":[{\"destination\":\"shop\","
                            + "\"state\":\"running\",\"paused\":true,\"stopped\":false}]}");

            server.operations().resume("shop");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    sample(get(server.port, "/metrics").body(), "canal_instance_ack_delay"))
                            .isZero());
            assertThat(get(server.port, "/metrics").body())
                    .contains("sluice_instance_paused{destination=\"shop\"} 0.0\n");
        }
    }

    @Test
    void rowsAreCountedForEachTableByKind() throws Exception {
        mysql.execute("create table shop.quiet (id int primary key)", "create table shop.late (id int primary key)");
        try (SendingServer server = new SendingServer("canal.metrics.tables = 2")) {
            mysql.execute(
                    "insert into shop.item values (1), (2), (3)",
                    "update shop.item set id = id + 10 where id < 3",
                    "delete from shop.item where id = 3",
                    "insert into shop.quiet values (1)",
                    "insert into shop.late values (1), (2)");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get(server.port, "/metrics").body())
                            .contains(rows("shop", "item", "insert") + "3.0\n")
                            .contains(rows("shop", "item", "update") + "2.0\n")
                            .contains(rows("shop", "item", "delete") + "1.0\n")
                            .contains(rows("shop", "quiet", "insert") + "1.0\n")
                            .contains(rows("", "(other)", "insert") + "2.0\n")
                            .contains(rows("", "(other)", "delete") + "0.0\n")
                            .contains("sluice_table_bytes_total{destination=\"shop\",schema=\"shop\",table=\"item\"} ")
                            .contains("canal_instance_ack_rows{destination=\"shop\"} 9.0\n")
                            .doesNotContain("table=\"late\""));
            server.operations().restart("shop");
            assertThat(get(server.port, "/metrics").body()).contains(rows("shop", "item", "insert") + "3.0\n");
        } finally {
            mysql.execute("drop table shop.quiet", "drop table shop.late");
        }
    }

    @Test
    void anInstanceThatAnOperatorHasStoppedIsReportedAsSuch() throws Exception {
        try (SendingServer server = new SendingServer()) {
            awaitRunning(server.port);

            server.operations().stop("shop");

            assertThat(get(server.port, "/health").body())
                    .isEqualTo("{\"status\":\"up\",\"instances\":[{\"destination\":\"shop\","
                            + "\"state\":\"stopped\",\"paused\":false,\"stopped\":true}]}");
            assertThat(get(server.port, "/metrics").body())
                    .contains("sluice_instance_stopped{destination=\"shop\"} 1.0\n")
                    .contains("sluice_instance_here{destination=\"shop\"} 0.0\n");
        }
    }

    private static String rows(String schema, String table, String kind) {
        return "sluice_table_rows_total{destination=\"shop\",kind=\"%s\",schema=\"%s\",table=\"%s\"} "
                .formatted(kind, schema, table);
    }

    private static double sample(String page, String name) {
        return page.lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(Double.NaN);
    }

    @Test
    void aConfigurationThatIsRefusedIsReportedUntilItIsCorrected() throws Exception {
        try (SendingServer server = new SendingServer()) {
            awaitRunning(server.port);
            String good = Files.readString(server.instanceFile());

            Files.writeString(server.instanceFile(), good + "canal.instance.memory.buffer.size = seven\n");
            server.operations().reload();
            awaitMetric(server.port, "sluice_instance_configuration_refused{destination=\"shop\"} 1.0\n");

            Files.writeString(server.instanceFile(), good);
            server.operations().reload();
            awaitMetric(server.port, "sluice_instance_configuration_refused{destination=\"shop\"} 0.0\n");
        }
    }

    @Test
    void aSourceThatIsUnreachableIsTheReportedStageUntilItIsBack() throws Exception {
        try (SendingServer server = new SendingServer()) {
            awaitRunning(server.port);
            mysql.stop();
            try {
                awaitHealth(server.port, "\"stage\":\"source\"");
                assertThat(get(server.port, "/health").statusCode()).isEqualTo(503);
            } finally {
                mysql.restart();
            }
            awaitHealth(server.port, "\"status\":\"up\"");
        }
    }

    private void awaitRunning(int port) {
        awaitHealth(port, "\"state\":\"running\"");
    }

    /** A page is given to all for a second. */
    private void awaitMetric(int port, String line) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(port, "/metrics").body()).contains(line));
    }

    private void awaitHealth(int port, String text) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(port, "/health").body()).contains(text));
    }

    private static double value(PrometheusServer prometheus, String query) {
        return prometheus.value(query).orElse(Double.NaN);
    }

    /** The page, after an instance has been read from and its source has reported its newest position. */
    private String awaitMetrics(int port) {
        return await().atMost(PATIENCE)
                .until(
                        () -> get(port, "/metrics").body(),
                        page -> page.contains("sluice_source_lag_bytes")
                                && page.contains("sluice_schema_tables_held_total")
                                && page.contains("sluice_source_lag_seconds"));
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The names of our families, as they are written before the labels of a sample. */
    private static Set<String> names(String page) {
        return page.lines()
                .filter(line -> line.startsWith("# TYPE canal_") || line.startsWith("# TYPE sluice_"))
                .map(line -> line.split(" ")[2])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> documented() throws Exception {
        List<String> names = new ArrayList<>();
        Matcher row = Pattern.compile("(?m)^\\| `((?:canal|sluice)_[a-z_]+)` \\|")
                .matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
        while (row.find()) {
            names.add(row.group(1));
        }
        return names;
    }

    /** A server with one instance, which sends to a broker that the test controls. */
    private static final class SendingServer implements AutoCloseable {
        private final Path home = Folders.temporary("sluice-metrics-");
        private final CommandedBroker broker = new CommandedBroker();
        private final SluiceServer server;
        private final int port = FreePorts.next();

        SendingServer(String... more) throws Exception {
            BinlogEnd start = mysql.binlogEnd();
            Path conf = Files.createDirectories(home.resolve("conf/shop"));
            Files.writeString(conf.resolve("instance.properties"), """
                    canal.instance.master.address = %s:%d
                    canal.instance.dbUsername = %s
                    canal.instance.dbPassword = %s
                    canal.instance.master.journal.name = %s
                    canal.instance.master.position = %d
                    canal.instance.tsdb.enable = false
                    canal.mq.topic = shop
                    """.formatted(
                            mysql.host(), mysql.port(), USER, PASSWORD, start.file(), start.offset()));
            Files.writeString(home.resolve("conf/canal.properties"), """
                    canal.serverMode = kafka
                    kafka.bootstrap.servers = 127.0.0.1:9
                    canal.destinations = shop
                    canal.metrics.pull.ip = 127.0.0.1
                    canal.metrics.pull.port = %d
                    canal.health.stall.timeout = 1000
                    %s
                    """.formatted(port, String.join("\n", more)));
            server = new ServerFiles(home).start(broker);
        }

        Path instanceFile() {
            return home.resolve("conf/shop/instance.properties");
        }

        Operations operations() {
            return server.operations();
        }

        @Override
        public void close() {
            server.stop(Duration.ofSeconds(10));
            Folders.delete(home);
        }
    }
}
