package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.fleet.FakeSluice;
import io.sluice.admin.notice.ChangeNotice;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A disk that is full or read-only: what runs can be seen, nothing is half changed, and all is well again after it. */
class UnusableDatabaseTest {
    @TempDir
    static Path data;

    private static RunningAdmin admin;
    private static Browser administrator;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(data);
        administrator = admin.administrator();
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    private static long cluster(String name) {
        return administrator
                .post("/api/v2/clusters", "{\"name\": \"%s\", \"zkHosts\": \"zk:2181\"}".formatted(name))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    private static String input(String content, long basedOn) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("content", content)
                .put("basedOn", basedOn)
                .toString();
    }

    /** Sets something of the one connection that there is. */
    private static void pragma(String text) {
        admin.bean(JdbcTemplate.class).execute("PRAGMA " + text);
    }

    private static long count(String sql) {
        return admin.bean(JdbcClient.class).sql(sql).query(Long.class).single();
    }

    @Test
    void whatRunsIsSeenWhileNothingCanBeWritten() {
        String path = "/api/v2/clusters/" + cluster("one") + "/config";
        pragma("query_only = true");
        try {
            for (String read : new String[] {"/api/v2/clusters", "/api/v2/overview", "/api/v2/session", path}) {
                administrator.get(read).expect(200);
            }
            assertThat(administrator
                            .put(path, input("canal.serverMode = stdout\n", 1))
                            .expect(503)
                            .body())
                    .contains("Nothing was changed", "read-only");
            admin.browser().tryLogin("admin", Browser.PASSWORD).expect(503);
        } finally {
            pragma("query_only = false");
        }
        assertThat(administrator.get(path).json().path("version").asLong()).isEqualTo(1);
        administrator.put(path, input("canal.serverMode = stdout\n", 1)).expect(200);
    }

    /** What a server does cannot be undone by the database, so the entry comes first. */
    @Test
    void anActionThatCannotBeRecordedIsNotCarriedOut() {
        try (FakeSluice server = serverWith("unrecorded")) {
            pragma("query_only = true");
            try {
                assertThat(administrator
                                .call("POST", "/api/v2/instances/unrecorded/actions/stop", null)
                                .expect(503)
                                .body())
                        .contains("Nothing was changed");
            } finally {
                pragma("query_only = false");
            }
            assertThat(server.calls()).noneMatch(call -> call.contains("/stop"));
        }
    }

    @Test
    void anActionWhoseOutcomeCannotBeRecordedIsAnsweredAsItEnded() {
        try (FakeSluice server = serverWith("half")) {
            server.onCall(call -> {
                if (call.startsWith("POST")) {
                    pragma("query_only = true");
                }
            });
            try {
                assertThat(administrator
                                .call("POST", "/api/v2/instances/half/actions/stop", null)
                                .expect(200)
                                .body())
                        .contains("\"changed\":true", "the audit log has only that it was asked for");
                pragma("query_only = false");
                assertThat(administrator
                                .post("/api/v2/instances/half/pause", "{}")
                                .expect(409)
                                .body())
                        .contains("it is behind that");
            } finally {
                pragma("query_only = false");
            }
            assertThat(admin.bean(JdbcClient.class)
                            .sql(
                                    "SELECT action || ' ' || outcome FROM sluice_audit WHERE target = 'instance half' ORDER BY id")
                            .query(String.class)
                            .list())
                    .containsExactly("instance.stop begun", "instance.pause begun");
        }
    }

    /** A server of that name that runs an instance of that name, and answers. */
    private static FakeSluice serverWith(String name) {
        FakeSluice server = new FakeSluice("t", name);
        administrator
                .post(
                        "/api/v2/servers",
                        "{\"name\":\"%s\",\"ip\":\"127.0.0.1\",\"adminPort\":%d,\"controlUrl\":\"%s\",\"controlToken\":\"t\"}"
                                .formatted(name, 1000 + name.length(), server.url()))
                .expect(201);
        await().atMost(Duration.ofSeconds(90))
                .until(() -> administrator.get("/api/v2/instances/" + name).status() == 200);
        return server;
    }

    @Test
    void whatWasChangedAndCannotBeReadIsNotReportedAsMissing() {
        long cluster = cluster("three");
        String input =
                "{\"name\":\"unread\",\"clusterId\":%d,\"content\":\"canal.instance.master.address=h:1\\ncanal.instance.dbUsername=u\\ncanal.mq.topic=t\"}";
        ApplicationEventMulticaster events = admin.bean(ApplicationEventMulticaster.class);
        Unreadable unreadable = new Unreadable();
        events.addApplicationListener(unreadable);
        try {
            assertThat(administrator
                            .post("/api/v2/instances", input.formatted(cluster))
                            .expect(503)
                            .body())
                    .contains("It was changed, but cannot be shown yet");
        } finally {
            events.removeApplicationListener(unreadable);
            admin.bean(JdbcTemplate.class).execute("ALTER TABLE away RENAME TO sluice_server_access");
        }
    }

    /** Makes servers unreadable as soon as an instance was changed, before the change is read. */
    private static final class Unreadable
            implements ApplicationListener<PayloadApplicationEvent<ChangeNotice>>, Ordered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<ChangeNotice> event) {
            if (count("SELECT count(*) FROM sqlite_master WHERE name = 'away'") == 0) {
                admin.bean(JdbcTemplate.class).execute("ALTER TABLE sluice_server_access RENAME TO away");
            }
        }
    }

    @Test
    void aFullDiskHalfSavesNothing() {
        String path = "/api/v2/clusters/" + cluster("two") + "/config";
        JsonNode before = administrator.get(path).expect(200).json();
        long entries = count("SELECT count(*) FROM sluice_audit");
        pragma("max_page_count = " + (count("PRAGMA page_count") + 20));
        try {
            String large = "canal.serverMode = stdout\n#" + "x".repeat(100_000) + "\n";
            assertThat(administrator.put(path, input(large, 1)).expect(503).body())
                    .contains("Nothing was changed", "full");
        } finally {
            pragma("max_page_count = 1000000");
        }
        assertThat(administrator.get(path).expect(200).json()).isEqualTo(before);
        assertThat(count("SELECT count(*) FROM sluice_audit")).isEqualTo(entries);
        assertThat(count("SELECT count(*) FROM sluice_config_version WHERE length(content) > 100000"))
                .isZero();
        administrator.put(path, input("canal.serverMode = stdout\n", 1)).expect(200);
    }
}
