package io.sluice.server.ha.zookeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * An empty node that is there while this server's session is. One of another session is left alone: if that session has ended, ZooKeeper removes it; else it
 * is of another server with the same address, which needs it. For one thread at a time.
 */
final class EphemeralNode {
    /** What a node that is not ephemeral has for the session that owns it. */
    static final long PERSISTENT = 0;

    private final CuratorFramework zooKeeper;
    private final String path;

    EphemeralNode(CuratorFramework zooKeeper, String path) {
        this.zooKeeper = zooKeeper;
        this.path = path;
    }

    /**
     * Makes it, unless it is there.
     *
     * @return the other session that has it; 0 if this one has
     */
    long ensure() throws Exception {
        Stat stat = zooKeeper.checkExists().forPath(path);
        if (stat != null && stat.getEphemeralOwner() != PERSISTENT) {
            return isOwn(stat) ? 0 : stat.getEphemeralOwner();
        }
        if (stat != null) {
            delete(); // made by hand; it would never be removed
        }
        try {
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(path, new byte[0]);
        } catch (KeeperException.NodeExistsException e) {
            Stat made = zooKeeper.checkExists().forPath(path);
            if (made != null && !isOwn(made)) {
                return made.getEphemeralOwner(); // of another server with the same address
            }
        }
        return 0;
    }

    private boolean isOwn(Stat stat) throws Exception {
        return stat.getEphemeralOwner()
                == zooKeeper.getZookeeperClient().getZooKeeper().getSessionId();
    }

    /** Deletes it if no other session has it, which is checked first: a deletion in vain would be a write, too. */
    void ensureAbsent() throws Exception {
        Stat stat = zooKeeper.checkExists().forPath(path);
        if (stat != null && (isOwn(stat) || stat.getEphemeralOwner() == PERSISTENT)) {
            delete();
        }
    }

    private void delete() throws Exception {
        try {
            zooKeeper.delete().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            // what was wanted
        }
    }
}
