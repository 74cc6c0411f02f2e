package io.sluice.server.ha;

import io.sluice.store.cursor.CanalNodes;
import io.sluice.store.cursor.NodeVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A destination's {@code running} node: who has made it runs the destination.
 *
 * <p>The node is made and written once in one transaction, so its version is 1, and 0 if canal made it. The same transaction
 * writes the destination's epoch node, whose version counts the owners.
 */
final class Election {
    /** The part of a session's time-out in which an owner that hears nothing may still act. */
    private static final double SAFE_PART = 2.0 / 3;

    /** What the epoch node says between an owner that has stopped in good order and the next. */
    private static final String RELEASED = "released by ";

    private static final String INACTIVE = "\"active\":false";

    private final CuratorFramework zooKeeper;
    private final String address;
    private final Lease.Ticker ticker;
    private final String running;
    private final String epochPath;
    private final String parent;

    Election(CuratorFramework zooKeeper, String destination, String address, Lease.Ticker ticker) {
        this.zooKeeper = zooKeeper;
        this.address = address;
        this.ticker = ticker;
        this.parent = CanalNodes.destination(destination);
        this.running = CanalNodes.running(destination);
        this.epochPath = CanalNodes.epoch(destination);
    }

    /**
     * What an owner has.
     *
     * @param session by which it made the node
     * @param afterRelease whether the owner before it, if there was one, had stopped before it gave the destination up
     * @param fence the nodes that stand so while it is the owner
     */
    record Won(Lease lease, long session, boolean afterRelease, List<NodeVersion> fence) {}

    /**
     * Whether somebody else runs the destination now. A node that our own session has left is taken away.
     *
     * @param watcher is told when that may have changed
     */
    boolean isTaken(CuratorWatcher watcher) throws Exception {
        Stat stat = zooKeeper.checkExists().usingWatcher(watcher).forPath(running);
        if (stat == null) {
            return false;
        }
        if (stat.getEphemeralOwner()
                != zooKeeper.getZookeeperClient().getZooKeeper().getSessionId()) {
            return true;
        }
        delete(stat.getVersion());
        return false;
    }

    /** Tries to become the owner; null if another was faster. */
    @Nullable Won tryToWin() throws Exception {
        ensure(parent);
        ensure(epochPath);
        byte[] data = "{\"active\":true,\"address\":\"%s\"}".formatted(address).getBytes(StandardCharsets.UTF_8);
        Stat before = new Stat();
        byte[] last = zooKeeper.getData().storingStatIn(before).forPath(epochPath);
        boolean afterRelease = last.length == 0 || new String(last, StandardCharsets.UTF_8).startsWith(RELEASED);
        TransactionOp operation = zooKeeper.transactionOp();
        Lease.Instant asked = ticker.now();
        List<CuratorTransactionResult> results;
        try {
            results = zooKeeper
                    .transaction()
                    .forOperations(
                            operation.create().withMode(CreateMode.EPHEMERAL).forPath(running, data),
                            operation.setData().forPath(running, data),
                            operation
                                    .setData()
                                    .withVersion(before.getVersion())
                                    .forPath(epochPath, address.getBytes(StandardCharsets.UTF_8)));
        } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
            return null;
        }
        Stat made = results.get(1).getResultStat();
        int epoch = results.get(2).getResultStat().getVersion();
        int timeoutMillis = zooKeeper.getZookeeperClient().getZooKeeper().getSessionTimeout();
        Lease lease = new Lease(epoch, Duration.ofMillis((long) (timeoutMillis * SAFE_PART)), ticker, asked);
        return new Won(
                lease,
                made.getEphemeralOwner(),
                afterRelease,
                List.of(new NodeVersion(running, made.getVersion()), new NodeVersion(epochPath, epoch)));
    }

    private void ensure(String path) throws Exception {
        if (zooKeeper.checkExists().forPath(path) == null) {
            ZKPaths.mkdirs(zooKeeper.getZookeeperClient().getZooKeeper(), path);
        }
    }

    /**
     * Asks ZooKeeper whether we are still the owner, and has the lease confirmed or revoked by the answer. Returns at once.
     *
     * @param watcher is told when the node has changed; always the same one, or they gather
     * @param answered is told when the answer has come
     */
    void renew(Won won, CuratorWatcher watcher, Runnable answered) throws Exception {
        Lease.Instant asked = ticker.now();
        BackgroundCallback judge = (client, event) -> {
            judge(won, asked, event);
            answered.run();
        };
        zooKeeper.getData().usingWatcher(watcher).inBackground(judge).forPath(running);
    }

    private static void judge(Won won, Lease.Instant asked, CuratorEvent event) {
        int code = event.getResultCode();
        if (code == KeeperException.Code.NONODE.intValue()) {
            won.lease().revoke("its node was deleted, or the session has ended");
        } else if (code == KeeperException.Code.OK.intValue()) {
            String text = new String(event.getData(), StandardCharsets.UTF_8).replace(" ", "");
            if (event.getStat().getEphemeralOwner() != won.session()) {
                won.lease().revoke("another server has it: " + text);
            } else if (text.contains(INACTIVE)) {
                won.lease().revoke("its node was set inactive");
            } else {
                won.lease().confirm(asked);
            }
        }
    }

    /** Leaves the destination to others, if it is still ours; to be called when nothing is delivered any more. */
    void release(Won won) throws Exception {
        Stat stat = zooKeeper.checkExists().forPath(running);
        if (stat == null || stat.getEphemeralOwner() != won.session()) {
            return;
        }
        TransactionOp operation = zooKeeper.transactionOp();
        try {
            zooKeeper
                    .transaction()
                    .forOperations(
                            operation.delete().withVersion(stat.getVersion()).forPath(running),
                            operation
                                    .setData()
                                    .forPath(epochPath, (RELEASED + address).getBytes(StandardCharsets.UTF_8)));
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            // somebody else was faster, or has changed it: looked at the next time
        }
    }

    private void delete(int version) throws Exception {
        try {
            zooKeeper.delete().withVersion(version).forPath(running);
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            // somebody else was faster, or has changed it: looked at the next time
        }
    }
}
