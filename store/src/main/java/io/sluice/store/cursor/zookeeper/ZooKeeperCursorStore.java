package io.sluice.store.cursor.zookeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.ClientCursorStore;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorLog;
import io.sluice.store.cursor.FlushTimer;
import io.sluice.store.cursor.Subscription;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the clients in canal's nodes of ZooKeeper.
 *
 * <p>They are read once, when the store is opened, and what has changed is written in one transaction. The transaction also
 * checks the nodes by which this process owns the destination: if another owns it meanwhile, ZooKeeper rejects the write, no
 * matter how late it comes.
 */
public final class ZooKeeperCursorStore extends ClientCursorStore {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCursorStore.class);

    private final CuratorFramework zooKeeper;
    private final String destination;
    private final BooleanSupplier owned;
    private final List<NodeVersion> fence;
    private final ZooKeeperClients nodes;
    private final FlushTimer timer;
    private final Object writing = new Object();

    @GuardedBy("writing") private List<Subscription> written;

    /** The ids in writes that have failed since, which may be in place nevertheless, and not what was {@link #written}. */
    @GuardedBy("writing") private final Set<Integer> uncertain = new HashSet<>();

    @GuardedBy("writing") private boolean closed;

    private ZooKeeperCursorStore(
            CuratorFramework zooKeeper,
            String destination,
            BooleanSupplier owned,
            List<NodeVersion> fence,
            ZooKeeperClients nodes,
            List<Subscription> first,
            ScheduledExecutorService scheduler,
            Duration flushPeriod,
            Time time) {
        super(first);
        this.zooKeeper = zooKeeper;
        this.destination = destination;
        this.owned = owned;
        this.fence = List.copyOf(fence);
        this.nodes = nodes;
        this.written = first;
        this.timer = new FlushTimer(this::flush, CanalNodes.destination(destination), scheduler, flushPeriod, time);
    }

    /**
     * Reads the nodes, and begins to write them.
     *
     * @param zooKeeper is started; not closed here
     * @param destination the instance's name
     * @param owned whether the destination is ours; nothing is written while it is not
     * @param fence the nodes by which the destination is owned; a write that finds them changed is rejected
     * @param scheduler runs the writes; not shut down here
     * @param flushPeriod {@code canal.zookeeper.flush.period}: how long a cursor waits before it is written
     * @param time measures for how long writing fails
     * @throws CursorException if the nodes cannot be read, or one is no cursor
     */
    public static ZooKeeperCursorStore open(
            CuratorFramework zooKeeper,
            String destination,
            BooleanSupplier owned,
            List<NodeVersion> fence,
            ScheduledExecutorService scheduler,
            Duration flushPeriod,
            Time time) {
        ZooKeeperClients nodes = new ZooKeeperClients(zooKeeper, destination);
        return new ZooKeeperCursorStore(
                zooKeeper, destination, owned, fence, nodes, read(nodes, destination), scheduler, flushPeriod, time);
    }

    private static List<Subscription> read(ZooKeeperClients nodes, String destination) {
        try {
            return nodes.read();
        } catch (CursorException e) {
            throw e;
        } catch (Exception e) {
            throw failedToRead(destination, e);
        }
    }

    private static CursorException failedToRead(String destination, Exception cause) {
        return new CursorException(
                "the cursors below %s cannot be read: %s: check that ZooKeeper can be reached"
                        .formatted(CanalNodes.destination(destination), cause),
                cause);
    }

    /**
     * Writes the clients as they are now, unless they are certainly written so.
     *
     * @throws CursorException if they could not be written, or may not have been, or this server does not own the destination any more
     */
    @Override
    public void flush() {
        synchronized (writing) {
            List<Subscription> newest = kept();
            if (newest.equals(written) && uncertain.isEmpty()) {
                return;
            }
            if (closed) { // by a client that subscribes late: the next store may have written newer cursors
                throw new CursorException(
                        "the cursors of " + destination + " are not written any more: they are closed");
            }
            if (!owned.getAsBoolean()) {
                throw new CursorException("the cursors of " + destination
                        + " are not written, for this server is not sure to own the destination any more");
            }
            if (!zooKeeper.getZookeeperClient().isConnected()) { // a write would wait, and other cursors with it
                throw new CursorException(
                        "the cursors of " + destination + " cannot be written: ZooKeeper cannot be reached");
            }
            try {
                write(newest);
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                throw new CursorException(
                        "the cursors of %s are not written: another server owns the destination, or %s was changed"
                                .formatted(destination, e.getPath() == null ? "its nodes" : e.getPath()),
                        e);
            } catch (CursorException e) {
                throw e;
            } catch (Exception e) {
                throw new CursorException("the cursors of %s cannot be written: %s".formatted(destination, e), e);
            }
            CursorLog.written(destination, written, newest);
            written = newest;
        }
    }

    @GuardedBy("writing") private void write(List<Subscription> newest) throws Exception {
        Set<Integer> unknown = Set.copyOf(uncertain);
        written.forEach(client -> uncertain.add(client.clientId()));
        newest.forEach(client -> uncertain.add(client.clientId()));
        nodes.write(written, newest, unknown, fence);
        uncertain.clear();
    }

    @Override
    public boolean isSetByOperator() {
        try {
            return nodes.hasText(CanalNodes.previous(destination)) || nodes.hasText(CanalNodes.damaged(destination));
        } catch (Exception e) {
            throw failedToRead(destination, e);
        }
    }

    @Override
    public Duration unwritten() {
        return timer.overdue();
    }

    /** As of every store; but if this server does not own the destination any more, it logs that and leaves the nodes as they are. */
    @Override
    public void close() {
        if (!timer.close()) {
            return;
        }
        try {
            if (owned.getAsBoolean()) {
                writeAtEnd();
            } else {
                LOG.warn(
                        "the newest cursors are not written, the next owner delivers some entries again: instance={}",
                        destination);
            }
        } finally {
            end();
        }
    }

    private void writeAtEnd() {
        try {
            flush();
        } catch (CursorException e) {
            LOG.warn(
                    "the instance ends, and its newest cursors could not be written to ZooKeeper: instance={} cursors={} cause={}"
                            + " remedy=check that ZooKeeper can be reached; the next start continues at the cursors there, and delivers some entries again",
                    destination,
                    kept(),
                    String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private void end() {
        synchronized (writing) {
            closed = true;
        }
    }
}
