package io.sluice.store.cursor.zookeeper;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;

/**
 * Makes nodes with the access control list that the client is configured with, which {@link ZKPaths#mkdirs} does not know. By transactions,
 * which all releases of ZooKeeper know.
 */
final class MissingNodes {
    private MissingNodes() {}

    /** Makes an empty node with its parents, unless it is there. */
    static void make(CuratorFramework zooKeeper, String path) throws Exception {
        if (zooKeeper.checkExists().forPath(path) != null) {
            return;
        }
        makeParents(zooKeeper, path);
        try {
            var unused = Transactions.run(
                    zooKeeper, List.of(zooKeeper.transactionOp().create().forPath(path, new byte[0])));
        } catch (KeeperException.NodeExistsException e) {
            // made by another client meanwhile
        }
    }

    /** Makes the parents of a node, unless they are there. */
    static void makeParents(CuratorFramework zooKeeper, String path) throws Exception {
        String parent = ZKPaths.getPathAndNode(path).getPath();
        if (!parent.equals(ZKPaths.PATH_SEPARATOR)) {
            make(zooKeeper, parent);
        }
    }
}
