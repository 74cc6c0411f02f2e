package io.sluice.server.ha.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.FormatMethod;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.config.text.Secret;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.Obstacle;
import io.sluice.server.ha.RecordingService;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.zookeeper.ZooKeeperCursorEditor;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that accepts TLS only, and nodes that only an authenticated client may change. */
@Timeout(600)
class SecureZooKeeperIT {
    private static final String PASSWORD = "secret of the store";
    private static final String RUNNING = "/otter/canal/destinations/shop/running";
    private static final Optional<ZooKeeperAccess.Login> LOGIN =
            Optional.of(new ZooKeeperAccess.Login("sluice", new Secret("carry them all")));

    @TempDir
    private static Path folder;

    private static ZooKeeperNode node;

    @BeforeAll
    static void start() {
        for (String name : List.of("zookeeper", "stranger")) {
            keytool(
                    "-genkeypair -alias %s -keyalg EC -dname CN=%s -ext san=ip:127.0.0.1,dns:localhost -keystore %s.p12",
                    name, name, name);
            keytool("-exportcert -alias %s -file %s.crt -keystore %s.p12", name, name, name);
            keytool("-importcert -noprompt -alias %s -file %s.crt -keystore trust-%s.p12", name, name, name);
        }
        node = ZooKeeperNode.startSecure(
                folder.resolve("zookeeper.p12"), folder.resolve("trust-stranger.p12"), PASSWORD);
    }

    @FormatMethod
    private static void keytool(String arguments, Object... names) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments.formatted(names).split(" ")));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Commands.require(folder, Map.of(), command);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static ClusterConfig config(
            String trusted, Optional<ZooKeeperAccess.Login> login, ZooKeeperAccess.Acl acl) {
        return config("", trusted, login, acl);
    }

    private static ClusterConfig config(
            String chroot, String trusted, Optional<ZooKeeperAccess.Login> login, ZooKeeperAccess.Acl acl) {
        KeyStoreFile trust = new KeyStoreFile(
                "PKCS12", folder.resolve("trust-" + trusted + ".p12").toString(), PASSWORD);
        return new ClusterConfig(
                node.connectString() + chroot,
                "10.0.0.1:11111",
                Duration.ofSeconds(30), // so long that no session ends in a pause of a slow machine
                Duration.ZERO,
                new ZooKeeperAccess(
                        Optional.of(new ZooKeeperAccess.Tls(Optional.of(trust), Optional.empty(), true)), login, acl));
    }

    @Test
    void aDestinationIsOwnedOverTlsAndAnUnauthenticatedClientMayOnlyRead() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        RecordingService service = new RecordingService();
        Cluster cluster = Cluster.join(config("zookeeper", LOGIN, ZooKeeperAccess.Acl.CREATOR), Time.SYSTEM);
        Candidacy candidacy = cluster.candidacyFor("shop", service);
        candidacy.want();
        try (CuratorFramework stranger =
                ZooKeeperClients.of(config("zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            stranger.start();
            await().atMost(Duration.ofMinutes(1)).until(service::isRunning);
            try (CursorStore cursors = service.term().openCursors("shop", scheduler, Duration.ofDays(1), Time.SYSTEM)) {
                cursors.subscribe(1001, "");
            }

            assertThat(new String(stranger.getData().forPath(RUNNING), StandardCharsets.UTF_8))
                    .contains("10.0.0.1:11111");
            assertThat(stranger.checkExists().forPath("/otter/canal/destinations/shop/1001"))
                    .isNotNull();
            assertThatThrownBy(() -> stranger.setData().forPath(RUNNING, new byte[0]))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> stranger.delete().forPath(RUNNING))
                    .isInstanceOf(KeeperException.NoAuthException.class);
        } finally {
            candidacy.beginClose(Duration.ZERO);
            candidacy.awaitEnd();
            cluster.close();
            scheduler.shutdownNow();
        }
    }

    /** As after ZooKeeper has lost all its data. */
    @Test
    void theNodesThatAnOperatorMakesByACommandAreProtected() throws Exception {
        try (CuratorFramework operator = ZooKeeperClients.of(config("zookeeper", LOGIN, ZooKeeperAccess.Acl.CREATOR));
                CuratorFramework stranger =
                        ZooKeeperClients.of(config("zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            operator.start();
            stranger.start();
            if (operator.checkExists().forPath("/otter") != null) {
                operator.delete().deletingChildrenIfNeeded().forPath("/otter");
            }
            Cursor cursor = new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 4), "", 1, 0);

            new ZooKeeperCursorEditor(operator, "orders")
                    .replace(List.of(new Subscription(1001, "orders", cursor, 0)), Set.of());

            List<String> nodes = new ArrayList<>();
            addWithChildren("/otter", stranger, nodes);
            assertThat(nodes)
                    .contains(
                            "/otter/canal/destinations/orders/1001/cursor",
                            "/otter/sluice/destinations/orders/epoch",
                            "/otter/sluice/destinations/orders/previous");
            for (String each : nodes) {
                assertThat(stranger.getACL().forPath(each))
                        .as(each)
                        .allSatisfy(acl -> assertThat(
                                        acl.getId().getScheme().equals("world") && acl.getPerms() != ZooDefs.Perms.READ)
                                .isFalse());
            }
        }
    }

    @Test
    void aRefusalOfAnOperatorsChangeNamesTheNode() throws Exception {
        try (CuratorFramework operator = ZooKeeperClients.of(config("zookeeper", LOGIN, ZooKeeperAccess.Acl.CREATOR));
                CuratorFramework stranger =
                        ZooKeeperClients.of(config("zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            operator.start();
            stranger.start();
            new ZooKeeperCursorEditor(operator, "refused").replace(List.of(), Set.of());

            assertThatThrownBy(() -> new ZooKeeperCursorEditor(stranger, "refused").replace(List.of(), Set.of()))
                    .hasMessageEndingWith("NoAuth for /otter/canal/destinations/refused/running");
            assertThatThrownBy(() -> new ZooKeeperCursorEditor(stranger, "unknown").replace(List.of(), Set.of()))
                    .hasMessageEndingWith("NoAuth for /otter/canal/destinations/unknown");
        }
    }

    /** The obstacles of a server without a login, but for silence, which a slow machine may cause. */
    private static List<Obstacle> obstaclesBelow(String chroot) throws Exception {
        RecordingService service = new RecordingService();
        Cluster cluster =
                Cluster.join(config(chroot, "zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN), Time.SYSTEM);
        Candidacy candidacy = cluster.candidacyFor("shop", service);
        candidacy.want();
        try {
            return await().atMost(Duration.ofMinutes(1))
                    .until(
                            () -> service.obstacles().stream()
                                    .filter(obstacle -> obstacle.kind() != Obstacle.Kind.SILENCE)
                                    .toList(),
                            obstacles -> !obstacles.isEmpty());
        } finally {
            candidacy.beginClose(Duration.ZERO);
            candidacy.awaitEnd();
            cluster.close();
        }
    }

    /** As after an upgrade from a server with another login. */
    @Test
    void aRefusalOfAnElectionNamesTheNode() throws Exception {
        String epoch = "/otter/sluice/destinations/shop/epoch";
        try (CuratorFramework operator = ZooKeeperClients.of(config("zookeeper", LOGIN, ZooKeeperAccess.Acl.CREATOR));
                CuratorFramework stranger =
                        ZooKeeperClients.of(config("zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            operator.start();
            stranger.start();
            stranger.create().creatingParentsIfNeeded().forPath("/mixed/otter/sluice/destinations/shop", new byte[0]);
            operator.create().forPath("/mixed" + epoch, new byte[0]);

            assertThat(obstaclesBelow("/mixed"))
                    .extracting(Obstacle::message)
                    .last(InstanceOfAssertFactories.STRING)
                    .startsWith("ZooKeeper rejects this server's login or request: ")
                    .endsWith("NoAuth for " + epoch);
        }
    }

    /** The most likely mistake of a new cluster. */
    @Test
    void aPathOfTheConnectionThatDoesNotExistIsNoSilence() throws Exception {
        assertThat(obstaclesBelow("/missing")).last().satisfies(obstacle -> {
            assertThat(obstacle.message()).contains("NoNode for /otter");
            assertThat(obstacle.remedy()).contains("canal.zkServers");
        });
        try (ClusterView view =
                ClusterView.open(config("/missing", "zookeeper", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            assertThat(view.awaitConnection()).isTrue();
            assertThat(view.rejection("shop"))
                    .hasValueSatisfying(refusal -> assertThat(refusal.remedy())
                            .contains("canal.zkServers")
                            .doesNotContain("auth"));
        }
    }

    private static void addWithChildren(String parent, CuratorFramework zooKeeper, List<String> nodes)
            throws Exception {
        nodes.add(parent);
        for (String child : zooKeeper.getChildren().forPath(parent)) {
            addWithChildren(parent + "/" + child, zooKeeper, nodes);
        }
    }

    @Test
    void aServerThatIsNotTrustedIsNotUsed() throws Exception {
        try (CuratorFramework wary =
                ZooKeeperClients.of(config("stranger", Optional.empty(), ZooKeeperAccess.Acl.OPEN))) {
            wary.start();
            assertThat(wary.blockUntilConnected(2, TimeUnit.SECONDS)).isFalse();
        }
    }
}
