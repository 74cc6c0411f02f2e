package io.sluice.server.ha;

import io.sluice.store.cursor.CanalNodes;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Watches, while this server runs a destination, whether another should run it, so that every server has its share.
 *
 * <p>It asks ZooKeeper without waiting for the answers: the owner's thread has a lease to watch. For one thread.
 */
final class Balance {
    private final CuratorFramework zooKeeper;
    private final String destination;
    private final String address;
    private final Duration delay;
    private volatile @Nullable List<String> destinations;
    private volatile @Nullable List<String> candidates;
    private boolean others;
    private long othersSince;

    /**
     * Makes one.
     *
     * @param delay how long another must have been the one that should run it; zero if that never counts
     */
    Balance(CuratorFramework zooKeeper, String destination, String address, Duration delay) {
        this.zooKeeper = zooKeeper;
        this.destination = destination;
        this.address = address;
        this.delay = delay;
    }

    /** Asks again. */
    void look() throws Exception {
        if (delay.isZero() || !zooKeeper.getZookeeperClient().isConnected()) {
            return;
        }
        zooKeeper
                .getChildren()
                .inBackground((client, event) -> {
                    if (event.getResultCode() == KeeperException.Code.OK.intValue()) {
                        destinations = event.getChildren();
                    }
                })
                .forPath(CanalNodes.destinations());
        zooKeeper
                .getChildren()
                .inBackground((client, event) -> {
                    if (event.getResultCode() == KeeperException.Code.OK.intValue()) {
                        candidates = event.getChildren();
                    }
                })
                .forPath(CanalNodes.candidates(destination));
    }

    /** Whether another should run it, and has been there long enough. */
    boolean isOthers() {
        List<String> all = destinations;
        List<String> servers = candidates;
        boolean now = all != null
                && servers != null
                && servers.contains(address)
                && Shares.turnOf(address, destination, all, servers) > 0;
        if (now && !others) {
            othersSince = System.nanoTime();
        }
        others = now;
        return now && System.nanoTime() - othersSince >= delay.toNanos();
    }
}
