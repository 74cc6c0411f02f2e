package io.sluice.admin.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A thousand instances on fifty servers, some of which hang. */
class ScaleTest {
    private static final int SERVERS = 50;
    private static final int INSTANCES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Tag("thorough")
    @Test
    void aThousandInstancesNeedFewThreads() {
        List<FakeSluice> servers = new ArrayList<>();
        try (RunningAdmin admin = RunningAdmin.start(folder)) {
            Browser browser = admin.administrator();
            long threadsBefore = fleetThreads();
            for (int i = 0; i < SERVERS; i++) {
                FakeSluice server = FakeSluice.numbered("t", i, INSTANCES);
                servers.add(server);
                browser.post(
                                "/api/v2/servers",
                                JsonMapper.shared()
                                        .createObjectNode()
                                        .put("name", "server-" + i)
                                        .put("ip", "127.0.0.1")
                                        .put("adminPort", 1 + i)
                                        .put("controlUrl", server.url())
                                        .put("controlToken", "t")
                                        .toString())
                        .expect(201);
            }
            awaitRunning(browser, SERVERS * INSTANCES);

            long begin = System.nanoTime();
            JsonNode page = browser.get("/api/v2/instances?size=50&page=20&sort=name")
                    .expect(200)
                    .json();
            System.out.printf(
                    "a page of %d instances took %d ms%n",
                    page.path("total").asInt(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            assertThat(page.path("items").size()).isEqualTo(50);
            assertThat(page.path("items").path(49).path("name").asString()).isEqualTo("instance-49-19");
            assertThat(browser.get("/api/v2/servers?size=50")
                            .json()
                            .path("items")
                            .size())
                    .isEqualTo(SERVERS);
            assertThat(browser.get("/api/v2/overview")
                            .json()
                            .path("rowsPerSecond")
                            .asInt())
                    .isEqualTo(7 * SERVERS * INSTANCES);
            assertThat(fleetThreads() - threadsBefore).isLessThan(20);
            // One connection for each, shared by all open pages.
            assertThat(servers)
                    .allSatisfy(server -> assertThat(server.connections()).isLessThanOrEqualTo(2));

            // Servers that hang hold up neither the others nor the pages.
            servers.subList(0, 10).forEach(FakeSluice::hang);
            await().atMost(PATIENCE)
                    .until(() -> browser.get("/api/v2/overview")
                                    .json()
                                    .path("servers")
                                    .path("unreachable")
                                    .asInt()
                            == 10);
            awaitRunning(browser, (SERVERS - 10) * INSTANCES);
        } finally {
            servers.forEach(FakeSluice::close);
        }
    }

    private static void awaitRunning(Browser browser, int count) {
        await().atMost(PATIENCE)
                .until(() -> browser.get("/api/v2/overview")
                                .json()
                                .path("instances")
                                .path("running")
                                .asInt()
                        == count);
    }

    private static long fleetThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fleet-"))
                .count();
    }
}
