package io.sluice.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class OldZooKeeperTest {
    @Test
    void refusesWhatNewerReleasesHaveAdded() throws Exception {
        try (OldZooKeeper server = OldZooKeeper.start();
                ZooKeeper client = new ZooKeeper(server.connectString(), 60_000, event -> {})) {
            await().until(() -> client.getState().isConnected());
            client.create("/plain", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            assertThat(server.unknownRequests()).isEmpty();

            assertThatThrownBy(() -> client.create(
                            "/refused", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, new Stat()))
                    .isInstanceOf(KeeperException.UnimplementedException.class);
            assertThat(server.unknownRequests()).hasSize(1);
        }
    }
}
