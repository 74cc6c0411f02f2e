package io.sluice.server.ha.zookeeper;

import io.sluice.protocol.time.Time;
import io.sluice.server.ha.Coordinator;
import io.sluice.server.ha.FormerOwner;
import io.sluice.server.ha.Lease;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.ha.Won;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import io.sluice.store.cursor.zookeeper.NodeVersion;
import io.sluice.store.cursor.zookeeper.Transactions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates by the nodes of a destination in ZooKeeper: the session that has created canal's node {@code running} owns it.
 *
 * <p>One transaction creates and writes that node, so that its version is 1, and 0 if canal created it; writes the epoch node,
 * whose version counts the owners; describes the owner in a node of its own; and writes the first heartbeat. The first two are
 * not written again while the owner stays, so canal's clients, which watch {@code running}, are not woken, and the versions are
 * a fence for the owner's writes.
 *
 * <p>Questions that the owner asks while its service runs return at once; all others wait for the answer.
 */
final class ZooKeeperCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);
    private static final String INACTIVE = "\"active\":false";

    private final CuratorFramework zooKeeper;
    private final ZooKeeperHeartbeats heartbeats;
    private final DeploymentNode deployment;
    private final String destination;
    private final String address;
    private final Time time;
    private final String running;
    private final CandidateNode candidate;
    private volatile Runnable task = () -> {};

    /** Always the same one, or ZooKeeper's client would gather them. */
    private final Watcher watcher = event -> task.run();

    ZooKeeperCoordinator(
            CuratorFramework zooKeeper,
            ZooKeeperHeartbeats heartbeats,
            DeploymentNode deployment,
            String destination,
            String address,
            Set<CandidateNode> candidateRetries,
            Time time) {
        this.zooKeeper = zooKeeper;
        this.heartbeats = heartbeats;
        this.deployment = deployment;
        this.destination = destination;
        this.address = address;
        this.time = time;
        this.running = CanalNodes.running(destination);
        this.candidate = new CandidateNode(
                new EphemeralNode(zooKeeper, CanalNodes.candidates(destination) + "/" + address), candidateRetries);
    }

    @Override
    public void onChange(Runnable newTask) {
        task = newTask;
    }

    private static <T> CompletableFuture<T> answer(Callable<T> question) {
        try {
            return CompletableFuture.completedFuture(question.call());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(e);
        } catch (Throwable e) { // also an Error, as when the client cannot start a thread
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Boolean> isTaken(Registration registration) {
        return answer(() -> {
            Stat stat = zooKeeper.checkExists().usingWatcher(watcher).forPath(running);
            boolean isTaken = stat != null && isOfAnother(stat);
            register(registration.isDue(isTaken));
            if (stat != null && !isTaken) {
                deleteUnlessOfAnother();
            }
            return isTaken;
        });
    }

    private boolean isOfAnother(Stat running) throws Exception {
        return running.getEphemeralOwner() != heartbeats.session() && !isOfNone(running);
    }

    /** As in a copy of the nodes, or made by hand: no session ends with it, so all servers would wait for ever. */
    private static boolean isOfNone(Stat running) {
        return running.getEphemeralOwner() == EphemeralNode.PERSISTENT;
    }

    private void register(boolean isCandidate) throws Exception {
        if (isCandidate) {
            candidate.ensure();
        } else {
            candidate.ensureAbsent();
        }
    }

    /** Deletes {@code running} if this session has it, as after a win whose answer was lost, or if none has. */
    private void deleteUnlessOfAnother() throws Exception {
        String epochPath = CanalNodes.epoch(destination);
        heartbeats.ensure(epochPath);
        // In this order: if the epoch has not changed when the transaction is done, neither has the owner.
        int epoch = zooKeeper.checkExists().forPath(epochPath).getVersion();
        Stat stat = zooKeeper.checkExists().forPath(running);
        if (stat == null || isOfAnother(stat)) {
            return;
        }
        try {
            var unused = Transactions.run(zooKeeper, deletion(epoch, stat));
            if (isOfNone(stat)) {
                LOG.warn(
                        "the node of the owner belonged to no session, and was deleted: instance={} node={}",
                        destination,
                        running);
            }
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            // Deleted or changed by another client meanwhile: seen by the next check.
        }
    }

    /**
     * The operations that delete {@code running}, unless another server has been elected. Its version does not tell that, since the node of each owner has
     * the same one; and the operations may be executed long after the node was looked at.
     *
     * @param epoch of the owner whose node was found
     */
    private List<CuratorOp> deletion(int epoch, Stat found) throws Exception {
        TransactionOp operation = zooKeeper.transactionOp();
        return List.of(
                operation.check().withVersion(epoch).forPath(CanalNodes.epoch(destination)),
                operation.delete().withVersion(found.getVersion()).forPath(running));
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        return answer(() -> {
            candidate.giveUp(); // also without a connection
            heartbeats.requireConnection();
            candidate.ensureAbsent();
            return null;
        });
    }

    @Override
    public CompletableFuture<Candidates> candidates() {
        return heartbeats
                .childrenOf(CanalNodes.destinations())
                .thenCombine(heartbeats.childrenOf(CanalNodes.candidates(destination)), Candidates::new);
    }

    @Override
    public CompletableFuture<Optional<Won>> tryToWin() {
        return answer(() -> {
            long session = heartbeats.session();
            String epochPath = CanalNodes.epoch(destination);
            String id = deployment.id();
            heartbeats.ensure(CanalNodes.destination(destination));
            heartbeats.ensure(epochPath);
            heartbeats.ensure(CanalNodes.owner(destination));
            heartbeats.ensure(CanalNodes.released(destination));
            heartbeats.ensure(heartbeats.path(session));
            // In this order: if the epoch has not changed when the transaction is done, neither has the owner.
            int before = zooKeeper.checkExists().forPath(epochPath).getVersion();
            Optional<FormerOwner> last = OwnerNode.parse(text(CanalNodes.owner(destination)));
            Stat report = new Stat();
            String released = releasedText(report);
            Optional<FormerOwner> former = last.filter(owner -> !OwnerNode.isReportOf(owner, released));

            Duration length = heartbeats.leaseLength();
            OwnerNode own = new OwnerNode(before + 1, heartbeats.name(session), OwnerNode.leaseToWrite(former, length));
            byte[] state =
                    "{\"active\":true,\"address\":\"%s\"}".formatted(address).getBytes(StandardCharsets.UTF_8);
            TransactionOp operation = zooKeeper.transactionOp();
            Lease.Instant asked = Lease.Instant.now(time);
            List<CuratorTransactionResult> results;
            try {
                results = Transactions.run(
                        zooKeeper,
                        List.of(
                                operation
                                        .create()
                                        .withMode(CreateMode.EPHEMERAL)
                                        .forPath(running, state),
                                operation.setData().forPath(running, state),
                                operation.setData().withVersion(before).forPath(epochPath, bytes(address)),
                                operation.setData().forPath(CanalNodes.owner(destination), bytes(own.text())),
                                // After ZooKeeper was restored, this session may win the epoch again that it has
                                // reported.
                                operation
                                        .setData()
                                        .withVersion(report.getVersion())
                                        .forPath(CanalNodes.released(destination), new byte[0]),
                                operation.setData().forPath(heartbeats.path(session), new byte[0])));
            } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
                return Optional.empty();
            }
            Stat made = results.get(1).getResultStat();
            if (made.getEphemeralOwner() != session) {
                throw new KeeperException.SessionExpiredException(); // Reads of two sessions prove nothing.
            }
            return Optional.of(new Won(
                    new Lease(own.epoch(), length, time, asked),
                    session,
                    made.getCzxid(),
                    former,
                    own.lease(),
                    List.of(new NodeVersion(running, made.getVersion()), new NodeVersion(epochPath, (int) own.epoch())),
                    id,
                    identityOf(results.get(2).getResultStat())));
        });
    }

    /** With the time, since the numbers of transactions come again when ZooKeeper has lost its data. */
    private static String identityOf(Stat node) {
        return node.getCzxid() + "/" + node.getCtime();
    }

    /** Has the watcher called when that changes. */
    private String releasedText(Stat stat) throws Exception {
        byte[] text =
                zooKeeper.getData().storingStatIn(stat).usingWatcher(watcher).forPath(CanalNodes.released(destination));
        return new String(text, StandardCharsets.UTF_8);
    }

    private String text(String path) throws Exception {
        return new String(zooKeeper.getData().forPath(path), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public CompletableFuture<Trace> trace(Won won) {
        return answer(() -> {
            FormerOwner former = won.former().orElseThrow();
            boolean released = OwnerNode.isReportOf(former, releasedText(new Stat()));
            Stat beat = zooKeeper.checkExists().forPath(ZooKeeperHeartbeats.pathOf(former.heartbeat()));
            if (heartbeats.session() != won.session()) {
                throw new KeeperException.SessionExpiredException(); // Another session may have won.
            }
            return new Trace(released, beat == null ? 0 : beat.getMzxid());
        });
    }

    @Override
    public CompletableFuture<Void> writeOwnLease(Won won) {
        return answer(() -> {
            heartbeats.requireConnection();
            long epoch = won.lease().epoch();
            OwnerNode own = new OwnerNode(
                    epoch, heartbeats.name(won.session()), won.lease().length());
            TransactionOp operation = zooKeeper.transactionOp();
            var unused = Transactions.run(
                    zooKeeper,
                    List.of(
                            operation.check().withVersion((int) epoch).forPath(CanalNodes.epoch(destination)),
                            operation.setData().forPath(CanalNodes.owner(destination), bytes(own.text()))));
            return null;
        });
    }

    /** A client whose session is another one's has not seen the win, and may give an answer from before it. */
    @Override
    public CompletableFuture<Optional<String>> lossOf(Won won) {
        return heartbeats.ask((client, answer) -> {
            if (client.getSessionId() != won.session()) {
                answer.give(KeeperException.Code.OK.intValue(), running, Optional.of("the session was replaced"));
                return;
            }
            client.getData(
                    running,
                    watcher,
                    (code, path, context, data, stat) -> {
                        if (code == KeeperException.Code.NONODE.intValue()) {
                            answer.give(
                                    KeeperException.Code.OK.intValue(),
                                    path,
                                    Optional.of("its node was deleted, or the session has ended"));
                        } else {
                            answer.give(code, path, data == null ? Optional.empty() : lossBy(won, stat, data));
                        }
                    },
                    null);
        });
    }

    private static Optional<String> lossBy(Won won, Stat stat, byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        if (!isNodeOf(won, stat)) {
            return Optional.of("another server has it: " + text);
        }
        return text.replace(" ", "").contains(INACTIVE) ? Optional.of("its node was set inactive") : Optional.empty();
    }

    /** The number of a transaction comes again when ZooKeeper has lost its data or was restored, that of a session does not. */
    private static boolean isNodeOf(Won won, Stat running) {
        return running.getCzxid() == won.id() && running.getEphemeralOwner() == won.session();
    }

    @Override
    public CompletableFuture<Void> release(Won won, boolean silent) {
        return answer(() -> {
            heartbeats.requireConnection();
            Stat stat = zooKeeper.checkExists().forPath(running);
            List<CuratorOp> report = silent ? List.of(reportOf(won)) : List.of();
            if (stat == null || !isNodeOf(won, stat) || !leave(won, stat, report)) {
                run(report);
            }
            return null;
        });
    }

    /** Returns whether the node was deleted, with the other operations; if not, it is not the one of this win any more. */
    private boolean leave(Won won, Stat found, List<CuratorOp> others) throws Exception {
        List<CuratorOp> operations = new ArrayList<>(deletion((int) won.lease().epoch(), found));
        operations.addAll(others);
        try {
            run(operations);
            return true;
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            return false;
        }
    }

    private CuratorOp reportOf(Won won) throws Exception {
        String report = OwnerNode.report(won.lease().epoch(), heartbeats.name(won.session()));
        return zooKeeper.transactionOp().setData().forPath(CanalNodes.released(destination), bytes(report));
    }

    private void run(List<CuratorOp> operations) throws Exception {
        if (!operations.isEmpty()) {
            var unused = Transactions.run(zooKeeper, operations);
        }
    }

    @Override
    public boolean isInSession(Won won) {
        try {
            return zooKeeper.getZookeeperClient().isConnected() && heartbeats.session() == won.session();
        } catch (Exception e) {
            return false;
        }
    }

    @Override
    public OwnershipTerm term(Won won) {
        return new OwnershipTerm(won.lease(), zooKeeper, won.fence(), won.deployment(), won.epochNode());
    }
}
