package io.sluice.store.cursor.zookeeper;

import io.sluice.store.cursor.CursorException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.MultiOperationRecord;

/**
 * The size of a transaction in ZooKeeper's protocol. A server answers one that is too large by closing the connection, which all instances of the
 * process share, and their leases would be lost.
 */
final class TransactionSize {
    /** The limit of this process, which operators have to set to that of the servers; the default is the same. */
    private static final int MAX_BYTES = BinaryInputArchive.maxBuffer;

    /** The header of a request: its number and its type. */
    private static final int HEADER_BYTES = 8;

    private TransactionSize() {}

    /**
     * Requires that ZooKeeper accepts a transaction.
     *
     * @param zooKeeper which sends it, with its chroot in front of each path
     * @throws CursorException if it is too large
     */
    static void require(List<CuratorOp> operations, CuratorFramework zooKeeper, String destination) throws IOException {
        DataOutputStream counter = new DataOutputStream(OutputStream.nullOutputStream());
        new MultiOperationRecord(operations.stream().map(CuratorOp::get).toList())
                .serialize(new BinaryOutputArchive(counter), "request");
        long bytes = (long) counter.size() + HEADER_BYTES + (long) operations.size() * chrootBytes(zooKeeper);
        if (bytes > MAX_BYTES) {
            throw new CursorException(
                    ("the cursors of %s cannot be written to ZooKeeper: they are %d bytes with what is kept beside them, and it accepts %d: raise"
                                    + " jute.maxbuffer on its servers, and by -Djute.maxbuffer=BYTES in JAVA_OPTS here; or remove clients that are not needed any more")
                            .formatted(destination, bytes, MAX_BYTES));
        }
    }

    private static int chrootBytes(CuratorFramework zooKeeper) {
        String servers = zooKeeper.getZookeeperClient().getCurrentConnectionString();
        int slash = servers.indexOf('/');
        return slash < 0 ? 0 : servers.substring(slash).getBytes(StandardCharsets.UTF_8).length;
    }
}
