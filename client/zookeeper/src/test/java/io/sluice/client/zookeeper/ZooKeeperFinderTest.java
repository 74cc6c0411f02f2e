package io.sluice.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ServerAddress;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZooKeeperFinderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RUNNING = "/otter/canal/destinations/shop/running";
    private static final String CANDIDATES = "/otter/canal/destinations/shop/cluster";
    private static final ServerAddress ONE = new ServerAddress("10.0.0.1", 11111);
    private static final ServerAddress TWO = new ServerAddress("10.0.0.2", 11111);

    private ZooKeeperNode node;
    private CuratorFramework writer;
    private ZooKeeperFinder finder;

    @BeforeEach
    void start() {
        node = ZooKeeperNode.start();
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
        writer.create().orSetData().creatingParentsIfNeeded().forPath(RUNNING, json.getBytes(StandardCharsets.UTF_8));
    }

    private static String owner(ServerAddress server) {
        return "{\"active\":true,\"address\":\"%s\"}".formatted(server);
    }

    private void awaitFound(ServerAddress server) {
        await().atMost(PATIENCE).until(() -> finder.find().equals(Optional.of(server)));
    }

    @Test
    void theServerThatRunsTheDestinationIsFollowed() throws Exception {
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
        try (ZooKeeperFinder lost = ZooKeeperFinder.of("127.0.0.1:" + FreePorts.next(), "shop")) {
            assertThat(lost.find()).isEmpty();
            assertThat(lost.whyNone()).isEqualTo("the servers could not be read from ZooKeeper yet");
        }
    }

    @Test
    void withoutAnOwnerTheCandidatesAreNamed() throws Exception {
        // Given up by hand, and not yet by its owner.
        run("{\"active\" : false, \"address\" : \"10.0.0.9:11111\"}");
        writer.create().creatingParentsIfNeeded().forPath(CANDIDATES + "/" + TWO);
        awaitFound(TWO);

        writer.create().forPath(CANDIDATES + "/who knows");
        writer.create().forPath(CANDIDATES + "/" + ONE);
        awaitFound(ONE);

        run(owner(TWO));
        await().atMost(PATIENCE).until(() -> finder.isReplaced(ONE));
    }

    @Test
    void theLastKnownServerIsUsedWhileZooKeeperIsUnreachable() throws Exception {
        run(owner(ONE));
        awaitFound(ONE);

        node.stop();
        assertThat(finder.find()).contains(ONE);

        node.resume();
        run(owner(TWO));
        awaitFound(TWO);
    }

    @Test
    void aSessionThatHasEndedIsFollowedByAnother() throws Exception {
        run(owner(ONE));
        try (CuratorFramework own = CuratorFrameworkFactory.newClient(node.connectString(), new RetryForever(100))) {
            own.start();
            try (ZooKeeperFinder over = ZooKeeperFinder.over(own, "shop")) {
                await().atMost(PATIENCE).until(() -> over.find().equals(Optional.of(ONE)));
                node.expire(own.getZookeeperClient().getZooKeeper().getSessionId());
                run(owner(TWO));
                await().atMost(PATIENCE).until(() -> over.find().equals(Optional.of(TWO)));
            }
            assertThat(own.getZookeeperClient().isConnected())
                    .as("its own maker closes it")
                    .isTrue();
        }
    }
}
