package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.zookeeper.example.FollowChanges;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.RunningZooKeeper;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import io.sluice.testkit.zookeeper.ZooKeeperRelease;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Instances that wait for their first client. */
@Timeout(600)
class LazyInstanceIT {
    private static final Map<String, String> LAZY = Map.of("canal.instance.global.lazy", "true");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create schema lazy", "create table lazy.t (id int primary key)");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void startsWithItsFirstClient() throws Exception {
        try (PulledServer server = new PulledServer(mysql, LAZY)) {
            server.start();
            assertThat(server.server().instances()).isEmpty();
            try (CanalClient client = CanalClient.java(server.target())) {
                client.connect();
                client.subscribe("lazy\\..*");
                mysql.execute("insert into lazy.t values (1)");
                await().atMost(PATIENCE).until(() -> client.get(10, 100).batchId() > 0);
            }
            assertThat(server.server().instances()).hasSize(1);
        }
    }

    @Test
    void startsWhenAReloadMakesItNotLazyAnyMore() throws Exception {
        try (PulledServer server = new PulledServer(mysql, LAZY)) {
            server.start();

            assertThat(server.reload("canal.instance.global.lazy", "false").changed())
                    .containsExactly(PulledServer.DESTINATION);

            assertThat(server.server().instances()).hasSize(1);
            try (CanalClient client = CanalClient.java(server.target())) {
                client.connect();
                client.subscribe("lazy\\..*");
            }
        }
    }

    @Test
    void aClientIsRefusedAndDoesNotWaitWhileTheCursorIsMoved() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch moved = new CountDownLatch(1);
        try (PulledServer server = new PulledServer(mysql, LAZY)) {
            server.start();
            Thread mover =
                    new Thread(() -> server.server().operations().whileStopped(PulledServer.DESTINATION, next -> () -> {
                        begun.countDown();
                        awaitUninterruptibly(moved);
                    }));
            mover.start();
            begun.await();
            try (CanalClient client = CanalClient.java(server.target())) {
                client.connect();
                assertThatThrownBy(() -> client.subscribe("lazy\\..*")).hasMessageContaining("should start first");
            } finally {
                moved.countDown();
            }
            mover.join();
            try (CanalClient client = CanalClient.java(server.target())) {
                client.connect();
                client.subscribe("lazy\\..*");
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** canal's client connects to any candidate if no server is active, and thereby starts it. */
    @Test
    void amongSeveralServersAClientFindsACandidateAndStartsIt() throws Exception {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            Map<String, String> settings = new HashMap<>(LAZY);
            settings.put("canal.zkServers", zooKeeper.connectString());
            settings.put("canal.port", Integer.toString(FreePorts.next()));
            settings.put("canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
            String destination = "/otter/canal/destinations/" + PulledServer.DESTINATION;
            try (PulledServer server = new PulledServer(mysql, settings)) {
                server.start();
                await().atMost(PATIENCE).until(() -> zooKeeper.children(destination + "/cluster") == 1);
                assertThat(zooKeeper.text(destination + "/running")).isNull();

                try (CanalClient client = CanalClient.java(
                        CanalClient.Target.zooKeeper(zooKeeper.connectString(), PulledServer.DESTINATION))) {
                    await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                        client.connect();
                        client.subscribe("lazy\\..*");
                        return true;
                    });
                    assertThat(zooKeeper.text(destination + "/running")).contains("\"active\":true");
                    mysql.execute("insert into lazy.t values (2)");
                    await().atMost(PATIENCE).until(() -> client.get(10, 100).batchId() > 0);
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(zooKeeper.text(destination + "/1001/filter"))
                                    .isEqualTo("lazy\\..*"));
                }
            }
        }
    }

    /** One that knows the server's address asks once, as it does of canal. */
    @Test
    void amongSeveralServersTheFirstSubscriptionStartsIt() throws Exception {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            Map<String, String> settings = new HashMap<>(LAZY);
            settings.put("canal.zkServers", zooKeeper.connectString());
            settings.put("canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
            String destination = "/otter/canal/destinations/" + PulledServer.DESTINATION;
            try (PulledServer server = new PulledServer(mysql, settings)) {
                server.start();
                await().atMost(PATIENCE).until(() -> zooKeeper.children(destination + "/cluster") == 1);
                try (CanalClient client = CanalClient.java(server.target())) {
                    client.connect();
                    client.subscribe("lazy\\..*");

                    assertThat(zooKeeper.text(destination + "/running")).contains("\"active\":true");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void ourClientDoesTheSame(ZooKeeperRelease release) throws Exception {
        try (RunningZooKeeper zooKeeper = release.start()) {
            Map<String, String> settings = new HashMap<>(LAZY);
            settings.put("canal.zkServers", zooKeeper.connectString());
            settings.put("canal.register.ip", "127.0.0.1");
            settings.put("canal.port", Integer.toString(FreePorts.next()));
            settings.put("canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
            mysql.execute("drop table if exists lazy.followed", "create table lazy.followed (id int primary key)");
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            try (PulledServer server = new PulledServer(mysql, settings)) {
                server.start();
                mysql.execute("insert into lazy.followed values (3)");
                FollowChanges.follow(
                        zooKeeper.connectString(),
                        PulledServer.DESTINATION,
                        "lazy\\..*",
                        new PrintStream(printed, true, StandardCharsets.UTF_8),
                        () -> printed.size() > 0);
            }
            assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                    INSERT lazy.followed id=3
                    """);
        }
    }
}
