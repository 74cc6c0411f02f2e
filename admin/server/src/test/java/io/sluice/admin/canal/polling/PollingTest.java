package io.sluice.admin.canal.polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.UnreadChanges;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Servers ask for their configuration, as canal's do. */
class PollingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The hash of the password admin, as it is in configurations of canal. */
    private static final String HASH = "4ACFE3202A5FF5CF467898FC58AAB1D615029441";

    private static final String INSTANCE =
            "canal.instance.master.address=127.0.0.1:3306\ncanal.instance.dbUsername=ü\ncanal.mq.topic=t\n";

    @TempDir
    static Path folder;

    private static RunningAdmin admin;
    private static Browser browser;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(folder, "sluice.admin.polling-password=admin", "sluice.admin.auto-register=true");
        browser = admin.administrator();
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    private static JsonNode ask(String path, String password) {
        HttpRequest.Builder request =
                admin.browser().request(path).header("user", "admin").header("passwd", password);
        Browser.Answer answer = admin.browser().send(path, request);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Set-Cookie")).isEmpty();
        assertThat(answer.json().propertyNames()).containsExactly("code", "message", "data");
        return answer.json();
    }

    private static JsonNode ask(String path) {
        JsonNode answer = ask(path, HASH);
        assertThat(answer.path("code").asInt()).as(answer.toString()).isEqualTo(20_000);
        return answer.path("data");
    }

    @Test
    void aStandaloneServerRegistersAndGetsItsInstances() {
        String where = "ip=10.7.7.7&port=11110";
        assertThat(ask("/api/v1/config/server_polling?register=0&md5=&" + where).isNull())
                .isTrue();

        JsonNode first = ask("/api/v1/config/server_polling?register=1&md5=&cluster=&name=node&" + where);

        assertThat(first.path("content").asString()).contains("canal.serverMode");
        assertThat(first.path("contentMd5").asString())
                .isEqualTo(ConfigStore.md5(first.path("content").asString()));
        assertThat(ask("/api/prod/config/server_polling?register=1&md5="
                                + first.path("contentMd5").asString() + "&" + where)
                        .isNull())
                .isTrue();
        JsonNode row = await().atMost(PATIENCE)
                .until(
                        () -> browser.get("/api/v2/servers?search=10.7.7.7")
                                .json()
                                .path("items")
                                .path(0),
                        JsonNode::isObject);
        assertThat(row.path("name").asString()).isEqualTo("node");
        assertThat(row.path("tcpPort").asInt()).isEqualTo(11111);
        assertThat(browser.get("/api/v2/audit").body()).contains("server.register");
        assertThat(ask("/api/v1/config/instances_polling?md5=&" + where)
                        .path("content")
                        .asString())
                .isEmpty();

        long id = row.path("id").asLong();
        create("shop", "serverId", id);
        UnreadChanges unread = admin.bean(UnreadChanges.class);
        await().atMost(PATIENCE)
                .until(
                        () -> unread.of(id).stream()
                                .map(UnreadChanges.Change::id)
                                .toList(),
                        List.of("shop")::equals);
        ask("/api/v1/config/instances_polling?md5=&" + where);
        assertThat(unread.of(id)).isEmpty();

        create("mail", "serverId", row.path("id").asLong());
        assertThat(ask("/api/v1/config/instances_polling?md5=&" + where)
                        .path("content")
                        .asString())
                .isEqualTo("mail,shop");
        JsonNode shop = ask("/api/v1/config/instance_polling/shop?md5=");
        assertThat(shop.path("content").asString()).isEqualTo(INSTANCE);
        JsonNode same = ask("/api/v1/config/instance_polling/shop?md5=" + ConfigStore.md5(INSTANCE));
        assertThat(same.path("content").isNull()).isTrue();
        assertThat(ask("/api/v1/config/instance_polling/none?md5=").isNull()).isTrue();

        browser.put("/api/v2/instances/shop", "{\"enabled\":false}").expect(200);
        assertThat(ask("/api/v1/config/instances_polling?md5=&" + where)
                        .path("content")
                        .asString())
                .isEqualTo("mail");
        assertThat(ask("/api/v1/config/instance_polling/shop?md5=").isNull()).isTrue();
    }

    @Test
    void whatIsSavedBetweenTwoRequestsOfAServerIsNotRead() {
        String where = "ip=10.7.7.9&port=11110";
        ask("/api/v1/config/server_polling?register=1&md5=&cluster=&name=between&" + where);
        JsonNode row = await().atMost(PATIENCE)
                .until(
                        () -> browser.get("/api/v2/servers?search=10.7.7.9")
                                .json()
                                .path("items")
                                .path(0),
                        JsonNode::isObject);
        long id = row.path("id").asLong();
        UnreadChanges unread = admin.bean(UnreadChanges.class);
        unread.add(id, OwnerKind.SERVER, Long.toString(id));
        ask("/api/v1/config/server_polling?md5=x&" + where);
        ask("/api/v1/config/instances_polling?md5=&" + where);
        assertThat(unread.of(id)).isEmpty();

        unread.add(id, OwnerKind.INSTANCE, "one");
        ask("/api/v1/config/server_polling?md5=x&" + where);
        unread.add(id, OwnerKind.SERVER, Long.toString(id));
        unread.add(id, OwnerKind.INSTANCE, "two");
        ask("/api/v1/config/instances_polling?md5=&" + where);

        assertThat(unread.of(id)).extracting(UnreadChanges.Change::kind).containsExactly(OwnerKind.SERVER);
    }

    @Test
    void aServerOfAClusterGetsWhatTheClusterHas() {
        assertThat(ask("/api/v1/config/server_polling?ip=10.7.7.8&port=11110&md5=&register=1&cluster=none", HASH)
                        .path("message")
                        .asString())
                .contains("no cluster of that name");
        long cluster = browser.post("/api/v2/clusters", "{\"name\":\"pair\",\"zkHosts\":\"zk:2181\"}")
                .expect(201)
                .json()
                .path("id")
                .asLong();
        create("stock", "clusterId", cluster);

        String where = "ip=10.7.7.8&port=11110";
        assertThat(ask("/api/v1/config/server_polling?md5=&register=1&cluster=pair&name=left&" + where)
                        .path("content")
                        .asString())
                .contains("zk:2181");
        assertThat(ask("/api/v1/config/instances_polling?md5=&" + where)
                        .path("content")
                        .asString())
                .isEqualTo("stock");
    }

    /** Headers and queries as canal's client sends them, on a plain socket, and all bytes of the body that it reads. */
    @Test
    void whatCanalsClientSendsIsAnsweredAsItReadsIt() throws Exception {
        long server = browser.post("/api/v2/servers", "{\"name\":\"raw\",\"ip\":\"10.7.7.10\",\"adminPort\":11110}")
                .expect(201)
                .json()
                .path("id")
                .asLong();
        String text = browser.get("/api/v2/servers/" + server + "/config")
                .expect(200)
                .json()
                .path("content")
                .asString();
        String query = "ip=10.7.7.10&port=11110&md5=%s&register=0&cluster=&name=raw";

        String first = talk("/api/v1/config/server_polling?" + query.formatted(""), HASH.toLowerCase(Locale.ROOT));
        assertThat(first).startsWith("HTTP/1.1 200").containsIgnoringCase("\r\ncontent-type: application/json");
        JsonNode data = JsonMapper.shared().readTree(first.substring(first.indexOf("\r\n\r\n") + 4));
        assertThat(data.path("code").asInt()).isEqualTo(20_000);
        assertThat(data.path("message").isNull()).isTrue();
        assertThat(data.path("data").path("content").asString()).isEqualTo(text);
        assertThat(data.path("data").path("status").asString()).isEqualTo("1");
        assertThat(data.path("data").path("contentMd5").asString()).isEqualTo(md5(text));

        // The server computes the hash of what it has got, and asks with that from then on.
        assertThat(body("/api/v1/config/server_polling?" + query.formatted(md5(text))))
                .isEqualTo("{\"code\":20000,\"message\":null,\"data\":null}");
        create("raw-u", "serverId", server);
        assertThat(body("/api/v1/config/instances_polling?md5=&ip=10.7.7.10&port=11110"))
                .isEqualTo("{\"code\":20000,\"message\":null,\"data\":{\"id\":null,\"name\":\"\",\"content\":\"raw-u\","
                        + "\"contentMd5\":\"" + md5("raw-u") + "\",\"status\":\"1\"}}");
        JsonNode instance = JsonMapper.shared()
                .readTree(body("/api/v1/config/instance_polling/raw-u?md5="))
                .path("data");
        assertThat(instance.path("content").asString()).isEqualTo(INSTANCE);
        assertThat(body("/api/v1/config/instance_polling/raw-u?md5=" + md5(INSTANCE)))
                .contains("\"content\":null");

        // Saved: the old hash gets the new text, the new one nothing.
        browser.put(
                        "/api/v2/servers/" + server + "/config",
                        JsonMapper.shared()
                                .createObjectNode()
                                .put("content", text + "# größer\n")
                                .put("basedOn", 1)
                                .toString())
                .expect(200);
        assertThat(body("/api/v1/config/server_polling?" + query.formatted(md5(text))))
                .contains("# größer");
        assertThat(body("/api/v1/config/server_polling?" + query.formatted(md5(text + "# größer\n"))))
                .endsWith("\"data\":null}");
        assertThat(talk("/api/v1/config/server_polling?" + query.formatted(""), "wrong"))
                .startsWith("HTTP/1.1 200")
                .contains("\"code\":40001", "\"data\":null");
    }

    private static String md5(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String body(String path) throws Exception {
        String answer = talk(path, HASH.toLowerCase(Locale.ROOT));
        assertThat(answer).startsWith("HTTP/1.1 200");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String talk(String path, String password) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.0\r\nuser: admin\r\npasswd: " + password + "\r\nHost: 127.0.0.1:"
                                    + admin.port()
                                    + "\r\nUser-Agent: Apache-HttpClient/4.5.1 (Java/1.8.0_302)\r\n"
                                    + "Accept-Encoding: gzip,deflate\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void create(String name, String owner, long id) {
        browser.post(
                        "/api/v2/instances",
                        "{\"name\":\"%s\",\"%s\":%d,\"content\":\"%s\"}"
                                .formatted(name, owner, id, INSTANCE.replace("\n", "\\n")))
                .expect(201);
    }

    @Test
    void othersGetNothing() {
        for (String password : new String[] {"", "admin", "0000000000000000000000000000000000000000"}) {
            JsonNode answer = ask("/api/v1/config/server_polling?ip=10.7.7.7&port=11110&md5=", password);
            assertThat(answer.path("code").asInt()).isEqualTo(40_001);
            assertThat(answer.path("data").isNull()).isTrue();
        }
        assertThat(ask("/api/v1/config/server_polling?ip=x&port=no&md5=", HASH)
                        .path("code")
                        .asInt())
                .isEqualTo(50_000);
        // The way past the session leads nowhere else.
        for (String path : new String[] {
            "/api/v2/config/keys",
            "/api/v1/config/server_polling/../keys",
            "/api/v1/config/other_polling",
            "/api/v1/overview"
        }) {
            assertThat(admin.browser().send(path, admin.browser().request(path)).status())
                    .isIn(400, 401, 404);
        }
        browser.post("/api/v1/config/server_polling", "{}");
        assertThat(browser.send(
                                "post",
                                browser.request("/api/v1/config/server_polling")
                                        .POST(HttpRequest.BodyPublishers.noBody()))
                        .status())
                .isGreaterThanOrEqualTo(400);
    }
}
