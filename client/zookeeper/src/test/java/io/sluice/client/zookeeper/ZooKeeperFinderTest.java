package io.sluice.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ServerAddress;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.RunningZooKeeper;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import io.sluice.testkit.zookeeper.ZooKeeperRelease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ZooKeeperFinderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RUNNING = "/otter/canal/destinations/shop/running";
    private static final String CANDIDATES = "/otter/canal/destinations/shop/cluster";
    private static final ServerAddress ONE = new ServerAddress("10.0.0.1", 11111);
    private static final ServerAddress TWO = new ServerAddress("10.0.0.2", 11111);

    private RunningZooKeeper node;
    private CuratorFramework writer;
    private ZooKeeperFinder finder;

    private void start(RunningZooKeeper started) {
        node = started;
        writer = CuratorFrameworkFactory.newClient(node.connectString(), new RetryForever(100));
        writer.start();
        finder = ZooKeeperFinder.of(node.connectString(), "shop");
    }

    @AfterEach
    void stop() {
        finder.close();
        writer.close();
        node.close();
    }

    private void run(String json) throws Exception {
        byte[] data = json.getBytes(StandardCharsets.UTF_8);
        try {
            writer.setData().forPath(RUNNING, data);
        } catch (KeeperException.NoNodeException e) {
            create(RUNNING, data);
        }
    }

    /** By requests that the oldest release knows, too. */
    private void create(String path, byte[] data) throws Exception {
        ZooKeeper client = writer.getZookeeperClient().getZooKeeper();
        ZKPaths.mkdirs(client, path, false);
        client.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static String owner(ServerAddress server) {
        return "{\"active\":true,\"address\":\"%s\"}".formatted(server);
    }

    private void awaitFound(ServerAddress server) {
        await().atMost(PATIENCE).until(() -> finder.find().equals(Optional.of(server)));
    }

    @Test
    void theServerThatRunsTheDestinationIsFollowed() throws Exception {
        start(ZooKeeperNode.start());
        AtomicInteger changes = new AtomicInteger();
        finder.onChange(changes::incrementAndGet);
        assertThat(finder.find()).isEmpty();
        await().atMost(PATIENCE)
                .until(() ->
                        finder.whyNone().equals("ZooKeeper names none in %s and %s".formatted(RUNNING, CANDIDATES)));
        assertThatThrownBy(() -> finder.onChange(() -> {}))
                .as("its events would be the other client's")
                .isInstanceOf(IllegalStateException.class);

        run(owner(ONE));
        awaitFound(ONE);
        assertThat(finder.isReplaced(ONE)).isFalse();
        int before = changes.get();

        run(owner(TWO));
        awaitFound(TWO);
        await().atMost(PATIENCE).until(() -> changes.get() > before);
        assertThat(finder.isReplaced(ONE)).isTrue();

        writer.delete().forPath(RUNNING);
        await().atMost(PATIENCE).until(() -> finder.find().isEmpty());
        assertThat(finder.isReplaced(TWO)).as("nobody else runs it").isFalse();

        run(owner(ONE));
        awaitFound(ONE);
    }

    @Test
    void aZooKeeperThatIsNotReadIsNamedAsTheCause() {
        start(ZooKeeperNode.start());
        try (ZooKeeperFinder lost = ZooKeeperFinder.of("127.0.0.1:" + FreePorts.next(), "shop")) {
            assertThat(lost.find()).isEmpty();
            assertThat(lost.whyNone()).isEqualTo("the servers could not be read from ZooKeeper yet");
        }
    }

    @Test
    void withoutAnOwnerTheCandidatesAreNamed() throws Exception {
        start(ZooKeeperNode.start());
        // Given up by hand, and not yet by its owner.
        run("{\"active\" : false, \"address\" : \"10.0.0.9:11111\"}");
        create(CANDIDATES + "/" + TWO, new byte[0]);
        awaitFound(TWO);

        create(CANDIDATES + "/who knows", new byte[0]);
        create(CANDIDATES + "/" + ONE, new byte[0]);
        awaitFound(ONE);

        run(owner(TWO));
        await().atMost(PATIENCE).until(() -> finder.isReplaced(ONE));
    }

    @ParameterizedTest
    @EnumSource
    void theLastKnownServerIsUsedWhileZooKeeperIsUnreachable(ZooKeeperRelease release) throws Exception {
        start(release.start());
        run(owner(ONE));
        awaitFound(ONE);

        node.stop();
        assertThat(finder.find()).contains(ONE);

        node.restart();
        run(owner(TWO));
        awaitFound(TWO);
    }

    @Test
    void aSessionThatHasEndedIsFollowedByAnother() throws Exception {
        ZooKeeperNode server = ZooKeeperNode.start();
        start(server);
        run(owner(ONE));
        try (CuratorFramework own = CuratorFrameworkFactory.newClient(node.connectString(), new RetryForever(100))) {
            own.start();
            try (ZooKeeperFinder over = ZooKeeperFinder.over(own, "shop")) {
                await().atMost(PATIENCE).until(() -> over.find().equals(Optional.of(ONE)));
                server.expire(own.getZookeeperClient().getZooKeeper().getSessionId());
                run(owner(TWO));
                await().atMost(PATIENCE).until(() -> over.find().equals(Optional.of(TWO)));
            }
            assertThat(own.getZookeeperClient().isConnected())
                    .as("its own maker closes it")
                    .isTrue();
        }
    }
}
