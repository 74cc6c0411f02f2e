package io.sluice.server.ha.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.ha.Coordinator.Registration;
import io.sluice.server.ha.Coordinator.Trace;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.ha.Won;
import io.sluice.testkit.proxy.ForwardingProxy;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers ask one real ZooKeeper, and requests of the first are late there. */
@Timeout(600)
class ZooKeeperCoordinatorIT {
    private static final Duration SESSION = Duration.ofSeconds(60);
    private static final String RUNNING = "/otter/canal/destinations/shop/running";

    private static final String OWN = "/otter/sluice/destinations/shop/";
    private static final String RELEASED = OWN + "released";
    private static final String DEPLOYMENT = "/otter/sluice/deployment";

    private ZooKeeperNode node;
    private LateTransactions line;
    private CuratorFramework first;
    private CuratorFramework second;

    @BeforeEach
    void connect() {
        node = ZooKeeperNode.start();
        line = new LateTransactions(node);
        first = connection(line.port(), 1);
        second = connection(node.port(), 2);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        line.close();
        node.close();
    }

    @Test
    void aReleaseThatIsLateLeavesTheNodeOfTheNextOwnerAndIsReportedAllTheSame() throws Exception {
        ZooKeeperCoordinator former = coordinator(first, 1);
        ZooKeeperCoordinator next = coordinator(second, 2);
        Won won = former.tryToWin().get().orElseThrow();
        AtomicReference<Won> ofNext = new AtomicReference<>();
        line.beforeNextTransaction(() -> {
            second.delete().forPath(RUNNING); // as an operator does
            ofNext.set(next.tryToWin().get().orElseThrow());
        });

        former.release(won, true).get();

        assertThat(text(RUNNING)).contains("10.0.0.2:11111");
        assertThat(next.lossOf(ofNext.get()).get()).isEmpty();
        assertThat(next.trace(ofNext.get()).get()).extracting(Trace::released).isEqualTo(true);
    }

    @Test
    void aNodeOfAWinThatCameToNothingIsRemovedUnlessItIsTheNextOwnersMeanwhile() throws Exception {
        ZooKeeperCoordinator former = coordinator(first, 1);
        ZooKeeperCoordinator next = coordinator(second, 2);
        assertThat(former.tryToWin().get())
                .isPresent(); // which the former one knows nothing of, as if the answer had been lost
        AtomicReference<Won> ofNext = new AtomicReference<>();
        line.beforeNextTransaction(() -> {
            second.delete().forPath(RUNNING);
            ofNext.set(next.tryToWin().get().orElseThrow());
        });

        assertThat(former.isTaken(Registration.NONE).get()).isFalse(); // as it was when it was looked at

        assertThat(text(RUNNING)).contains("10.0.0.2:11111");
        assertThat(next.release(ofNext.get(), true).get()).isNull();
        assertThat(former.tryToWin().get()).isPresent();
        assertThat(former.isTaken(Registration.NONE).get()).isFalse();
        assertThat(second.checkExists().forPath(RUNNING)).isNull();
    }

    @Test
    void aReportOfAnOwnerFromBeforeARestoreIsNotThatOfTheOwnerWithTheSameEpoch() throws Exception {
        ZooKeeperCoordinator former = coordinator(first, 1);
        ZooKeeperCoordinator next = coordinator(second, 2);
        Won won = former.tryToWin().get().orElseThrow();
        restore();
        Won ofNext = next.tryToWin().get().orElseThrow();
        assertThat(ofNext.lease().epoch()).isEqualTo(won.lease().epoch());

        former.release(won, true).get();

        second.delete().forPath(RUNNING); // as with the session
        Won last = former.tryToWin().get().orElseThrow();
        assertThat(last.former().orElseThrow().heartbeat()).startsWith(address(2));
        assertThat(former.trace(last).get().released()).isFalse();
        next.release(ofNext, true).get();
        assertThat(former.trace(last).get().released()).isTrue();
    }

    @Test
    void anEpochThatASessionWinsAgainAfterARestoreIsNotReportedYet() throws Exception {
        ZooKeeperCoordinator former = coordinator(first, 1);
        ZooKeeperCoordinator next = coordinator(second, 2);
        Won won = former.tryToWin().get().orElseThrow();
        restore();
        former.release(won, true).get();
        Won again = former.tryToWin().get().orElseThrow();
        assertThat(again.lease().epoch()).isEqualTo(won.lease().epoch());

        second.delete().forPath(RUNNING);

        assertThat(next.tryToWin().get().orElseThrow().former()).isPresent();
    }

    @Test
    void aBareEpochIsNoReportSinceItDoesNotTellOfWhichOwner() throws Exception {
        ZooKeeperCoordinator former = coordinator(first, 1);
        ZooKeeperCoordinator next = coordinator(second, 2);
        Won won = former.tryToWin().get().orElseThrow();
        second.setData().forPath(RELEASED, Long.toString(won.lease().epoch()).getBytes(StandardCharsets.UTF_8));
        second.delete().forPath(RUNNING);

        assertThat(next.tryToWin().get().orElseThrow().former()).isPresent();
    }

    @Test
    void aNodeWithTheSameTransactionNumberInAnotherSessionIsLeftAlone() throws Exception {
        ZooKeeperCoordinator owner = coordinator(first, 1);
        Won won = owner.tryToWin().get().orElseThrow();
        Won before = new Won(
                won.lease(),
                won.session() - 1,
                won.id(),
                won.former(),
                won.written(),
                won.fence(),
                won.deployment(),
                won.epochNode());

        coordinator(second, 2).release(before, true).get();

        assertThat(text(RUNNING)).contains(address(1));
        assertThat(owner.lossOf(won).get()).isEmpty();
    }

    /** As after the nodes were copied to another ZooKeeper, with what was ephemeral. */
    @Test
    void aNodeOfNoSessionKeepsNoServerFromTheDestination() throws Exception {
        second.create()
                .creatingParentsIfNeeded()
                .forPath(RUNNING, "{\"active\":true}".getBytes(StandardCharsets.UTF_8));
        ZooKeeperCoordinator candidate = coordinator(first, 1);

        assertThat(candidate.isTaken(Registration.NONE).get()).isFalse();

        assertThat(second.checkExists().forPath(RUNNING)).isNull();
        Won won = candidate.tryToWin().get().orElseThrow();
        assertThat(coordinator(second, 2).isTaken(Registration.NONE).get()).isTrue();
        assertThat(candidate.lossOf(won).get()).isEmpty();
    }

    /** The epoch does not tell it: the terms after it have those of the terms before it. */
    @Test
    void aTermAfterTheNodesWereMadeAgainIsToldFromOneThatOnlyFollows() throws Exception {
        ZooKeeperCoordinator server = coordinator(first, 1);
        OwnershipTerm before = server.term(server.tryToWin().get().orElseThrow());
        second.delete().forPath(RUNNING);
        OwnershipTerm following = server.term(server.tryToWin().get().orElseThrow());
        restore();
        OwnershipTerm again = server.term(server.tryToWin().get().orElseThrow());
        second.delete().forPath(RUNNING);
        OwnershipTerm last = server.term(server.tryToWin().get().orElseThrow());

        assertThat(again.ownership().epoch()).isEqualTo(before.ownership().epoch());
        assertThat(last.ownership().epoch()).isEqualTo(following.ownership().epoch());
        assertThat(following.isAfterLossSince(before)).isFalse();
        assertThat(again.isAfterLossSince(before)).isTrue();
        assertThat(last.isAfterLossSince(before)).isTrue();
        assertThat(last.isAfterLossSince(again)).isFalse();
    }

    @Test
    void theIdOfTheDeploymentIsTheSameOnAllServersWhenZooKeeperHasLostIt() throws Exception {
        DeploymentNode known = new DeploymentNode(first);
        String id = known.id();
        second.delete().forPath(DEPLOYMENT);

        assertThat(known.id()).isEqualTo(id);
        assertThat(new DeploymentNode(second).id()).isEqualTo(id);

        second.delete().forPath(DEPLOYMENT);
        String made = new DeploymentNode(second).id();
        assertThat(known.id()).isEqualTo(made).isNotEqualTo(id);
    }

    /** As ZooKeeper is after it was restored from a backup of before the first election, when both sessions go on. */
    private void restore() throws Exception {
        second.delete().forPath(RUNNING);
        for (String node : List.of("epoch", "owner", "released")) {
            second.delete().forPath(OWN + node);
            second.create().forPath(OWN + node, new byte[0]);
        }
    }

    private String text(String path) throws Exception {
        return new String(second.getData().forPath(path), StandardCharsets.UTF_8);
    }

    private static CuratorFramework connection(int port, int number) {
        CuratorFramework connection = ZooKeeperClients.of(config(port, number));
        connection.start();
        return connection;
    }

    private static ClusterConfig config(int port, int number) {
        return new ClusterConfig("127.0.0.1:" + port, address(number), SESSION, Duration.ZERO, ZooKeeperAccess.OPEN);
    }

    private static String address(int number) {
        return "10.0.0." + number + ":11111";
    }

    private static ZooKeeperCoordinator coordinator(CuratorFramework zooKeeper, int number)
            throws InterruptedException {
        zooKeeper.blockUntilConnected();
        return new ZooKeeperCoordinator(
                zooKeeper,
                new ZooKeeperHeartbeats(zooKeeper, address(number), SESSION),
                new DeploymentNode(zooKeeper),
                "shop",
                address(number),
                ConcurrentHashMap.newKeySet(),
                Time.SYSTEM);
    }

    /** A line to ZooKeeper on which the test can do something just before a request with a deletion arrives. */
    private static final class LateTransactions extends ForwardingProxy {
        private static final int BUFFER_BYTES = 64 * 1024;

        /** What is before the type of a request: its length, and its number. */
        private static final int TYPE_OFFSET = 8;

        private final AtomicReference<Action> before = new AtomicReference<>();

        private interface Action {
            void run() throws Exception;
        }

        LateTransactions(ZooKeeperNode node) {
            super(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), node::port, BUFFER_BYTES);
            start();
        }

        void beforeNextTransaction(Action action) {
            before.set(action);
        }

        @Override
        protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
            run(() -> read(server, (bytes, length) -> write(client, bytes, length)));
            read(client, (bytes, length) -> {
                if (hasDeletion(ByteBuffer.wrap(bytes, 0, length))) {
                    runAction();
                }
                return write(server, bytes, length);
            });
        }

        private static boolean write(Socket to, byte[] bytes, int length) throws IOException {
            to.getOutputStream().write(bytes, 0, length);
            return true;
        }

        /** The requests here are small, so each is read in one piece. */
        private static boolean hasDeletion(ByteBuffer requests) {
            while (requests.remaining() > TYPE_OFFSET + Integer.BYTES) {
                int type = requests.getInt(requests.position() + TYPE_OFFSET);
                if (type == ZooDefs.OpCode.multi || type == ZooDefs.OpCode.delete) {
                    return true;
                }
                int end = requests.position() + Integer.BYTES + requests.getInt(requests.position());
                requests.position(Math.min(Math.max(end, requests.position() + 1), requests.limit()));
            }
            return false;
        }

        private void runAction() throws IOException {
            Action action = before.getAndSet(null);
            if (action != null) {
                try {
                    action.run();
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        }
    }
}
