package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.ha.Lease;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import io.sluice.store.cursor.zookeeper.ZooKeeperCursorEditor;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers had cursors of a destination in nodes of a real ZooKeeper that are gone. */
@Timeout(600)
class LostCursorNodesIT {
    private static final String NAME = "shop";
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Subscription FIRST = sender(500);
    private static final Subscription SECOND = sender(700);
    private static final String MADE = "7/1700000000000";
    private static final String MADE_AGAIN = "7/1800000000000";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final CursorHome first = new CursorHome(NAME, new DeploymentFile(NAME), scheduler);
    private final CursorHome second = new CursorHome(NAME, new DeploymentFile(NAME), scheduler);

    @TempDir
    private Path dir;

    private ZooKeeperNode node;
    private CuratorFramework zooKeeper;

    @BeforeEach
    void haveATermOfEachServerAndLoseTheNodes() throws Exception {
        node = ZooKeeperNode.start();
        zooKeeper = CuratorFrameworkFactory.newClient(node.connectString(), new RetryOneTime(10));
        zooKeeper.start();
        run(first, 8, MADE, FIRST);
        run(second, 9, MADE, SECOND);
        zooKeeper.delete().deletingChildrenIfNeeded().forPath(CanalNodes.destinations());
    }

    @AfterEach
    void stop() {
        zooKeeper.close();
        node.close();
        scheduler.shutdownNow();
    }

    private static Subscription sender(long offset) {
        Cursor cursor =
                new Cursor(SourceServer.at("db1", 3306), new BinlogPosition("binlog.000001", offset), "", 1, 0, null);
        return new Subscription(Subscription.QUEUE_CLIENT, "", cursor);
    }

    /** Returns what the instance of a server finds in a term, in which it acks up to a cursor. */
    private List<Subscription> run(CursorHome server, int epoch, String epochNode, Subscription... acked) {
        Lease lease = new Lease(epoch, NEVER, Time.SYSTEM, Lease.Instant.now(Time.SYSTEM));
        OwnershipTerm term = new OwnershipTerm(lease, zooKeeper, List.of(), "", epochNode);
        try (CursorStore cursors = server.open(
                new CursorConfig(CursorKind.ZOOKEEPER, dir.resolve(NAME), NEVER),
                term,
                List.of(),
                place -> term.openCursors(NAME, scheduler, place.flushPeriod(), Time.SYSTEM))) {
            List<Subscription> found = cursors.kept();
            for (Subscription client : acked) {
                cursors.subscribe(client.clientId());
                cursors.save(client.clientId(), client.cursor());
            }
            return found;
        }
    }

    @Test
    void theNextOwnerWritesThoseOfItsLastTermInTheNodes() {
        assertThat(run(second, 1, MADE_AGAIN)).containsExactly(SECOND);

        assertThat(new ZooKeeperCursorEditor(zooKeeper, NAME).read()).containsExactly(SECOND);
        assertThat(run(first, 2, MADE_AGAIN)).containsExactly(SECOND);
    }

    @Test
    void thoseThatAnOperatorHasDeletedSinceDoNotComeBackOnTheOtherServer() {
        assertThat(run(first, 1, MADE_AGAIN)).containsExactly(FIRST);
        new ZooKeeperCursorEditor(zooKeeper, NAME).replace(List.of()); // has epoch 2

        try (LogLines lines = LogLines.of(CursorHome.class)) {
            assertThat(run(second, 3, MADE_AGAIN)).isEmpty();
            assertThat(lines.warnings()).isEmpty();
        }
    }

    @Test
    void damagedOnesThatAnOperatorHasDeletedSinceDoNotComeBack() throws Exception {
        assertThat(run(first, 1, MADE_AGAIN)).containsExactly(FIRST);
        zooKeeper.setData().forPath(CanalNodes.cursor(NAME, Subscription.QUEUE_CLIENT), new byte[] {'x'});
        new ZooKeeperCursorEditor(zooKeeper, NAME).replace(List.of());

        assertThat(run(second, 3, MADE_AGAIN)).isEmpty();
    }
}
