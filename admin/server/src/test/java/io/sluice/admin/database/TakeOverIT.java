package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.InstanceStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.fleet.stream.BrowserStreams;
import io.sluice.admin.problem.StartProblem;
import io.sluice.admin.retention.Retention;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The database of a canal-admin is taken over as it is. */
class TakeOverIT {
    @TempDir
    Path data;

    private static void installCanalAdmin(MySqlServer mysql) {
        mysql.execute(
                "CREATE DATABASE canal_manager DEFAULT CHARACTER SET utf8 COLLATE utf8_bin",
                "USE canal_manager",
                """
                CREATE TABLE canal_adapter_config (id bigint NOT NULL AUTO_INCREMENT, category varchar(45) NOT NULL, name varchar(45) NOT NULL,
                    status varchar(45), content text NOT NULL, modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (id))
                    ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                """
                CREATE TABLE canal_cluster (id bigint NOT NULL AUTO_INCREMENT, name varchar(63) NOT NULL, zk_hosts varchar(255) NOT NULL,
                    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id))
                    ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                """
                CREATE TABLE canal_config (id bigint NOT NULL AUTO_INCREMENT, cluster_id bigint, server_id bigint, name varchar(45) NOT NULL,
                    status varchar(45), content text NOT NULL, content_md5 varchar(128) NOT NULL,
                    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id),
                    UNIQUE KEY sid_UNIQUE (server_id)) ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                """
                CREATE TABLE canal_instance_config (id bigint NOT NULL AUTO_INCREMENT, cluster_id bigint, server_id bigint,
                    name varchar(45) NOT NULL, status varchar(45), content text NOT NULL, content_md5 varchar(128),
                    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id),
                    UNIQUE KEY name_UNIQUE (name)) ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                """
                CREATE TABLE canal_node_server (id bigint NOT NULL AUTO_INCREMENT, cluster_id bigint, name varchar(63) NOT NULL,
                    ip varchar(63) NOT NULL, admin_port int, tcp_port int, metric_port int, status varchar(45),
                    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id))
                    ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                """
                CREATE TABLE canal_user (id bigint NOT NULL AUTO_INCREMENT, username varchar(31) NOT NULL, password varchar(128) NOT NULL,
                    name varchar(31) NOT NULL, roles varchar(31) NOT NULL, introduction varchar(255), avatar varchar(255),
                    creation_date timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id))
                    ENGINE=InnoDB DEFAULT CHARSET=utf8""",
                // SHA1(SHA1('123456')), and another user's password
                "INSERT INTO canal_user (username, password, name, roles) VALUES"
                        + " ('admin', upper(sha1(unhex(sha1('123456')))), 'Canal Manager', 'admin'),"
                        + " ('wang', sha1(unhex(sha1('abcdef'))), 'Wang', 'admin')",
                "INSERT INTO canal_cluster (id, name, zk_hosts, modified_time) VALUES (3, 'prod', 'zk1:2181', '2024-02-03 04:05:06')",
                "INSERT INTO canal_node_server (id, cluster_id, name, ip, admin_port, tcp_port, metric_port) VALUES"
                        + " (1, NULL, 'alone', '10.0.0.1', 11110, 11111, 11112), (2, 3, 'one', '10.0.0.2', 11110, 11111, 11112)",
                "INSERT INTO canal_config (cluster_id, server_id, name, content, content_md5) VALUES"
                        + " (3, NULL, 'canal.properties', 'canal.serverMode = stdout', 'of-old'),"
                        + " (NULL, 1, 'canal.properties', 'canal.serverMode = stdout', md5('canal.serverMode = stdout'))",
                "INSERT INTO canal_instance_config (cluster_id, server_id, name, status, content) VALUES"
                        + " (3, NULL, 'shop', '1', 'canal.instance.master.address = db:3306\\n'), (NULL, 1, 'till', '0', '')");
    }

    @Test
    void takesItOver() {
        takesItOverFrom(ServerRelease.MYSQL_8_0_31);
    }

    @Tag("thorough")
    @Test
    void takesItOverFromAnOldServer() {
        takesItOverFrom(ServerRelease.MYSQL_5_7_22);
    }

    private void takesItOverFrom(ServerRelease release) {
        try (MySqlServer mysql = MySqlServer.start(release)) {
            installCanalAdmin(mysql);
            String[] properties = {
                "sluice.database.url=jdbc:mysql://" + mysql.host() + ":" + mysql.port()
                        + "/canal_manager?sslMode=disable&useUnicode=true",
                "sluice.database.user=sluice",
                "sluice.database.password=secret",
                "sluice.admin.polling-password=admin",
                "sluice.admin.auto-register=true"
            };
            aMigrationThatFailsIsCompletedLater(mysql, properties);
            try (RunningAdmin admin = RunningAdmin.start(data, properties)) {
                usersLogInAsBefore(admin);
                configurationsHaveTheirFirstVersion(admin);
                whatDoesNotFitIntoUtf8IsSaved(admin, mysql);
                whatIsDoneAtTheSameTimeIsDoneOnce(admin, mysql);
                anAdministratorStays(admin);
                streamsEndWithTheirSession(admin);
                oldVersionsAreDeleted(admin);
            }
            assertThat(data.resolve("initial-password")).doesNotExist();
            assertThat(data.resolve("admin.db")).doesNotExist();
            try (RunningAdmin again = RunningAdmin.start(data, properties)) {
                again.browser().login("wang", "abcdef");
                again.browser().login("admin", Browser.PASSWORD);
                assertThat(again.bean(InstanceStore.class).all()).hasSize(2);
                assertThat(mysql.query("SELECT count(*) FROM canal_manager.canal_user"))
                        .isEqualTo("2");
                aDatabaseThatIsGoneIsReported(again, mysql);
            }
        }
    }

    /** The account does not have all rights; MySQL keeps the tables that were created before the statement that needs the missing one. */
    private void aMigrationThatFailsIsCompletedLater(MySqlServer mysql, String... properties) {
        mysql.execute(
                "CREATE USER sluice@'%' IDENTIFIED WITH mysql_native_password BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON canal_manager.* TO sluice@'%'");
        sessionsOfAnotherApplicationAreNotShared(mysql, properties);
        for (int start = 1; start <= 2; start++) {
            assertThatThrownBy(() -> RunningAdmin.start(data, properties).close())
                    .as("start %d", start)
                    .rootCause()
                    .isInstanceOf(StartProblem.class)
                    .hasMessageContaining("REFERENCES command denied to user 'sluice'@");
        }
        mysql.execute(
                "DELETE FROM canal_manager.sluice_schema_version WHERE version = '2'", // as if the process had been
                // killed
                "GRANT REFERENCES ON canal_manager.* TO sluice@'%'");
    }

    private void sessionsOfAnotherApplicationAreNotShared(MySqlServer mysql, String... properties) {
        mysql.execute(
                "CREATE TABLE canal_manager.SPRING_SESSION (PRIMARY_ID char(36) NOT NULL PRIMARY KEY, SESSION_ID char(36) NOT NULL,"
                        + " CREATION_TIME bigint NOT NULL, LAST_ACCESS_TIME bigint NOT NULL, MAX_INACTIVE_INTERVAL int NOT NULL,"
                        + " EXPIRY_TIME bigint NOT NULL, PRINCIPAL_NAME varchar(100))");

        assertThatThrownBy(() -> RunningAdmin.start(data, properties).close())
                .rootCause()
                .isInstanceOf(StartProblem.class)
                .hasMessageContaining("SPRING_SESSION_ATTRIBUTES of another application");

        mysql.execute("DROP TABLE canal_manager.SPRING_SESSION");
    }

    private static void usersLogInAsBefore(RunningAdmin admin) {
        Browser wang = admin.browser();
        wang.tryLogin("wang", "123456").expect(401);
        wang.login("wang", "abcdef");
        JsonNode session = wang.get("/api/v2/session").expect(200).json();
        assertThat(session.path("role").asString()).isEqualTo("administrator");
        assertThat(session.path("mustChangePassword").asBoolean()).isFalse();
        assertThat(admin.bean(JdbcClient.class)
                        .sql("SELECT password_hash FROM sluice_user WHERE name = 'wang'")
                        .query(String.class)
                        .single())
                .startsWith("{bcrypt}");
        Browser first = admin.browser();
        first.login("admin", "123456");
        first.get("/api/v2/clusters").expect(403);
        first.put(
                        "/api/v2/session/password",
                        "{\"oldPassword\": \"123456\", \"newPassword\": \"%s\"}".formatted(Browser.PASSWORD))
                .expect(204);
        first.get("/api/v2/clusters").expect(200);
    }

    private static void configurationsHaveTheirFirstVersion(RunningAdmin admin) {
        Browser wang = admin.browser();
        wang.login("wang", "abcdef");
        JsonNode cluster = wang.get("/api/v2/clusters/3").expect(200).json();
        assertThat(cluster.path("servers").asInt()).isEqualTo(1);
        assertThat(cluster.path("modified").asString()).isEqualTo("2024-02-03T04:05:06Z");
        JsonNode config = wang.get("/api/v2/clusters/3/config").expect(200).json();
        assertThat(config.path("version").asInt()).isEqualTo(1);
        assertThat(config.path("md5").asString()).isEqualTo(ConfigStore.md5("canal.serverMode = stdout"));
        wang.get("/api/v2/servers/1/config/history").expect(200);
        ConfigStore store = admin.bean(ConfigStore.class);
        assertThat(store.enabledInstances(Owner.cluster(3))).containsExactly("shop");
        assertThat(store.enabledInstances(Owner.server(1))).isEmpty();
        assertThat(store.enabledInstance("SHOP")).isEmpty();
    }

    private static void whatDoesNotFitIntoUtf8IsSaved(RunningAdmin admin, MySqlServer mysql) {
        Browser wang = admin.browser();
        wang.login("wang", "abcdef");
        String content = "canal.serverMode = stdout\n# \uD83D\uDE00 " + "x".repeat(100_000) + "\n";
        String input = JsonMapper.shared()
                .createObjectNode()
                .put("content", content)
                .put("basedOn", 1)
                .toString();
        JsonNode saved =
                wang.put("/api/v2/clusters/3/config", input).expect(200).json();
        assertThat(saved.path("version").asInt()).isEqualTo(2);
        assertThat(mysql.query("SELECT content_md5 FROM canal_manager.canal_config WHERE cluster_id = 3"))
                .isEqualTo(saved.path("md5").asString());
        assertThat(mysql.query("SELECT md5(content) FROM canal_manager.canal_config WHERE cluster_id = 3"))
                .isEqualTo(saved.path("md5").asString());
        wang.put("/api/v2/clusters/3/config", input).expect(409);
    }

    /** The answers of several callers that do the same at the same time. */
    private static List<Integer> atTheSameTime(int callers, IntFunction<Integer> call) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : threads.invokeAll(IntStream.range(0, callers)
                    .<Callable<Integer>>mapToObj(i -> () -> call.apply(i))
                    .toList())) {
                statuses.add(answer.get());
            }
            return statuses;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        } finally {
            threads.shutdown();
        }
    }

    private static void whatIsDoneAtTheSameTimeIsDoneOnce(RunningAdmin admin, MySqlServer mysql) {
        Browser wang = admin.browser();
        wang.login("wang", "abcdef");
        List<Integer> saves = atTheSameTime(
                6,
                i -> wang.put(
                                "/api/v2/clusters/3/config",
                                "{\"content\": \"canal.serverMode = stdout\\n# %d\", \"basedOn\": 2}".formatted(i))
                        .status());
        assertThat(saves).containsOnlyOnce(200).containsOnly(200, 409);
        assertThat(wang.get("/api/v2/clusters/3/config").json().path("version").asInt())
                .isEqualTo(3);
        atTheSameTime(
                6,
                i -> admin.browser()
                        .send(
                                "register",
                                admin.browser()
                                        .request(
                                                "/api/v1/config/server_polling?ip=10.0.0.9&port=11110&md5=&register=1&cluster=prod&name=n")
                                        .header("user", "admin")
                                        .header("passwd", "4acfe3202a5ff5cf467898fc58aab1d615029441"))
                        .expect(200)
                        .status());
        assertThat(mysql.query("SELECT count(*) FROM canal_manager.canal_node_server WHERE ip = '10.0.0.9'"))
                .isEqualTo("1");
    }

    private static void aDatabaseThatIsGoneIsReported(RunningAdmin admin, MySqlServer mysql) {
        Browser wang = admin.browser();
        wang.login("wang", "abcdef");
        mysql.kill();
        assertThat(wang.get("/api/v2/clusters").expect(503).body()).contains("unreachable");
        assertThat(admin.browser().tryLogin("wang", "abcdef").expect(503).body())
                .contains("Nothing was changed");
        Browser.Answer polled = admin.browser()
                .send(
                        "poll",
                        admin.browser()
                                .request("/api/v1/config/server_polling?ip=10.0.0.2&port=11110&md5=")
                                .header("user", "admin")
                                .header("passwd", "4acfe3202a5ff5cf467898fc58aab1d615029441"));
        assertThat(polled.expect(200).json().path("code").asInt())
                .isEqualTo(50_000); // and the server keeps what it has

        mysql.restart();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> wang.get("/api/v2/clusters").status() == 200);
    }

    /** Two administrators take each other's role away. */
    private static void anAdministratorStays(RunningAdmin admin) {
        Browser[] browsers = {admin.browser(), admin.browser()};
        String[] names = {"admin", "wang"};
        browsers[0].login("admin", Browser.PASSWORD);
        browsers[1].login("wang", "abcdef");
        for (int round = 0; round < 5; round++) {
            List<Integer> answers = atTheSameTime(
                    2, i -> role(browsers[i], names[1 - i], "viewer").status());
            assertThat(answers).as("round %d", round).contains(200).containsAnyOf(403, 409, 503);
            int left = answers.indexOf(200);
            role(browsers[left], names[1 - left], "administrator").expect(200);
        }
    }

    private static Browser.Answer role(Browser as, String user, String role) {
        return as.put("/api/v2/users/" + user, "{\"displayName\": \"x\", \"role\": \"%s\"}".formatted(role));
    }

    private static void streamsEndWithTheirSession(RunningAdmin admin) {
        Browser wang = admin.browser();
        wang.login("wang", "abcdef");
        BrowserStreams streams = admin.bean(BrowserStreams.class);
        CompletableFuture<HttpResponse<InputStream>> events = HttpClient.newHttpClient()
                .sendAsync(
                        wang.request("/api/v2/events")
                                .header(
                                        "Cookie",
                                        "SLUICE_ADMIN="
                                                + wang.cookie("SLUICE_ADMIN").orElseThrow())
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        await().atMost(Duration.ofSeconds(90)).until(() -> streams.size() == 1);
        streams.check();
        assertThat(streams.size()).isEqualTo(1);

        admin.bean(JdbcClient.class).sql("DELETE FROM SPRING_SESSION").update();
        streams.check();

        await().atMost(Duration.ofSeconds(90)).until(() -> streams.size() == 0);
        assertThat(events).succeedsWithin(Duration.ofSeconds(90));
    }

    private static void oldVersionsAreDeleted(RunningAdmin admin) {
        JdbcClient database = admin.bean(JdbcClient.class);
        for (int version = 1; version <= 130; version++) {
            database.sql("""
                            INSERT INTO sluice_config_version
                                (owner_kind, owner_id, version, content, md5, user_name, saved_at)
                            VALUES ('instance', 4711, ?, '', '', 'x', 1)""").param(version).update();
        }
        assertThat(admin.bean(Retention.class).deleteOld().versions()).isEqualTo(30);
        assertThat(database.sql("SELECT min(version) FROM sluice_config_version WHERE owner_id = 4711")
                        .query(Long.class)
                        .single())
                .isEqualTo(31);
    }
}
