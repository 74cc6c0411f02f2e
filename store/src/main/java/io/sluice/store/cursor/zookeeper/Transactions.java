package io.sluice.store.cursor.zookeeper;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult;

/** Transactions of ZooKeeper whose failures name the node, which ZooKeeper's client leaves out. */
public final class Transactions {
    private Transactions() {}

    /**
     * Does all operations, or none.
     *
     * @return their results, in the same order
     * @throws KeeperException if one fails, with its node
     * @throws Exception as by Curator
     */
    public static List<CuratorTransactionResult> run(CuratorFramework zooKeeper, List<CuratorOp> operations)
            throws Exception {
        try {
            return zooKeeper.transaction().forOperations(operations);
        } catch (KeeperException e) {
            throw withNode(e, operations);
        }
    }

    private static KeeperException withNode(KeeperException failure, List<CuratorOp> operations) {
        List<OpResult> results = failure.getResults(); // null if there was no answer
        int count = results == null ? 0 : Math.min(results.size(), operations.size());
        for (int i = 0; i < count; i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error
                    && error.getErr() == failure.code().intValue()) {
                KeeperException named = KeeperException.create(
                        failure.code(), operations.get(i).getTypeAndPath().getForPath());
                named.initCause(failure);
                return named;
            }
        }
        return failure;
    }
}
