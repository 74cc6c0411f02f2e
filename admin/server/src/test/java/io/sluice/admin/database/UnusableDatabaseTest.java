package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
