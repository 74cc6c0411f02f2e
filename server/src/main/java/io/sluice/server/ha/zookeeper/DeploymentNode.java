package io.sluice.server.ha.zookeeper;

import io.sluice.store.cursor.zookeeper.CanalNodes;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The id of the servers that share their destinations through a ZooKeeper, by which brokers distinguish their producers from those of other
 * deployments. The first server makes it, and a node keeps it for all. Thread-safe.
 */
final class DeploymentNode {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentNode.class);

    private final CuratorFramework zooKeeper;

    /** As it was read or made last; null if it was not yet. */
    private volatile @Nullable String known;

    DeploymentNode(CuratorFramework zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /**
     * Reads the id, and makes it if there is none. To be called before anything is kept of the first destination, and before each win: ZooKeeper may have
     * lost it with its data, and a server that starts after that would make another one.
     *
     * @throws Exception if ZooKeeper does not answer
     */
    String id() throws Exception {
        String id = readOrMake();
        known = id;
        return id;
    }

    private String readOrMake() throws Exception {
        try {
            return read();
        } catch (KeeperException.NoNodeException e) {
            return make();
        }
    }

    private String read() throws Exception {
        return new String(zooKeeper.getData().forPath(CanalNodes.deployment()), StandardCharsets.UTF_8);
    }

    private String make() throws Exception {
        String before = known;
        String made = before == null ? UUID.randomUUID().toString() : before;
        try {
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .forPath(CanalNodes.deployment(), made.getBytes(StandardCharsets.UTF_8));
        } catch (KeeperException.NodeExistsException e) {
            return read(); // made by another server meanwhile
        }
        LOG.info("this deployment has an id from now on: node={} id={}", CanalNodes.deployment(), made);
        return made;
    }
}
