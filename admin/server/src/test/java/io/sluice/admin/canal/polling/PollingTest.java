package io.sluice.admin.canal.polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.config.ConfigStore;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Servers ask for their configuration, as canal's do. */
class PollingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

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

        create("shop", "serverId", row.path("id").asLong());
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
