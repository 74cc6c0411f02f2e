package io.sluice.server.ha.zookeeper;

import java.io.IOException;
import java.util.List;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients that create nodes by the request that servers of 3.4 know, too. Curator asks for the new node's {@link Stat} even where it does not
 * need it, by a request that came with 3.5; a server of 3.4 answers that one by an error, and closes the connection.
 *
 * <p>Creations in the background, of containers and of nodes with a time to live still need 3.5; none is used here.
 */
final class PlainCreates implements ZookeeperFactory {
    @Override
    public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
            throws IOException {
        return newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, new ZKClientConfig());
    }

    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws IOException {
        return new Client(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    }

    @SuppressWarnings("try") // the inherited close() may be interrupted
    private static final class Client extends ZooKeeper {
        Client(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
                throws IOException {
            super(connectString, sessionTimeout, watcher, canBeReadOnly, config);
        }

        @Override
        public String create(
                String path, byte[] data, List<ACL> acl, CreateMode mode, @Nullable Stat stat, long ttlMillis)
                throws KeeperException, InterruptedException {
            return stat == null && !mode.isTTL()
                    ? create(path, data, acl, mode)
                    : super.create(path, data, acl, mode, stat, ttlMillis);
        }
    }
}
