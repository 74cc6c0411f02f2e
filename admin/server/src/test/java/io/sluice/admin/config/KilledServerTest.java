package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.AdminProcess;
import io.sluice.admin.Browser;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The server is killed while configurations are saved: none is half saved, and none is lost after its answer. */
class KilledServerTest {
    private static final int KILLS = Integer.getInteger("sluice.admin.kills", 2);
    private static final int EDITORS = 2;

    @TempDir
    Path data;

    /** Saves one configuration after the other, until the server is gone. */
    private static final class Editor {
        private final Browser browser;
        private final String path;
        private final AtomicInteger answered = new AtomicInteger();
        private long version;
        private String content;
        private String attempt = "";

        Editor(Browser browser, String path) {
            this.browser = browser;
            this.path = path;
            JsonNode config = browser.get(path).expect(200).json();
            this.version = config.path("version").asLong();
            this.content = config.path("content").asString();
        }

        void run() {
            try {
                while (true) {
                    attempt = "canal.serverMode = stdout\n# after version " + version + "\n";
                    JsonNode saved = browser.put(path, ConfigTest.input(attempt, version))
                            .expect(200)
                            .json();
                    version = saved.path("version").asLong();
                    content = attempt;
                    answered.incrementAndGet();
                }
            } catch (UncheckedIOException e) {
                // the server was killed
            }
        }

        /** Compares what is there with what was answered. */
        void check() {
            JsonNode config = browser.get(path).expect(200).json();
            long now = config.path("version").asLong();
            assertThat(now).as(path).isBetween(version, version + 1); // the last answer may be lost, not the save
            assertThat(config.path("content").asString()).isEqualTo(now == version ? content : attempt);
            assertThat(config.path("md5").asString())
                    .isEqualTo(ConfigStore.md5(config.path("content").asString()));
            version = now;
            content = config.path("content").asString();
        }
    }

    @Test
    void nothingIsHalfSavedOrLost() throws Exception {
        Random random = new Random(7);
        int saved = 0;
        try (AdminProcess process = AdminProcess.at(data)) {
            process.start();
            Browser administrator = process.administrator();
            Editor[] editors = new Editor[EDITORS];
            for (int i = 0; i < EDITORS; i++) {
                long id = administrator
                        .post("/api/v2/clusters", "{\"name\": \"c" + i + "\", \"zkHosts\": \"zk:2181\"}")
                        .expect(201)
                        .json()
                        .path("id")
                        .asLong();
                editors[i] = new Editor(administrator, "/api/v2/clusters/" + id + "/config");
            }
            for (int kill = 0; kill < KILLS; kill++) {
                Thread[] threads = new Thread[EDITORS];
                for (int i = 0; i < EDITORS; i++) {
                    editors[i].answered.set(0);
                    threads[i] = new Thread(editors[i]::run, "editor-" + i);
                    threads[i].start();
                }
                Editor first = editors[0];
                await().pollInterval(Duration.ofMillis(2))
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> first.answered.get() >= 2);
                LockSupport.parkNanos(random.nextInt(100_000_000)); // a moment of its own for each kill
                process.kill();
                for (Thread thread : threads) {
                    thread.join();
                }
                process.start(); // the session has survived, too
                for (Editor editor : editors) {
                    saved += editor.answered.get();
                    editor.check();
                }
            }
            process.kill();
        }
        checkTables();
        assertThat(saved).isGreaterThanOrEqualTo(2 * KILLS);
        System.out.println("kills " + KILLS + ", saved " + saved);
    }

    private void checkTables() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("admin.db"));
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "SELECT count(*) FROM sluice_config_version WHERE user_name = '(database)'"))
                    .as("versions that canal's table had alone")
                    .isZero();
            assertThat(number(statement, """
                            SELECT count(*) FROM canal_config c WHERE NOT EXISTS (
                                SELECT 1 FROM sluice_config_version v WHERE v.owner_kind = 'cluster' AND v.owner_id = c.cluster_id
                                    AND v.content = c.content AND v.md5 = c.content_md5
                                    AND v.version = (SELECT max(version) FROM sluice_config_version m WHERE m.owner_id = v.owner_id))""")).isZero();
            Set<Long> counts = new HashSet<>();
            counts.add(number(statement, "SELECT count(*) FROM sluice_config_version"));
            counts.add(number(
                    statement, "SELECT count(*) FROM sluice_audit WHERE action IN ('config.save', 'config.create')"));
            counts.add(number(
                    statement,
                    "SELECT sum(m) FROM (SELECT max(version) AS m FROM sluice_config_version GROUP BY owner_id)"));
            assertThat(counts).as("versions, audit entries, highest versions").hasSize(1);
            assertThat(integrity(statement)).isEqualTo("ok");
        }
    }

    private static long number(Statement statement, String sql) throws Exception {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.getLong(1);
        }
    }

    private static String integrity(Statement statement) throws Exception {
        try (ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
            return rows.getString(1);
        }
    }
}
