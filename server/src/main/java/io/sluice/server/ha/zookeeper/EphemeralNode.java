package io.sluice.server.ha.zookeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** An empty node that is there while this server's session is. For one thread at a time. */
final class EphemeralNode {
    private final CuratorFramework zooKeeper;
    private final String path;

    EphemeralNode(CuratorFramework zooKeeper, String path) {
        this.zooKeeper = zooKeeper;
        this.path = path;
    }

    /** Makes it, unless this session has made it; one that an ended session of this server has left is replaced. */
    void ensure() throws Exception {
        Stat stat = zooKeeper.checkExists().forPath(path);
        if (stat != null) {
            if (stat.getEphemeralOwner()
                    == zooKeeper.getZookeeperClient().getZooKeeper().getSessionId()) {
                return;
            }
            remove();
        }
        try {
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(path, new byte[0]);
        } catch (KeeperException.NodeExistsException e) {
            // Made by an attempt whose answer was lost, or by another server with the same address: checked the next
            // time.
        }
    }

    /** Deletes it if it is there, which is checked first: a deletion in vain would be a write, too. */
    void ensureAbsent() throws Exception {
        if (zooKeeper.checkExists().forPath(path) != null) {
            remove();
        }
    }

    /** Deletes it, if it is there. */
    void remove() throws Exception {
        try {
            zooKeeper.delete().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            // what was wanted
        }
    }
}
