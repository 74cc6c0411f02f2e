package io.sluice.admin.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.protocol.wire.Scramble;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The admin server and a server of the package, which reads from MySQL. */
@Timeout(400)
class PackagedSluiceIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String PASSWORD = "operators-password";

    @TempDir
    Path folder;

    private final int controlPort = FreePorts.next();
    private final int adminPort = FreePorts.next();
    private RunningAdmin admin;
    private Browser browser;
    private PackagedSluice sluice;
    private MySqlServer mysql;
    private long id;

    @Test
    void aServerIsSeenAndCommanded() throws Exception {
        try (MySqlServer source = MySqlServer.start();
                PackagedSluice server = server(source);
                RunningAdmin running = RunningAdmin.start(
                        folder, "sluice.admin.canal-user=operator", "sluice.admin.canal-password=" + PASSWORD)) {
            mysql = source;
            sluice = server;
            admin = running;
            String token = sluice.ask("token", "add", "admin-server", "--role", "administrator")
                    .lines()
                    .filter(line -> line.contains("sluice_"))
                    .map(line -> line.substring(line.indexOf("sluice_")).strip())
                    .findFirst()
                    .orElseThrow();
            sluice.start();
            browser = admin.administrator();
            JsonNode test = browser.post("/api/v2/servers/test", input(token))
                    .expect(200)
                    .json();
            assertThat(test.path("control").path("ok").asBoolean())
                    .as(test.toString())
                    .isTrue();
            assertThat(test.path("adminPort").path("ok").asBoolean())
                    .as(test.toString())
                    .isTrue();
            id = browser.post("/api/v2/servers", input(token))
                    .expect(201)
                    .json()
                    .path("id")
                    .asLong();

            seesWhatItDelivers();
            pausesLimitsAndMoves();
            looksAtChanges();
            triesConfigurations();
            survivesAKill();
            commandsByCanalsProtocol();
            assertThat(Files.readString(sluice.home().resolve("logs/canal/audit.log")))
                    .contains("\"who\":\"admin-server\",\"onBehalfOf\":\"admin\"", "\"action\":\"pause\"");
        }
    }

    private PackagedSluice server(MySqlServer source) throws Exception {
        source.createReplicationUser("canal", "canal", AuthPlugin.CACHING_SHA2_PASSWORD);
        source.execute("create database printed", "create table printed.orders (id int primary key, note varchar(50))");
        return new PackagedSluice(
                "printed",
                List.of(
                        "canal.serverMode = stdout",
                        "canal.control.port = " + controlPort,
                        "canal.admin.port = " + adminPort,
                        "canal.admin.ip = 127.0.0.1",
                        "canal.admin.user = operator",
                        "canal.admin.passwd = " + Scramble.stored(PASSWORD),
                        "canal.metrics.pull.port = " + FreePorts.next()),
                List.of(
                        "canal.instance.master.address = " + source.host() + ":" + source.port(),
                        "canal.instance.dbUsername = canal",
                        "canal.instance.dbPassword = canal",
                        "canal.instance.filter.regex = printed\\\\..*",
                        "canal.mq.topic = any"));
    }

    private String input(String token) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("name", "one")
                .put("ip", "127.0.0.1")
                .put("adminPort", adminPort)
                .put("controlUrl", token == null ? null : "http://127.0.0.1:" + controlPort)
                .put("controlToken", token)
                .toString();
    }

    /** What is shown of it; a problem without any of that while its server does not answer, as on a slow machine for a moment. */
    private JsonNode instance() {
        return browser.get("/api/v2/instances/printed").json();
    }

    private void awaitServer(String state) {
        await().atMost(PATIENCE)
                .until(
                        () -> browser.get("/api/v2/servers/" + id)
                                .json()
                                .path("state")
                                .asString(),
                        state::equals);
    }

    private void awaitDelivered(int rows) {
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/instances/printed").status() == 200
                        && instance().path("deliveredRows").asInt() >= rows);
    }

    private void seesWhatItDelivers() {
        awaitServer("running");
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/overview")
                                .json()
                                .path("instances")
                                .path("running")
                                .asInt()
                        == 1);
        mysql.execute("insert into printed.orders values (1, 'a')");
        awaitDelivered(1);
        JsonNode detail = instance();
        assertThat(detail.path("stages").findValuesAsString("state")).doesNotContain("failed", "unknown");
        assertThat(detail.path("position").path("file").asString()).startsWith("binlog.");
        assertThat(browser.get("/api/v2/instances/printed/tables").expect(200).body())
                .contains("\"orders\"");
        assertThat(browser.get("/api/v2/instances/printed/log").expect(200).body())
                .contains("start CanalInstance");
        assertThat(browser.get("/api/v2/servers/" + id).json().path("version").asString())
                .isNotEmpty();
    }

    private void pausesLimitsAndMoves() {
        browser.post("/api/v2/instances/printed/pause", "{\"reason\":\"a test\"}")
                .expect(200);
        await().atMost(PATIENCE)
                .until(() -> instance().path("summary").path("paused").asBoolean());
        assertThat(instance().path("pauseReason").asString()).isEqualTo("admin by admin-server: a test");
        browser.post("/api/v2/instances/printed/actions/resume", null).expect(200);
        browser.put("/api/v2/instances/printed/limits", "{\"rowsPerSecond\":500,\"bytesPerSecond\":0}")
                .expect(200);
        await().atMost(PATIENCE)
                .until(() -> instance().path("limits").path("rowsPerSecond").asInt() == 500);
        JsonNode dry = browser.post("/api/v2/instances/printed/cursor", "{\"position\":\"oldest\",\"dryRun\":true}")
                .expect(200)
                .json();
        assertThat(dry.path("lines").size()).isPositive();
        browser.post("/api/v2/instances/printed/cursor", "{\"position\":\"nonsense\",\"dryRun\":true}")
                .expect(400);
        assertThat(browser.post("/api/v2/servers/" + id + "/reload", null)
                        .expect(200)
                        .body())
                .contains("Nothing has changed.");
    }

    private void looksAtChanges() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + admin.port() + "/api/v2/instances/printed/changes?values=shown"))
                .header(
                        "Cookie",
                        "SLUICE_ADMIN=" + browser.cookie("SLUICE_ADMIN").orElseThrow())
                .build();
        HttpClient client = HttpClient.newHttpClient();
        CompletableFuture<String> change = client.sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .thenApply(response -> {
                    try (Stream<String> lines = response.body()) {
                        return lines.filter(line -> line.startsWith("data: {") && line.contains("orders"))
                                .findFirst()
                                .orElse("none");
                    }
                });
        int[] row = {100};
        await().atMost(PATIENCE).until(() -> {
            mysql.execute("insert into printed.orders values (" + row[0]++ + ", 'a value')");
            return change.isDone();
        });
        assertThat(change.join()).contains("\"kind\":\"INSERT\"", "\"note\":\"a value\"", "\"before\":null");
        assertThat(browser.get("/api/v2/audit").body()).contains("instance.values");
    }

    private void triesConfigurations() {
        String text = "canal.instance.master.address = %s:%d\ncanal.instance.dbUsername = canal\n%s"
                .formatted(
                        mysql.host(),
                        mysql.port(),
                        "canal.instance.dbPassword = %s\ncanal.instance.filter.regex = printed\\\\..*\ncanal.mq.topic = any\n");
        JsonNode verdicts = browser.post("/api/v2/config/connect", trial(text.formatted("canal")))
                .expect(200)
                .json();
        assertThat(verdicts.findValuesAsString("verdict"))
                .as(verdicts.toString())
                .contains("ok")
                .doesNotContain("failed");
        assertThat(verdicts.findValuesAsString("message")).contains("the binlog can be read");
        assertThat(browser.post("/api/v2/config/connect", trial(text.formatted("wrong")))
                        .expect(200)
                        .body())
                .contains("\"failed\"", "Access denied");
        JsonNode tables = browser.post("/api/v2/config/tables", trial(text.formatted("canal")))
                .expect(200)
                .json();
        assertThat(tables.path("tables").path(0).asString()).isEqualTo("printed.orders");
        assertThat(tables.path("accepted").asInt()).isEqualTo(1);
        assertThat(browser.post("/api/v2/config/tables", trial(text.formatted("wrong")))
                        .expect(502)
                        .body())
                .contains("Access denied");
        assertThat(browser.post("/api/v2/config/connect", trial("canal.instance.gtidon = x\n"))
                        .expect(422)
                        .body())
                .contains("canal.instance.gtidon");
    }

    private String trial(String content) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("content", content)
                .put("name", "another")
                .put("serverId", id)
                .toString();
    }

    private void survivesAKill() throws Exception {
        sluice.kill();
        awaitServer("unreachable");
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/instances/printed").status() == 404);
        assertThat(browser.get("/api/v2/overview")
                        .json()
                        .path("problems")
                        .path(0)
                        .path("kind")
                        .asString())
                .isEqualTo("server_unreachable");
        sluice.start();
        awaitServer("running");
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/instances/printed").status() == 200);
    }

    /** Without its control URL it is managed as a canal server. */
    private void commandsByCanalsProtocol() {
        browser.put("/api/v2/servers/" + id, input(null)).expect(200);
        await().atMost(PATIENCE)
                .until(
                        () -> browser.get("/api/v2/servers/" + id)
                                .json()
                                .path("kind")
                                .asString(),
                        "canal"::equals);
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/instances/printed").status() == 200
                        && instance().path("summary").path("state").asString().equals("running"));
        JsonNode log = browser.get("/api/v2/instances/printed/log?lines=10")
                .expect(200)
                .json();
        assertThat(log.path("lines").size()).isPositive();
        assertThat(log.path("files").toString()).contains("printed.log");
        browser.post("/api/v2/instances/printed/pause", "{}").expect(409);
        browser.post("/api/v2/instances/printed/actions/restart", null).expect(200);
        browser.post("/api/v2/servers/" + id + "/stop", null).expect(200);
        awaitServer("stopped");
        browser.post("/api/v2/servers/" + id + "/start", null).expect(200);
        awaitServer("running");
    }
}
