package io.sluice.admin.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.config.InstanceStore;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.server.ServerStore;
import io.sluice.admin.fleet.server.TokenVault;
import io.sluice.admin.fleet.stream.BrowserStreams;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Servers and instances, as the pages see and command them. */
class FleetTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    static Path folder;

    private static RunningAdmin admin;
    private static Browser browser;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(folder, "sluice.admin.polling-password=admin");
        browser = admin.administrator();
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    /** Each test has its own servers. */
    @AfterEach
    void removeServers() {
        for (JsonNode instance : browser.get("/api/v2/instances").json().path("items")) {
            if (instance.path("managed").asBoolean()) {
                browser.delete("/api/v2/instances/" + instance.path("name").asString())
                        .expect(204);
            }
        }
        for (JsonNode server : browser.get("/api/v2/servers").json().path("items")) {
            browser.delete("/api/v2/servers/" + server.path("id").asLong()).expect(204);
        }
    }

    private static String input(String name, int adminPort, String url, String token) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("name", name)
                .put("ip", "127.0.0.1")
                .put("adminPort", adminPort)
                .put("controlUrl", url)
                .put("controlToken", token)
                .toString();
    }

    private static long add(String name, int adminPort, FakeSluice server, String token) {
        return browser.post("/api/v2/servers", input(name, adminPort, server.url(), token))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    private static long addWithoutControl(String name, int adminPort) {
        return browser.post("/api/v2/servers", input(name, adminPort, null, null))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    private static long addTo(long cluster, String name, int adminPort, FakeSluice server, String token) {
        String input = input(name, adminPort, server.url(), token);
        return browser.post("/api/v2/servers", input.replaceFirst("\\{", "{\"clusterId\":" + cluster + ","))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    /**
     * Creates the instance shop.
     *
     * @param parent {@code serverId} or {@code clusterId}, which is what it belongs to
     */
    private static void createShop(Browser user, String parent, long id) {
        String content =
                "canal.instance.master.address=127.0.0.1:3306\\ncanal.instance.dbUsername=u\\ncanal.mq.topic=t\\n";
        user.post(
                        "/api/v2/instances",
                        "{\"name\":\"shop\",\"%s\":%d,\"content\":\"%s\"}".formatted(parent, id, content))
                .expect(201);
    }

    private static JsonNode server(long id) {
        return browser.get("/api/v2/servers/" + id).expect(200).json();
    }

    /** Of the instance {@code shop}, in the order of the servers. */
    private static void awaitStatesAtServers(String... states) {
        await().atMost(PATIENCE)
                .until(
                        () -> browser.get("/api/v2/instances/shop")
                                .json()
                                .path("servers")
                                .findValuesAsString("state"),
                        List.of(states)::equals);
    }

    private static void awaitState(long id, String state) {
        await().atMost(PATIENCE).until(() -> server(id).path("state").asString(), state::equals);
    }

    private static void awaitInstance(String name) {
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/instances/" + name).status() == 200);
    }

    /** Two administrators edit different fields of a server at the same time. */
    @Test
    void aChangeOfAServerLeavesWhatItDoesNotName() {
        long cluster = browser.post("/api/v2/clusters", "{\"name\": \"joined\", \"zkHosts\": \"zk1:2181\"}")
                .expect(201)
                .json()
                .path("id")
                .asLong();
        ObjectNode input = (ObjectNode) JsonMapper.shared().readTree(input("one", 1, null, null));
        input.put("tcpPort", 11111).put("controlUrl", "https://127.0.0.1:1").put("controlToken", "a-token");
        long id = browser.post("/api/v2/servers", input.toString())
                .expect(201)
                .json()
                .path("id")
                .asLong();
        String path = "/api/v2/servers/" + id;

        browser.patch(path, "{\"clusterId\": %d, \"adminPort\": 4}".formatted(cluster))
                .expect(200);
        JsonNode renamed =
                browser.patch(path, "{\"name\": \"renamed\"}").expect(200).json();

        assertThat(renamed.path("name").asString()).isEqualTo("renamed");
        assertThat(renamed.path("clusterId").asLong()).isEqualTo(cluster);
        assertThat(renamed.path("adminPort").asInt()).isEqualTo(4);
        assertThat(renamed.path("tcpPort").asInt()).isEqualTo(11111);
        assertThat(renamed.path("controlUrl").asString()).isEqualTo("https://127.0.0.1:1");
        assertThat(renamed.path("hasControlToken").asBoolean()).isTrue();
        JsonNode cleared = browser.patch(path, "{\"clusterId\": null, \"tcpPort\": null, \"controlToken\": \"\"}")
                .expect(200)
                .json();
        assertThat(cleared.path("clusterId").isNull()).isTrue();
        assertThat(cleared.path("tcpPort").isNull()).isTrue();
        assertThat(cleared.path("hasControlToken").asBoolean()).isFalse();
        assertThat(cleared.path("name").asString()).isEqualTo("renamed");
        browser.delete("/api/v2/clusters/" + cluster).expect(204);
    }

    @Test
    void aChangeOfAServerIsChecked() {
        String path = "/api/v2/servers/"
                + browser.post("/api/v2/servers", input("one", 1, null, null))
                        .expect(201)
                        .json()
                        .path("id")
                        .asLong();

        assertThat(browser.patch(path, "{\"adminPort\": 70000}").expect(400).body())
                .contains("adminPort must be less than or equal to 65535");
        browser.patch(path, "{\"name\": \" \"}").expect(400);
        browser.patch(path, "{\"name\": null}").expect(400);
        browser.patch(path, "{\"adminPort\": null}").expect(400);
        browser.patch(path, "{\"clusterId\": 4711}").expect(400);
        browser.patch(path, "[]").expect(400);
        assertThat(browser.patch(path, "{\"controlToken\": [\"secret\"]}")
                        .expect(400)
                        .body())
                .doesNotContain("secret");
        browser.patch(path, "{\"keep\": true}").expect(400);
        assertThat(browser.patch(path, "{\"controlToken\": \"for another URL\"}")
                        .expect(400)
                        .body())
                .contains("Give the control URL");
        browser.patch("/api/v2/servers/4711", "{\"name\": \"a\"}").expect(404);
    }

    @Test
    void showsWhatServersReport() {
        try (FakeSluice left = new FakeSluice("t1", "shop", "stock");
                FakeSluice right = new FakeSluice("t2", "mail")) {
            long id = add("left", 1, left, "t1");
            add("right", 2, right, "t2");
            awaitState(id, "running");
            awaitInstance("mail");

            JsonNode list =
                    browser.get("/api/v2/instances?sort=name").expect(200).json();
            assertThat(list.path("total").asInt()).isEqualTo(3);
            assertThat(list.path("items").path(0).path("runningOn").asString()).isEqualTo("right");
            assertThat(browser.get("/api/v2/instances?search=SHO&server=" + id)
                            .json()
                            .path("total")
                            .asInt())
                    .isEqualTo(1);
            JsonNode shop = browser.get("/api/v2/instances/shop").expect(200).json();
            assertThat(shop.path("stages").size()).isEqualTo(4);
            assertThat(shop.path("errors").path(0).path("remedy").asString()).isEqualTo("grant");
            JsonNode overview = browser.get("/api/v2/overview").expect(200).json();
            assertThat(overview.path("instances").path("running").asInt()).isEqualTo(3);
            assertThat(overview.path("rowsPerSecond").asInt()).isEqualTo(21);
            await().atMost(PATIENCE)
                    .until(() -> browser.get("/api/v2/history?instance=shop")
                            .json()
                            .path("rowsPerSecond")
                            .toString()
                            .contains("7"));
            await().atMost(PATIENCE).until(() -> server(id).path("version").asString(), "9.9"::equals);
        }
    }

    @Test
    void aServerThatIsGoneIsUnreachableAndComesBack() {
        FakeSluice server = new FakeSluice("t", "shop");
        long id = add("one", 1, server, "t");
        awaitState(id, "running");

        server.close();
        awaitState(id, "unreachable");
        assertThat(browser.get("/api/v2/overview")
                        .json()
                        .path("problems")
                        .path(0)
                        .path("kind")
                        .asString())
                .isEqualTo("server_unreachable");
        assertThat(browser.get("/api/v2/instances/shop").status()).isEqualTo(404);
        server.close();

        try (FakeSluice next = new FakeSluice("t", "shop")) {
            browser.put("/api/v2/servers/" + id, input("one", 1, next.url(), "t"))
                    .expect(200);
            awaitState(id, "running");
        }
        awaitState(id, "unreachable");
        assertThat(server(id).path("stateDetail").asString()).containsAnyOf("refuses connections", "closed");
    }

    @Test
    void aTokenIsKeptAndNeverShown() throws Exception {
        try (FakeSluice server = new FakeSluice("sluice_right", "shop")) {
            long id = add("one", 1, server, "sluice_wrong");
            awaitState(id, "unauthorized");
            JsonNode shown = server(id);
            assertThat(shown.path("stateDetail").asString()).contains("sluice.sh token add");
            assertThat(shown.toString()).doesNotContain("sluice_wrong", "a secret of mine");
            assertThat(shown.path("hasControlToken").asBoolean()).isTrue();

            browser.put("/api/v2/servers/" + id, input("one", 1, server.url(), "sluice_right"))
                    .expect(200);
            awaitState(id, "running");
            browser.put("/api/v2/servers/" + id, input("renamed", 1, server.url(), null))
                    .expect(200);
            awaitState(id, "running");
            assertThat(browser.put("/api/v2/servers/" + id, input("one", 1, "http://localhost:9", null))
                            .expect(400)
                            .body())
                    .contains("Enter the token again");
            assertThat(browser.post("/api/v2/servers/test?id=" + id, input("one", 1, "http://localhost:9", null))
                            .expect(400)
                            .body())
                    .contains("Enter the token again");
            JsonNode test = browser.post("/api/v2/servers/test?id=" + id, input("one", 1, server.url(), null))
                    .expect(200)
                    .json();
            assertThat(test.path("control").path("message").asString()).isEqualTo("Sluice 9.9 with one instance.");
            assertThat(test.path("adminPort").path("ok").asBoolean()).isFalse();
            assertThat(browser.get("/api/v2/audit").body())
                    .contains("server.change")
                    .doesNotContain("sluice_right");
            assertThat(new String(Files.readAllBytes(folder.resolve("admin.db-wal")), StandardCharsets.ISO_8859_1))
                    .doesNotContain("sluice_right");
        }
    }

    /** Two servers that run it at the same time would send changes twice, and older ones after newer ones. */
    @Test
    void aMovedInstanceIsGivenToAServerOnlyWhenTheFormerOneHasItNoMore() {
        try (FakeSluice left = new FakeSluice("t", "shop");
                FakeSluice right = new FakeSluice("t")) {
            long from = add("left", 1, left, "t");
            long to = add("right", 2, right, "t");
            awaitState(from, "running");
            awaitState(to, "running");
            createShop(browser, "serverId", from);
            String move = "{\"serverId\": %d}".formatted(to);
            List<String> told = new CopyOnWriteArrayList<>();
            left.onCall(call -> note(told, "left", call));
            right.onCall(call -> note(told, "right", call));
            long reloadsBefore = right.calls().stream()
                    .filter(call -> call.contains("/reload"))
                    .count();

            // it still has the instance after it has read its configuration
            assertThat(browser.put("/api/v2/instances/shop", move).expect(409).body())
                    .contains("left has read its configuration, and still has the instance");
            left.reject("/reload");
            assertThat(browser.put("/api/v2/instances/shop", move).expect(409).body())
                    .contains("Left: it is behind that.");

            assertThat(right.calls().stream().filter(call -> call.contains("/reload")))
                    .hasSize((int) reloadsBefore);
            InstanceRow kept = admin.bean(InstanceStore.class).find("shop").orElseThrow();
            assertThat(kept.serverId()).isEqualTo(from);
            assertThat(kept.enabled()).isTrue();

            left.reject("/pause");
            left.instances();
            told.clear();
            JsonNode moved =
                    browser.put("/api/v2/instances/shop", move).expect(200).json();

            assertThat(moved.path("serverId").asLong()).isEqualTo(to);
            assertThat(moved.path("enabled").asBoolean()).isTrue();
            await().atMost(PATIENCE).until(() -> told.stream().anyMatch(one -> one.startsWith("right")));
            String given = "right: shop of %d, enabled true".formatted(to);
            assertThat(told).containsSubsequence("left: shop of %d, enabled false".formatted(from), given);
            assertThat(told).filteredOn(one -> one.startsWith("right")).containsOnly(given);
        }
    }

    /** Notes what is stored of shop when a server gets a reload request. */
    private static void note(List<String> told, String server, String call) {
        if (call.contains("/reload")) {
            InstanceRow row = admin.bean(InstanceStore.class).find("shop").orElseThrow();
            told.add("%s: shop of %d, enabled %b".formatted(server, row.serverId(), row.enabled()));
        }
    }

    @Test
    void anInstanceIsMovedFromAServerThatDoesNotAnswerOnlyIfThatIsConfirmed() {
        FakeSluice left = new FakeSluice("t", "shop");
        try (FakeSluice right = new FakeSluice("t")) {
            long from = add("left", 1, left, "t");
            long to = add("right", 2, right, "t");
            awaitState(from, "running");
            awaitState(to, "running");
            createShop(browser, "serverId", from);
            left.close();
            awaitState(from, "unreachable");
            String move = "{\"serverId\": %d%s}";

            assertThat(browser.put("/api/v2/instances/shop", move.formatted(to, ""))
                            .expect(409)
                            .body())
                    .contains("left does not answer");
            JsonNode moved = browser.put("/api/v2/instances/shop", move.formatted(to, ", \"force\": true"))
                    .expect(200)
                    .json();

            assertThat(moved.path("serverId").asLong()).isEqualTo(to);
            assertThat(moved.path("enabled").asBoolean()).isTrue();
            await().atMost(PATIENCE).until(() -> right.calls().stream().anyMatch(call -> call.contains("/reload")));
        } finally {
            left.close();
        }
    }

    private static long cluster(String name) {
        return browser.post("/api/v2/clusters", "{\"name\": \"%s\", \"zkHosts\": \"zk1:2181\"}".formatted(name))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    private static void awaitReload(FakeSluice server) {
        await().atMost(PATIENCE)
                .until(() -> server.calls().stream().anyMatch(call -> call.startsWith("POST /api/v1/reload")));
    }

    /** Its canal.properties and its instances are others from then on, also without canal.auto.scan. */
    @Test
    void aServerThatJoinsAClusterGetsAReloadRequest() {
        try (FakeSluice server = new FakeSluice("t")) {
            long id = add("one", 1, server, "t");
            awaitState(id, "running");
            assertThat(server.calls()).noneMatch(call -> call.contains("/reload"));

            browser.patch("/api/v2/servers/" + id, "{\"clusterId\": %d}".formatted(cluster("to-join")))
                    .expect(200);

            awaitReload(server);
        }
    }

    /** A database that was taken over may have none. */
    @Test
    void theFirstConfigurationOfAClusterIsRequestedFromItsServers() {
        try (FakeSluice server = new FakeSluice("t")) {
            long cluster = cluster("without");
            awaitState(addTo(cluster, "one", 1, server, "t"), "running");
            JdbcClient database = admin.bean(JdbcClient.class);
            database.sql("DELETE FROM canal_config WHERE cluster_id = ?")
                    .param(cluster)
                    .update();
            assertThat(server.calls()).noneMatch(call -> call.contains("/reload"));

            browser.put(
                            "/api/v2/clusters/" + cluster + "/config",
                            "{\"content\":\"canal.serverMode = tcp\\ncanal.ip = 127.0.0.1\\n\",\"basedOn\":0,\"basedOnMd5\":\"d41d8cd98f00b204e9800998ecf8427e\"}")
                    .expect(200);

            awaitReload(server);
        }
    }

    /** canal writes 0 as the cluster of an instance that belongs to a server, too. */
    @Test
    void aServerWithAnInstanceWhoseClusterIsZeroIsNeitherRemovedNorMovedIntoACluster() {
        try (FakeSluice server = new FakeSluice("t")) {
            long id = add("one", 1, server, "t");
            createShop(browser, "serverId", id);
            admin.bean(JdbcClient.class)
                    .sql("UPDATE canal_instance_config SET cluster_id = 0 WHERE name = 'shop'")
                    .update();

            browser.delete("/api/v2/servers/" + id).expect(409);
            browser.patch("/api/v2/servers/" + id, "{\"clusterId\": %d}".formatted(cluster("for-zero")))
                    .expect(409);
        }
    }

    /** A change of a role by other means, as by SQL, is no event here. */
    @Test
    void aStreamEndsWhenItsUserMayDoLess() throws Exception {
        Browser user = browser.user("reduced", "operator");
        BrowserStreams streams = admin.bean(BrowserStreams.class);
        await().atMost(PATIENCE).until(() -> streams.size() == 0);
        Thread reader = stream(user, "/api/v2/events", new ArrayBlockingQueue<>(10_000));
        await().atMost(PATIENCE).until(() -> streams.size() == 1);
        streams.check();
        assertThat(streams.size()).isEqualTo(1);

        admin.bean(JdbcClient.class)
                .sql("UPDATE sluice_user SET role = 'viewer' WHERE name = 'reduced'")
                .update();
        streams.check();

        await().atMost(PATIENCE).until(() -> streams.size() == 0);
        reader.join(PATIENCE.toMillis());
    }

    @Test
    void theOverviewCountsWhatItsListsShow() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            server.leavesItToOthers();
            long id = add("one", 1, server, "t");
            createShop(browser, "serverId", id);
            awaitState(id, "running");
            await().atMost(PATIENCE)
                    .until(
                            () -> browser.get("/api/v2/instances/shop")
                                    .json()
                                    .path("summary")
                                    .path("state")
                                    .asString(),
                            "not_here"::equals);

            JsonNode counts = browser.get("/api/v2/overview").json().path("instances");
            assertThat(counts.path("notHere").asInt()).isEqualTo(1);
            assertThat(counts.path("unknown").asInt()).isZero();
            assertThat(total("counted=not_here")).isEqualTo(1);
            assertThat(total("counted=unknown")).isZero();
        }
    }

    /** If two users edit different limits, neither undoes what the other one has set. */
    @Test
    void aLimitThatIsNotGivenStays() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            add("one", 1, server, "t");
            awaitInstance("shop");
            server.limits("{\"rowsPerSecond\":5,\"bytesPerSecond\":1000000}");
            await().atMost(PATIENCE)
                    .until(() -> browser.get("/api/v2/instances/shop")
                                    .json()
                                    .path("limits")
                                    .path("bytesPerSecond")
                                    .asLong()
                            == 1_000_000);

            browser.put("/api/v2/instances/shop/limits", "{\"rowsPerSecond\":7}")
                    .expect(200);
            browser.put("/api/v2/instances/shop/limits", "{\"bytesPerSecond\":0}")
                    .expect(200);
            browser.put("/api/v2/instances/shop/limits", "{}").expect(400);

            assertThat(server.calls())
                    .contains(
                            "PUT /api/v1/instances/shop/limits admin {\"rowsPerSecond\":7,\"bytesPerSecond\":1000000}",
                            "PUT /api/v1/instances/shop/limits admin {\"rowsPerSecond\":5,\"bytesPerSecond\":0}");
        }
    }

    private static int total(String query) {
        return browser.get("/api/v2/instances?" + query).json().path("total").asInt();
    }

    /** Before such rows were rejected, a server could be added by its name and by its address. */
    @Test
    void aServerThatWasAddedTwiceCanBeCommandedAfterOneOfTheTwoIsRemoved() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long kept = add("kept", 1, server, "t");
            long twin = addWithoutControl("twin", 2);
            String token = admin.bean(TokenVault.class).seal(twin, "t");
            admin.bean(ServerStore.class).access(twin, server.url(), token);
            awaitState(kept, "running");
            awaitState(twin, "running");

            browser.delete("/api/v2/servers/" + twin).expect(204);
            admin.bean(FleetWatch.class).refresh().join();

            browser.post("/api/v2/instances/shop/actions/restart", null).expect(200);
        }
    }

    @Test
    void aControlUrlIsOfOneServerOnly() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long left = add("left", 1, server, "t");
            assertThat(browser.post("/api/v2/servers", input("right", 2, server.url(), "t"))
                            .expect(409)
                            .body())
                    .contains("left has this control URL already");
            long right = addWithoutControl("right", 2);
            browser.put("/api/v2/servers/" + right, input("right", 2, server.url() + "/", "t"))
                    .expect(409);
            browser.put("/api/v2/servers/" + left, input("renamed", 1, server.url(), null))
                    .expect(200);
            // one that has it from before can be changed otherwise
            admin.bean(ServerStore.class).access(right, server.url(), null);
            browser.patch("/api/v2/servers/" + right, "{\"name\": \"still-right\"}")
                    .expect(200);
        }
    }

    @Test
    void addressesWhereNoServerCanBeAreRejected() {
        for (String url : new String[] {
            "http://169.254.169.254/", "http://10.1.2.3:11113", "https://[fe80::1]:1", "http://0.0.0.0:1"
        }) {
            JsonNode test = browser.post("/api/v2/servers/test", input("x", 1, url, "t"))
                    .expect(200)
                    .json();
            assertThat(test.path("control").path("ok").asBoolean()).isFalse();
            assertThat(test.path("control").path("message").asString())
                    .containsAnyOf("no managed server", "allow-plain-control");
        }
        browser.post("/api/v2/servers", input("x", 1, "gopher://10.1.2.3", "t")).expect(400);
        browser.post("/api/v2/servers", input("x", 0, null, null)).expect(400);
        browser.post("/api/v2/servers", input("x", 1, "https://me:secret@10.1.2.3", "t"))
                .expect(400);
    }

    @Test
    void actionsGoToTheServerAndAreRecorded() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long id = add("one", 1, server, "t");
            awaitInstance("shop");
            browser.user("olga", "operator")
                    .post("/api/v2/instances/shop/actions/restart", null)
                    .expect(200);
            assertThat(server.calls()).contains("POST /api/v1/instances/shop/restart olga ");
            assertThat(browser.post("/api/v2/instances/shop/pause", "{\"reason\":\"x\"}")
                            .expect(409)
                            .body())
                    .contains("One: it is behind that.");
            browser.put("/api/v2/instances/shop/limits", "{\"rowsPerSecond\":5,\"bytesPerSecond\":0}")
                    .expect(200);
            assertThat(browser.post("/api/v2/instances/shop/cursor", "{\"dryRun\":true,\"position\":\"oldest\"}")
                            .expect(200)
                            .body())
                    .contains("a line");
            assertThat(browser.get("/api/v2/instances/shop/log?lines=5")
                            .expect(200)
                            .body())
                    .contains("\"two\"");
            browser.get("/api/v2/instances/shop/log?file=..%2Fx").expect(400);
            browser.get("/api/v2/servers/" + id + "/log").expect(200);
            browser.get("/api/v2/instances/shop/tables").expect(200);
            browser.get("/api/v2/instances/shop/errors").expect(200);
            browser.post("/api/v2/servers/" + id + "/restart", null).expect(200);
            browser.post("/api/v2/servers/" + id + "/dance", null).expect(400);
            browser.get("/api/v2/instances/none/tables").expect(404);
            String audit = browser.get("/api/v2/audit").body();
            assertThat(audit).contains("instance.restart", "instance.limits", "server.restart", "it is behind that");
            assertThat(audit).doesNotContain("instance.cursor");
        }
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/overview")
                                .json()
                                .path("servers")
                                .path("running")
                                .asInt()
                        == 0);
    }

    /** The other servers reject it: they do not know whether that is in force. */
    @Test
    void whatAllServersOfAClusterShareIsSetWhereTheInstanceRuns() {
        try (FakeSluice running = new FakeSluice("t", "shop");
                FakeSluice other = new FakeSluice("t", "shop")) {
            other.leavesItToOthers();
            add("other", 1, other, "t");
            add("running", 2, running, "t");
            await().atMost(PATIENCE)
                    .until(() -> browser.get("/api/v2/instances/shop")
                                    .json()
                                    .path("servers")
                                    .size()
                            == 2);
            browser.put("/api/v2/instances/shop/limits", "{\"rowsPerSecond\":5,\"bytesPerSecond\":0}")
                    .expect(200);
            assertThat(running.calls()).anyMatch(call -> call.startsWith("PUT /api/v1/instances/shop/limits"));
            assertThat(other.calls()).noneMatch(call -> call.startsWith("PUT"));
        }
    }

    /** The other ones first, or one of them would start the instance that was just stopped. */
    @Test
    void anInstanceIsStoppedLastWhereItRuns() {
        List<String> stops = new CopyOnWriteArrayList<>();
        try (FakeSluice running = new FakeSluice("t", "shop");
                FakeSluice other = new FakeSluice("t", "shop");
                FakeSluice locked = new FakeSluice("t", "shop")) {
            other.leavesItToOthers();
            running.onCall(call -> stops.add("running " + call));
            other.onCall(call -> stops.add("other " + call));
            long cluster = newCluster("three");
            addTo(cluster, "first", 1, running, "t");
            addTo(cluster, "second", 2, other, "t");
            long id = addTo(cluster, "third", 3, locked, "wrong");
            createShop(browser, "clusterId", cluster);
            awaitState(id, "unauthorized");
            awaitStatesAtServers("running", "not_here", "unknown");

            String stopped = browser.post("/api/v2/instances/shop/actions/stop", null)
                    .expect(200)
                    .body();

            assertThat(stops)
                    .filteredOn(call -> call.contains("/stop"))
                    .containsExactly(
                            "other POST /api/v1/instances/shop/stop admin ",
                            "running POST /api/v1/instances/shop/stop admin ");
            assertThat(stopped)
                    .contains(
                            "Not done on third (unauthorized): a server that was not asked may take the instance over.");
        }
    }

    /** It would not be taken over any more, and the page and the audit log would not say so. */
    @Test
    void aStopThatFailsWhereTheInstanceRunsNamesTheServersWhereItIsStopped() {
        try (FakeSluice running = new FakeSluice("t", "shop");
                FakeSluice other = new FakeSluice("t", "shop")) {
            other.leavesItToOthers();
            running.reject("/stop");
            long cluster = newCluster("two");
            addTo(cluster, "runner", 1, running, "t");
            addTo(cluster, "standby", 2, other, "t");
            createShop(browser, "clusterId", cluster);
            awaitStatesAtServers("running", "not_here");

            String rejected = browser.post("/api/v2/instances/shop/actions/stop", null)
                    .expect(409)
                    .body();

            String stopped = "It was stopped on standby, which will not take it over until it is started there.";
            assertThat(rejected).contains("it is behind that", stopped);
            assertThat(browser.get("/api/v2/audit?action=instance.stop").body()).contains(stopped);
        }
    }

    @Test
    void instancesAreListedThatArePaused() {
        try (FakeSluice server = new FakeSluice("t", "shop", "till")) {
            server.pauses("till");
            long id = add("one", 1, server, "t");
            awaitState(id, "running");

            for (boolean isPaused : new boolean[] {true, false}) {
                assertThat(browser.get("/api/v2/instances?server=%d&paused=%s".formatted(id, isPaused))
                                .expect(200)
                                .json()
                                .path("items")
                                .findValuesAsString("name"))
                        .containsExactly(isPaused ? "till" : "shop");
            }
        }
    }

    @Test
    void anActionThatChangedNothingIsRecordedAsThat() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long id = add("one", 1, server, "t");
            awaitState(id, "running");

            JsonNode result = browser.post("/api/v2/servers/" + id + "/start", null)
                    .expect(200)
                    .json();

            assertThat(result.path("changed").asBoolean()).isFalse();
            JsonNode entry = browser.get("/api/v2/audit?action=server.start")
                    .expect(200)
                    .json()
                    .path("items")
                    .path(0);
            assertThat(entry.path("outcome").asString()).isEqualTo("unchanged");
            assertThat(entry.path("after").asString()).isEqualTo("There is no instance to start.");
        }
    }

    /** The server starts them when the stop has ended. */
    @Test
    void allInstancesOfAServerThatAreBeingStoppedAreStarted() {
        try (FakeSluice server = new FakeSluice("t", "shop", "till")) {
            server.stopsThem();
            long id = add("one", 1, server, "t");
            await().atMost(PATIENCE)
                    .until(
                            () -> browser.get("/api/v2/instances/shop")
                                    .json()
                                    .path("summary")
                                    .path("state")
                                    .asString(),
                            "stopping"::equals);
            assertThat(total("state=stopping")).isEqualTo(2);
            assertThat(total("counted=stopped")).isEqualTo(2);

            browser.post("/api/v2/servers/" + id + "/start", null).expect(200);

            assertThat(server.calls())
                    .contains("POST /api/v1/instances/shop/start admin ", "POST /api/v1/instances/till/start admin ");
        }
    }

    /** The stop may last longer than the start waits, and the instance would be stopped everywhere. */
    @Test
    void aStartDuringAStopIsCarriedOutWhereTheInstanceIsStoppedAlready() {
        List<String> starts = new CopyOnWriteArrayList<>();
        try (FakeSluice stopping = new FakeSluice("t", "shop");
                FakeSluice stopped = new FakeSluice("t", "shop")) {
            stopping.stopsThem();
            stopping.reject("/start");
            stopped.hasStoppedThem();
            stopping.onCall(call -> starts.add("stopping " + call));
            stopped.onCall(call -> starts.add("stopped " + call));
            long cluster = newCluster("slow");
            addTo(cluster, "first", 1, stopping, "t");
            addTo(cluster, "second", 2, stopped, "t");
            createShop(browser, "clusterId", cluster);
            awaitStatesAtServers("stopping", "stopped");

            JsonNode started = browser.post("/api/v2/instances/shop/actions/start", null)
                    .expect(200)
                    .json();

            assertThat(starts)
                    .filteredOn(call -> call.contains("/start"))
                    .containsExactly(
                            "stopped POST /api/v1/instances/shop/start admin ",
                            "stopping POST /api/v1/instances/shop/start admin ");
            assertThat(started.path("changed").asBoolean()).isTrue();
            assertThat(started.path("message").asString())
                    .contains("Not done on all servers: ", "it is behind that")
                    .doesNotContain("a server that was not asked");
            stopped.reject("/start");
            assertThat(browser.post("/api/v2/instances/shop/actions/start", null)
                            .expect(409)
                            .body())
                    .contains("it is behind that");
        }
    }

    @Test
    void allInstancesOfAServerWhoseStateIsNotKnownAreNotMistakenForNone() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long id = add("one", 1, server, "t");
            awaitState(id, "running");
            server.endStreams();
            awaitState(id, "unreachable");

            assertThat(browser.post("/api/v2/servers/" + id + "/stop", null)
                            .expect(409)
                            .body())
                    .contains("which instances it has is not known at the moment");
        }
    }

    @Test
    void aServerTriesAConfiguration() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long id = add("one", 1, server, "t");
            awaitState(id, "running");
            String input = JsonMapper.shared()
                    .createObjectNode()
                    .put("content", "canal.instance.dbPassword = a secret\n")
                    .put("name", "shop")
                    .put("serverId", id)
                    .toString();
            Browser operator = browser.user("otto", "operator");

            assertThat(operator.post("/api/v2/config/connect", input)
                            .expect(502)
                            .body())
                    .contains("one cannot try configurations", "a Sluice server of this version");
            server.trial(200, """
                    {"good":false,"problems":[],"unchecked":[],"warnings":[],"targets":[{"target":"source db:3306","findings":[
                    {"subject":"login","verdict":"failed","evidence":"Access denied","remedy":"check the password"},
                    {"subject":"clock","verdict":"ok","evidence":"right","remedy":""},
                    {"subject":"x","verdict":"of tomorrow","evidence":"y","remedy":""}]}]}""");
            JsonNode verdicts =
                    operator.post("/api/v2/config/connect", input).expect(200).json();
            assertThat(verdicts.path(0).toString())
                    .isEqualTo(
                            "{\"target\":\"source db:3306\",\"what\":\"login\",\"verdict\":\"failed\",\"message\":\"Access denied\",\"remedy\":\"check the password\"}");
            assertThat(verdicts.path(1).path("remedy").isNull()).isTrue();
            assertThat(verdicts.path(2).path("verdict").asString()).isEqualTo("unknown");
            assertThat(server.calls())
                    .filteredOn(call -> call.startsWith("POST /api/v1/config/connect otto {"))
                    .hasSize(2)
                    .allSatisfy(call -> assertThat(call)
                            .contains("\"instance.properties\":\"canal.instance.dbPassword = a secret\\n\"")
                            .doesNotContain("canal.properties"));

            long other = addWithoutControl("two", 2);
            operator.post("/api/v2/config/connect", input.replace("}", ",\"ownerServerId\":" + other + "}"))
                    .expect(200);
            assertThat(server.calls())
                    .anyMatch(call -> call.contains("/config/connect") && call.contains("\"canal.properties\":\""));

            server.trial(200, """
                    {"problems":[],"tables":[{"schema":"shop","table":"orders","delivered":true}],"visible":7,"delivered":1,
                    "truncated":true}""");
            assertThat(operator.post("/api/v2/config/tables", input).expect(200).body())
                    .isEqualTo("{\"tables\":[\"shop.orders\"],\"visible\":7,\"accepted\":1,\"truncated\":true}");
            server.trial(200, """
                    {"problems":[],"tables":[],"failure":{"subject":"source db:3306","verdict":"failed","evidence":"no route",
                    "remedy":"check the address"}}""");
            assertThat(operator.post("/api/v2/config/tables", input).expect(502).body())
                    .contains("Source db:3306: no route. Check the address.");
            server.trial(200, """
                    {"problems":[{"text":"instance.properties","line":3,"key":"a.b","problem":"is wrong"},
                    {"text":"canal.properties","line":4,"key":"","problem":"is worse"}]}""");
            JsonNode problems = operator.post("/api/v2/config/connect", input)
                    .expect(422)
                    .json()
                    .path("problems");
            assertThat(problems.path(0).path("line").asInt()).isEqualTo(3);
            assertThat(problems.path(1).path("line").isNull()).isTrue();
            assertThat(problems.path(1).path("message").asString()).isEqualTo("is worse, at canal.properties, line 4");

            refusesToTry(server, operator, input);
            assertThat(browser.get("/api/v2/audit").body()).doesNotContain("a secret");
        }
    }

    private static void refusesToTry(FakeSluice server, Browser operator, String input) {
        server.trial(409, "{\"detail\":\"another configuration is being tried\"}");
        assertThat(operator.post("/api/v2/config/connect", input).expect(409).body())
                .contains("One: another configuration is being tried.");
        server.trial(403, "{\"detail\":\"admin has the role operator, and this needs administrator\"}");
        assertThat(operator.post("/api/v2/config/tables", input).expect(502).body())
                .contains("this needs administrator. Make one with `sluice.sh token add admin --role administrator`");
        server.trial(413, "");
        assertThat(operator.post("/api/v2/config/connect", input).expect(502).body())
                .contains("too large", "64 KiB");
        operator.post("/api/v2/config/connect", input.replaceAll("\"serverId\":\\d+", "\"serverId\":4711"))
                .expect(400);
    }

    @Test
    void anInstanceThatIsSavedIsReadByItsServerAtOnce() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            long id = add("one", 1, server, "t");
            awaitState(id, "running");
            createShop(browser, "serverId", id);
            await().atMost(PATIENCE).until(() -> server.calls().contains("POST /api/v1/reload admin "));
            await().atMost(PATIENCE)
                    .until(
                            () -> browser.get("/api/v2/instances/shop")
                                    .json()
                                    .path("summary")
                                    .path("state")
                                    .asString(),
                            "not_here"::equals);
            browser.delete("/api/v2/servers/" + id).expect(409);
            assertThat(browser.put("/api/v2/instances/shop", "{\"enabled\":false}")
                            .expect(200)
                            .json()
                            .path("state")
                            .asString())
                    .isEqualTo("disabled");
        }
    }

    /** A server and a cluster may have the same id. */
    @Test
    void aSavedConfigurationIsReadByItsServersOnly() {
        try (FakeSluice member = new FakeSluice("t");
                FakeSluice alone = new FakeSluice("t")) {
            long server = add("alone", 1, alone, "t");
            long cluster = newCluster("same-id-" + server);
            while (cluster != server) {
                if (cluster < server) {
                    cluster = newCluster("same-id-" + server + "-" + cluster);
                } else {
                    browser.delete("/api/v2/servers/" + server).expect(204);
                    server = add("alone", 1, alone, "t");
                }
            }
            long inCluster = addTo(cluster, "member", 2, member, "t");
            awaitState(server, "running");
            awaitState(inCluster, "running");

            save("/api/v2/clusters/" + cluster + "/config");
            await().atMost(PATIENCE).until(() -> member.calls().contains("POST /api/v1/reload admin "));
            save("/api/v2/servers/" + server + "/config");
            await().atMost(PATIENCE).until(() -> alone.calls().contains("POST /api/v1/reload admin "));

            assertThat(member.calls())
                    .filteredOn(call -> call.contains("/reload"))
                    .hasSize(1);
            assertThat(alone.calls())
                    .filteredOn(call -> call.contains("/reload"))
                    .hasSize(1);
        }
    }

    /** A server that is unreachable when a configuration is saved gets the reload request when it answers; until then the overview shows it. */
    @Test
    void aConfigurationThatIsSavedWhileAServerIsLostIsReadWhenItAnswersAgain() {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            long id = add("one", 1, server, "expired");
            awaitState(id, "unauthorized");
            createShop(browser, "serverId", id);
            await().atMost(PATIENCE)
                    .until(() -> problems()
                            .contains("its newest configuration is not in force on one, which has not read it"));

            browser.put("/api/v2/servers/" + id, input("one", 1, server.url(), "t"))
                    .expect(200);

            await().atMost(PATIENCE).until(() -> server.calls().contains("POST /api/v1/reload admin "));
            await().atMost(PATIENCE).until(() -> !problems().contains("is not in force"));
        }
    }

    /** A server asks for its configuration during a reload, and may put nothing of it in force. */
    @Test
    void aServerThatTakesNothingOverGetsTheRequestAgainAndTheOverviewShowsWhy() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            server.reload("{\"serverProblems\":[\"canal.serverMode has changed: restart the server\"]}");
            server.onCall(call -> {
                if (call.startsWith("POST /api/v1/reload")) {
                    poll("server_polling?ip=127.0.0.1&port=1&md5=x");
                    poll("instances_polling?ip=127.0.0.1&port=1&md5=");
                }
            });
            long id = add("one", 1, server, "t");
            awaitState(id, "running");

            save("/api/v2/servers/" + id + "/config");

            await().atMost(PATIENCE)
                    .until(
                            () -> problems()
                                    .contains(
                                            "the newest canal.properties is not in force on one: canal.serverMode has changed: restart the server"));
            server.reload("{\"changed\":[]}");
            await().atMost(PATIENCE).until(() -> !problems().contains("is not in force"));
        }
    }

    /** It reads changes by itself, too, and the admin server does not know after a start what it was told before. */
    @Test
    void aServerThatReportsARejectedConfigurationIsAProblemUntilItIsInForce() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            server.configurationProblem("canal.zkServers has changed: restart the server");
            add("one", 1, server, "t");
            await().atMost(PATIENCE)
                    .until(
                            () -> problems()
                                    .contains(
                                            "the newest configuration is not in force on one: canal.zkServers has changed: restart the server"));

            server.configurationProblem(null);
            await().atMost(PATIENCE).until(() -> !problems().contains("is not in force"));
        }
    }

    /** As that another server has its address. */
    @Test
    void whatIsWrongWithAServerInItsClusterIsAProblemOfTheServer() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            server.clusterProblem("another server of the cluster has the address a:1, too: set canal.register.ip");
            long id = add("one", 1, server, "t");
            await().atMost(PATIENCE)
                    .until(() -> problems().contains("another server of the cluster has the address a:1, too"));

            JsonNode shown = browser.get("/api/v2/servers/" + id).expect(200).json();
            assertThat(shown.path("clusterProblem").asString()).contains("set canal.register.ip");

            server.clusterProblem(null);
            await().atMost(PATIENCE).until(() -> !problems().contains("has the address"));
        }
    }

    /** The save is answered, and the server has read it; all the same the old values are in force. */
    @Test
    void aSavedKeyThatNeedsARestartIsAProblemUntilTheServerIsRestarted() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            server.onCall(call -> {
                if (call.startsWith("POST /api/v1/reload")) {
                    server.restartKeys("[\"kafka.acks\"]");
                }
            });
            server.reload("{\"changed\":[],\"restartKeys\":[\"kafka.acks\"]}");
            long id = add("one", 1, server, "t");
            awaitState(id, "running");
            assertThat(problems()).doesNotContain("kafka.acks");

            save("/api/v2/servers/" + id + "/config");

            await().atMost(PATIENCE)
                    .until(() -> problems()
                            .contains("changed keys are not in force on one until it is restarted: kafka.acks"));
            server.restartKeys("[]");
            await().atMost(PATIENCE).until(() -> !problems().contains("kafka.acks"));
        }
    }

    @Test
    void aRestartNamesTheKeysThatHaveNoEffectBeforeTheServerIsRestarted() {
        try (FakeSluice server = new FakeSluice("t", "other")) {
            server.restartKeys("[\"kafka.acks\"]");
            add("one", 1, server, "t");
            awaitInstance("other");

            String answer = browser.post("/api/v2/instances/other/actions/restart", null)
                    .expect(200)
                    .body();

            assertThat(answer).contains("In force after a restart of the process: kafka.acks.");
        }
    }

    /** Asks for a configuration, as a server does. */
    private static void poll(String question) {
        String path = "/api/v1/config/" + question;
        HttpRequest.Builder request = admin.browser()
                .request(path)
                .header("user", "admin")
                .header("passwd", "4acfe3202a5ff5cf467898fc58aab1d615029441");
        assertThat(admin.browser().send(path, request).json().path("code").asInt())
                .isEqualTo(20_000);
    }

    /** What was saved before is not known after a start, so a server that runs instances of this one gets a reload request when it answers first. */
    @Test
    void aServerGetsAReloadRequestAfterAStart(@TempDir Path data) {
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            try (RunningAdmin before = RunningAdmin.start(data)) {
                Browser user = before.administrator();
                long id = user.post("/api/v2/servers", input("one", 1, server.url(), "t"))
                        .expect(201)
                        .json()
                        .path("id")
                        .asLong();
                createShop(user, "serverId", id);
            }
            server.calls().clear();
            try (RunningAdmin after = RunningAdmin.start(data)) {
                await().atMost(PATIENCE).until(() -> server.calls().contains("POST /api/v1/reload - "));
                assertThat(after.port()).isPositive();
            }
        }
    }

    private static String problems() {
        return browser.get("/api/v2/overview")
                .expect(200)
                .json()
                .path("problems")
                .toString();
    }

    private static long newCluster(String name) {
        return browser.post("/api/v2/clusters", "{\"name\":\"%s\",\"zkHosts\":\"zk:2181\"}".formatted(name))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    /** Saves it with one more line. */
    private static void save(String path) {
        JsonNode config = browser.get(path).expect(200).json();
        String input = JsonMapper.shared()
                .createObjectNode()
                .put("content", config.path("content").asString() + "# a line\n")
                .put("basedOn", config.path("version").asLong())
                .toString();
        browser.put(path, input).expect(200);
    }

    /** A page that is read again and again, of a server that hangs, does not take the threads that other pages need. */
    @Test
    void aServerThatHangsDoesNotHoldUpThePages() throws Exception {
        Browser viewer = browser.user("hanna", "operator");
        try (FakeSluice server = new FakeSluice("t", "slow")) {
            add("one", 1, server, "t");
            awaitInstance("slow");
            server.hang();
            HttpRequest read = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + admin.port() + "/api/v2/instances/slow/log"))
                    .header(
                            "Cookie",
                            "SLUICE_ADMIN=" + viewer.cookie("SLUICE_ADMIN").orElseThrow())
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                all.add(client.sendAsync(read, HttpResponse.BodyHandlers.ofString()));
            }
            await().atMost(PATIENCE)
                    .until(() -> all.stream()
                                    .filter(one ->
                                            one.isDone() && one.join().body().contains("too many calls wait"))
                                    .count()
                            >= 40);
            viewer.get("/api/v2/overview").expect(200);
            all.forEach(one -> one.cancel(true));
        }
    }

    @Test
    void streamsEndWithTheSession() throws Exception {
        Browser viewer = browser.user("vera", "viewer");
        BlockingQueue<String> lines = new ArrayBlockingQueue<>(1000);
        Thread reader = stream(viewer, "/api/v2/events", lines);
        await().atMost(PATIENCE).until(() -> lines.contains("event: overview"));
        try (FakeSluice server = new FakeSluice("t", "shop")) {
            add("one", 1, server, "t");
            await().atMost(PATIENCE)
                    .until(() -> lines.stream().anyMatch(line -> line.contains("\"what\":\"servers\"")));
            awaitInstance("shop");
            BlockingQueue<String> detail = new ArrayBlockingQueue<>(1000);
            Thread second = stream(viewer, "/api/v2/instances/shop/events", detail);
            await().atMost(PATIENCE).until(() -> detail.stream().anyMatch(line -> line.startsWith("data:")));
            assertThat(detail.stream().filter(line -> line.startsWith("data:")).findFirst())
                    .hasValueSatisfying(first -> assertThat(first).contains("\"grant\""));

            browser.delete("/api/v2/users/vera/sessions").expect(204);
            reader.join(PATIENCE.toMillis());
            second.join(PATIENCE.toMillis());
            assertThat(reader.isAlive() || second.isAlive()).isFalse();
        }
    }

    private static Thread stream(Browser as, String path, BlockingQueue<String> lines) {
        Thread thread = new Thread(() -> {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + path))
                    .header(
                            "Cookie",
                            "SLUICE_ADMIN=" + as.cookie("SLUICE_ADMIN").orElseThrow())
                    .build();
            try {
                HttpResponse<InputStream> response =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
                BufferedReader text =
                        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
                for (String line = text.readLine(); line != null; line = text.readLine()) {
                    lines.offer(line);
                }
            } catch (Exception e) {
                lines.offer("ended: " + e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
