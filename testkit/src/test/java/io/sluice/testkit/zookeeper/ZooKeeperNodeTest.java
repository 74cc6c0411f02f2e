package io.sluice.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

class ZooKeeperNodeTest {
    @Test
    void keepsDataOverAStopAndEndsSessions() throws Exception {
        try (ZooKeeperNode node = ZooKeeperNode.start();
                ZooKeeper client = new ZooKeeper(node.connectString(), 60_000, event -> {})) {
            await().until(() -> client.getState().isConnected());
            client.create("/kept", new byte[] {'k'}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create("/owned", null, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);

            node.stop();
            await().until(() -> !client.getState().isConnected());
            node.resume();
            await().until(() -> client.getState().isConnected());
            assertThat(client.getData("/kept", false, null)).containsExactly('k');
            assertThat(node.text("/kept")).isEqualTo("k");
            assertThat(node.text("/none")).isNull();
            assertThat(node.version("/kept")).isZero();
            assertThat(node.version("/none")).isEqualTo(-1);
            assertThat(client.exists("/owned", false)).isNotNull();

            assertThat(node.expireOwnerOf("/kept")).isFalse();
            assertThat(node.expireOwnerOf("/owned")).isTrue();
            await().until(() -> !client.getState().isAlive());
        }
    }
}
