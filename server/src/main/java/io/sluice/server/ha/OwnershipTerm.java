package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import io.sluice.store.cursor.zookeeper.NodeVersion;
import io.sluice.store.cursor.zookeeper.ZooKeeperCursorStore;
import io.sluice.store.cursor.zookeeper.ZooKeeperText;
import io.sluice.store.text.DurableText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** The period in which this server owns a destination, from its election until it loses or leaves it. */
public final class OwnershipTerm {
    private static final OwnershipTerm SOLE = new OwnershipTerm(Ownership.SOLE, null, null, List.of(), "", "");

    private final Ownership ownership;

    /** A term of a server that shares the destination with others. */
    private final @Nullable Lease lease;

    private final @Nullable CuratorFramework zooKeeper;
    private final List<NodeVersion> fence;
    private final String deployment;
    private final String epochNode;

    /**
     * Begins one that was won.
     *
     * @param zooKeeper null in tests of servers without one
     * @param epochNode as of {@link Won#epochNode}
     */
    public OwnershipTerm(
            Lease lease,
            @Nullable CuratorFramework zooKeeper,
            List<NodeVersion> fence,
            String deployment,
            String epochNode) {
        this(lease, lease, zooKeeper, fence, deployment, epochNode);
    }

    private OwnershipTerm(
            Ownership ownership,
            @Nullable Lease lease,
            @Nullable CuratorFramework zooKeeper,
            List<NodeVersion> fence,
            String deployment,
            String epochNode) {
        this.ownership = ownership;
        this.lease = lease;
        this.zooKeeper = zooKeeper;
        this.fence = List.copyOf(fence);
        this.deployment = deployment;
        this.epochNode = epochNode;
    }

    /** The term of a server that shares its destinations with no other. */
    public static OwnershipTerm sole() {
        return SOLE;
    }

    /** Whether this server still owns the destination. */
    public Ownership ownership() {
        return ownership;
    }

    /**
     * Whether this server still owns the destination, for what the owner ends if it does not. If it is not confirmed now, it never is again: an answer of
     * ZooKeeper that comes late does not bring back what was ended.
     */
    public boolean isHeldOrEnds() {
        boolean isHeld = ownership.isHeld();
        if (!isHeld && lease != null) {
            lease.revoke("ZooKeeper had not confirmed it when its instance was started again");
        }
        return isHeld;
    }

    /** Whether the destination is shared with other servers. */
    public boolean isShared() {
        return zooKeeper != null;
    }

    /** The id of the servers that share the destination, as a deployment; empty if there are no others. */
    public String deployment() {
        return deployment;
    }

    /**
     * Whether ZooKeeper has lost the nodes of the destination since a former term. The epochs do not tell that: they begin at 1 again, and may
     * have passed that of the former term meanwhile, or be below it for long.
     */
    public boolean isAfterLossSince(OwnershipTerm former) {
        return isCounted() && former.isCounted() && !epochNode.equals(former.epochNode);
    }

    private boolean isCounted() {
        return !epochNode.isEmpty();
    }

    /**
     * Opens the destination's cursors in ZooKeeper, which rejects the writes of this term when it is over.
     *
     * @throws IllegalStateException if this server is in no cluster
     * @throws io.sluice.store.cursor.CursorException if they cannot be read
     */
    public CursorStore openCursors(
            String destination, ScheduledExecutorService scheduler, Duration flushPeriod, Time time) {
        if (zooKeeper == null) {
            throw new IllegalStateException("cursors in ZooKeeper without ZooKeeper: " + destination);
        }
        return ZooKeeperCursorStore.open(
                zooKeeper, destination, ownership::isHeld, fence, scheduler, flushPeriod, time);
    }

    /**
     * Opens what an operator has set for the delivery of the destination, which ZooKeeper keeps; it rejects the writes of this term when it is over.
     *
     * @throws IllegalStateException if this server is in no cluster
     * @throws io.sluice.store.cursor.CursorException if it cannot be read
     */
    public DurableText openPace(String destination) {
        if (zooKeeper == null) {
            throw new IllegalStateException("a pause in ZooKeeper without ZooKeeper: " + destination);
        }
        return ZooKeeperText.open(zooKeeper, CanalNodes.pace(destination), ownership::isHeld, fence);
    }
}
