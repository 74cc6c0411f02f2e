package io.sluice.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("thorough")
@Timeout(600)
class ZooKeeperEnsembleTest {
    private static final int TICK_MILLIS = 500;
    private static final int SYNC_LIMIT = 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start(TICK_MILLIS, SYNC_LIMIT);
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @Test
    void aFollowerThatIsCutOffAnswersReadsFromItsOwnStateAndFollowsAgainWhenHealed() throws Exception {
        int cutOff = ensemble.followers().get(0);
        try (ZooKeeper stale = connect(ensemble.connectString(cutOff));
                ZooKeeper other = connect(ensemble.connectString(ensemble.leader()))) {
            other.create("/cut", new byte[] {1}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            await().until(() -> stale.exists("/cut", false) != null);

            ensemble.isolate(cutOff);
            other.setData("/cut", new byte[] {2}, -1);

            assertThat(stale.getData("/cut", false, null)).containsExactly(1);

            ensemble.heal(cutOff);
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .untilAsserted(
                            () -> assertThat(stale.getData("/cut", false, null)).containsExactly(2));
            ensemble.awaitComplete();
        }
    }

    @Test
    void electsAnotherLeaderWhenOneIsPausedAndTakesItBack() throws Exception {
        int first = ensemble.leader();
        ensemble.pause(first);

        await().atMost(TIMEOUT).until(() -> ensemble.leader() != first);
        ensemble.resume(first);
        ensemble.awaitComplete();

        assertThat(ensemble.leader()).isNotEqualTo(first);
    }

    @Test
    void keepsItsDataWhenServersAreRestarted() throws Exception {
        try (ZooKeeper client = connect(ensemble.connectString())) {
            client.create("/kept", new byte[] {7}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            for (int member = 0; member < 3; member++) {
                ensemble.restart(member);
                ensemble.awaitComplete();
            }
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(client.getData("/kept", false, null)).containsExactly(7));
        }
    }

    private static ZooKeeper connect(String servers) throws Exception {
        ZooKeeper client = new ZooKeeper(servers, 60_000, event -> {});
        await().atMost(TIMEOUT).until(() -> client.getState().isConnected());
        return client;
    }
}
