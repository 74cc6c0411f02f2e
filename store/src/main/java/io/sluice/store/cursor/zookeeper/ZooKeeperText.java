package io.sluice.store.cursor.zookeeper;

import io.sluice.store.cursor.CursorException;
import io.sluice.store.text.DurableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * The text of one node in ZooKeeper, which only the owner of a destination writes.
 *
 * <p>It is read once, when it is opened. A write also checks the nodes by which this process owns the destination: if another owns it
 * meanwhile, ZooKeeper rejects the write, no matter how late it comes.
 */
public final class ZooKeeperText implements DurableText {
    private final CuratorFramework zooKeeper;
    private final String path;
    private final BooleanSupplier owned;
    private final List<NodeVersion> fence;
    private final @Nullable String first;

    private ZooKeeperText(
            CuratorFramework zooKeeper,
            String path,
            BooleanSupplier owned,
            List<NodeVersion> fence,
            @Nullable String first) {
        this.zooKeeper = zooKeeper;
        this.path = path;
        this.owned = owned;
        this.fence = List.copyOf(fence);
        this.first = first;
    }

    /**
     * Reads the node, which need not be there.
     *
     * @param zooKeeper is started; not closed here
     * @param path of the node
     * @param owned whether the destination is ours; nothing is written while it is not
     * @param fence the nodes by which the destination is owned; a write that finds them changed is rejected
     * @throws CursorException if the node cannot be read
     */
    public static ZooKeeperText open(
            CuratorFramework zooKeeper, String path, BooleanSupplier owned, List<NodeVersion> fence) {
        return new ZooKeeperText(zooKeeper, path, owned, fence, read(zooKeeper, path));
    }

    private static @Nullable String read(CuratorFramework zooKeeper, String path) {
        try {
            byte[] data = zooKeeper.getData().forPath(path);
            return data == null ? "" : new String(data, StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (Exception e) {
            throw new CursorException(
                    "the node %s cannot be read: %s: check that ZooKeeper can be reached".formatted(path, e), e);
        }
    }

    @Override
    public String location() {
        return path + " in ZooKeeper";
    }

    /** The text as it was when this was opened. */
    @Override
    public String read() throws NoSuchFileException {
        if (first == null) {
            throw new NoSuchFileException(path);
        }
        return first;
    }

    @Override
    public void replace(String text) throws IOException {
        if (!owned.getAsBoolean()) {
            throw new IOException("this server is not sure to own the destination any more");
        }
        if (!zooKeeper.getZookeeperClient().isConnected()) { // a write would wait
            throw new IOException("ZooKeeper cannot be reached");
        }
        try {
            write(text.getBytes(StandardCharsets.UTF_8));
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            throw new IOException("another server owns the destination, or its nodes were changed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ZooKeeper was asked", e);
        } catch (Exception e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private void write(byte[] data) throws Exception {
        boolean exists = zooKeeper.checkExists().forPath(path) != null;
        if (!exists) {
            MissingNodes.makeParents(zooKeeper, path);
        }
        TransactionOp transaction = zooKeeper.transactionOp();
        List<CuratorOp> operations = new ArrayList<>();
        for (NodeVersion node : fence) {
            operations.add(transaction.check().withVersion(node.version()).forPath(node.path()));
        }
        operations.add(
                exists
                        ? transaction.setData().forPath(path, data)
                        : transaction.create().forPath(path, data));
        var unused = Transactions.run(zooKeeper, operations);
    }
}
