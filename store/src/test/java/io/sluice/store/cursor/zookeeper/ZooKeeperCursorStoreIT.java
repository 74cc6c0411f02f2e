package io.sluice.store.cursor.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.ReadableClients;
import io.sluice.store.cursor.Subscription;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.zookeeper.RunningZooKeeper;
import io.sluice.testkit.zookeeper.ZooKeeperRelease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ZooKeeperCursorStoreIT {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** What canal wrote for position 1234, for a source whose name nobody can resolve. */
    private static final String CANALS = """
            {"@type":"com.alibaba.otter.canal.protocol.position.LogPosition",\
            "identity":{"slaveId":-1,"sourceAddress":{"address":"no.such.host","port":3306}},\
            "postion":{"gtid":"","included":false,"journalName":"mysql-bin.000001","position":1234,\
            "serverId":1,"timestamp":1700000000000}}""";

    private static RunningZooKeeper server;
    private static CuratorFramework zooKeeper;

    @SuppressWarnings("UnusedVariable") // JUnit has it injected: what starts the server gets it from here
    @Parameter
    private ZooKeeperRelease release;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private String shop;

    @BeforeParameterizedClassInvocation
    static void start(ZooKeeperRelease release) {
        server = release.start();
        zooKeeper = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .sessionTimeoutMs(60_000)
                .connectionTimeoutMs(60_000)
                .retryPolicy(new RetryOneTime(10))
                .build();
        zooKeeper.start();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        zooKeeper.close();
        server.close();
    }

    @BeforeEach
    void nameADestination() {
        shop = "shop" + NUMBER.incrementAndGet();
    }

    @AfterEach
    void stopTimer() {
        scheduler.shutdownNow();
    }

    @Test
    void writesWhatCanalWrites() throws Exception {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions()).isEmpty();
            store.subscribe(1001, "");
            store.save(1001, position(1234));
            store.subscribe(7, "a\\..*");
        }

        assertThat(text("1001/cursor")).isEqualTo(CANALS);
        assertThat(zooKeeper.checkExists().forPath(path("1001/filter"))).isNull();
        assertThat(text("7/filter")).isEqualTo("a\\..*");
        assertThat(zooKeeper.checkExists().forPath(path("7/cursor"))).isNull();
    }

    @Test
    void aStoreThatEndsWhileZooKeeperIsUnreachableLogsItsCursorsInOneLine() throws Exception {
        put("1001/cursor", CANALS);
        CuratorFramework own = connected();
        ZooKeeperCursorStore store =
                ZooKeeperCursorStore.open(own, shop, () -> true, List.of(), scheduler, NEVER, Time.SYSTEM);
        store.save(1001, position(5678));
        own.close(); // nothing can be written by it, as without a connection
        LogLines log = LogLines.of(ZooKeeperCursorStore.class);
        try (log) {
            assertThatThrownBy(store::close).isInstanceOf(CursorException.class);
        }

        assertThat(log.events()).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getThrowableProxy()).isNull();
            assertThat(line.getFormattedMessage())
                    .contains("its newest cursors could not be written to ZooKeeper", "instance=" + shop, "5678");
        });
    }

    private static CuratorFramework connected() throws InterruptedException {
        CuratorFramework own =
                CuratorFrameworkFactory.newClient(server.connectString(), 10_000, 5_000, new RetryOneTime(10));
        own.start();
        own.blockUntilConnected();
        return own;
    }

    @Test
    void readsWhatCanalWroteWithoutResolvingNames() throws Exception {
        put("1001/cursor", CANALS);
        put("1002/filter", "b\\..*");
        put("1002/running", "{\"active\":true,\"address\":\"10.0.0.1:999\",\"clientId\":1002}");
        put("1002/mark/0000000000", "{}");
        put("running", "{}");
        put("cluster/10.0.0.1:11111", "");
        put("parse", CANALS);

        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions())
                    .containsExactly(
                            new Subscription(1001, "", position(1234)), new Subscription(1002, "b\\..*", null));
        }
    }

    @Test
    void readsEveryIdThatAClientMayHave() throws Exception {
        put("-32768/cursor", CANALS);
        put("-7/cursor", CANALS);
        put("0/filter", "b\\..*");
        put("32767/cursor", CANALS);
        put("-x/cursor", CANALS);
        put("007/cursor", CANALS);

        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions())
                    .containsExactly(
                            new Subscription(-32768, "", position(1234)),
                            new Subscription(-7, "", position(1234)),
                            new Subscription(0, "b\\..*", null),
                            new Subscription(32767, "", position(1234)));
        }
    }

    @Test
    void forgetsAClientWithAllItsNodes() throws Exception {
        put("1001/cursor", CANALS);
        put("1002/mark/0000000000", "{}");
        put("1002/filter", "b\\..*");
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.unsubscribe(1002);
        }
        assertThat(zooKeeper.getChildren().forPath(path(""))).containsExactly("1001");
    }

    @Test
    void theCursorOfTheLastClientStays() throws Exception {
        put("1001/cursor", CANALS);
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.unsubscribe(1001);
            assertThat(store.subscriptions()).isEmpty();
        }
        assertThat(text("1001/cursor")).isEqualTo(CANALS.replaceFirst("}$", ",\"unsubscribed\":true}"));
        Subscription left = new Subscription(1001, "", position(1234), 0, true);
        assertThat(new ZooKeeperCursorEditor(zooKeeper, shop).read()).containsExactly(left);
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions()).as("it has left").isEmpty();
            assertThat(store.kept()).containsExactly(left);
            store.subscribe(1001, "");
            assertThat(store.load(1001)).isEqualTo(position(1234));
        }
        assertThat(text("1001/cursor")).isEqualTo(CANALS);
    }

    @Test
    void theLastClientThatHasLeftIsForgottenWhenAnotherOneHasACursor() throws Exception {
        put("1001/cursor", CANALS);
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.unsubscribe(1001);
        }
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1002, "");
            store.save(1002, position(2000));
        }
        assertThat(zooKeeper.getChildren().forPath(path(""))).containsExactly("1002");
    }

    @Test
    void anEmptyFilterTakesAnOlderOneAway() throws Exception {
        put("7/filter", "b\\..*");
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(7, "");
        }
        assertThat(zooKeeper.checkExists().forPath(path("7/filter"))).isNull();
    }

    @Test
    void aFilterOfBlanksIsNone() throws Exception {
        put("7/filter", " ");
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions()).containsExactly(new Subscription(7, "", null));
            store.subscribe(8, " \t");
            assertThat(newestFilters(store)).isEmpty();
        }
    }

    @Test
    void keepsTheOrderOfFiltersInANodeThatCanalDoesNotSee() throws Exception {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1002, "b");
            store.subscribe(1001, "a");
            store.subscribe(1003, "");
        }
        assertThat(zooKeeper.getChildren().forPath(path("1001"))).containsExactly("filter");
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(newestFilters(store)).containsExactly("a", "b");
        }

        zooKeeper.setData().forPath(path("1002/filter"), "c".getBytes(StandardCharsets.UTF_8)); // as canal does
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(newestFilters(store)).containsExactly("c", "a");
            store.subscribe(1001, "d");
        }
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(newestFilters(store)).containsExactly("d", "c");
            store.unsubscribe(1001);
        }
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(newestFilters(store)).containsExactly("c");
        }
    }

    @Test
    void theOrderOfFiltersIsKeptWhenAnOperatorMovesACursor() {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1002, "b");
            store.subscribe(1001, "a");
        }
        ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);
        editor.replace(editor.read().stream()
                .map(client -> client.withCursor(position(5)))
                .toList());
        assertThat(editor.read()).isSortedAccordingTo(Subscription.NEWEST_FILTER_FIRST);
        editor.replace(editor.previous().orElseThrow());
        assertThat(editor.read()).hasSize(2).isSortedAccordingTo(Subscription.NEWEST_FILTER_FIRST);
    }

    @Test
    void refusesANodeThatIsNoOrderOfFilters() throws Exception {
        put("1002/filter", "b");
        create(CanalNodes.filterOrder(shop), "torn");
        assertThatThrownBy(() -> open(() -> true, List.of(), NEVER))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("/otter/sluice/destinations/" + shop + "/filters cannot be used: it is not JSON")
                .hasMessageContaining("delete it");
        assertThat(new ZooKeeperCursorEditor(zooKeeper, shop))
                .satisfies(editor -> editor.replace(List.of(new Subscription(1002, "b", position(9)))));

        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            assertThat(store.subscriptions()).containsExactly(new Subscription(1002, "b", position(9)));
        }
    }

    @Test
    void tellsWhetherAnOperatorHasChangedThemSinceTheNodesWereMade() throws Exception {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, position(1234));
            store.flush();
            assertThat(store.isSetByOperator()).isFalse();
            create(CanalNodes.previous(shop), ""); // as by a change that was not carried out
            assertThat(store.isSetByOperator()).isFalse();

            new ZooKeeperCursorEditor(zooKeeper, shop).replace(List.of());

            assertThat(store.isSetByOperator()).isTrue();
        }
    }

    private static List<String> newestFilters(CursorStore store) {
        return store.subscriptions().stream()
                .filter(client -> !client.filter().isEmpty())
                .sorted(Subscription.NEWEST_FILTER_FIRST)
                .map(Subscription::filter)
                .toList();
    }

    @Test
    void writesTheNewestCursorEveryPeriod() {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), Duration.ofMillis(5))) {
            store.subscribe(1001, "");
            for (long offset = 1; offset <= 3; offset++) {
                store.save(1001, position(offset));
                String wanted = "\"position\":" + offset + ",";
                await().ignoreExceptions().until(() -> text("1001/cursor").contains(wanted));
            }
        }
    }

    @Test
    void refusesANodeThatIsNoCursor() throws Exception {
        put("1001/cursor", "{\"x\":1}");
        assertThatThrownBy(() -> open(() -> true, List.of(), NEVER))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(path("1001/cursor"))
                .hasMessageContaining("identity is not an object but missing")
                .hasMessageContaining("bin/sluice.sh cursor set " + shop);
    }

    @Test
    void aNodeThatIsNoCursorIsReplacedByAnOperatorAndKeptApart() throws Exception {
        put("1001/cursor", CANALS);
        ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);
        editor.replace(List.of(new Subscription(1001, "", position(5))));
        zooKeeper.setData().forPath(path("1001/cursor"), "{\"x\":1}".getBytes(StandardCharsets.UTF_8));
        put("1002/cursor", CANALS);
        assertThatThrownBy(editor::read)
                .isInstanceOfSatisfying(
                        CursorException.class,
                        failure -> assertThat(failure.isDamage()).isTrue());

        editor.replace(List.of(new Subscription(1001, "", position(9))));

        assertThat(editor.read()).containsExactly(new Subscription(1001, "", position(9)));
        assertThat(editor.previous().orElseThrow())
                .as("what was there before the damage")
                .containsExactly(new Subscription(1001, "", position(1234)));
        assertThat(editor.damagedPlace()).isEqualTo(CanalNodes.damaged(shop) + " in ZooKeeper");
        assertThat(new String(zooKeeper.getData().forPath(CanalNodes.damaged(shop)), StandardCharsets.UTF_8))
                .contains("1001/cursor", "{\\\"x\\\":1}", "1002/cursor");
    }

    /** It may have been started since an operator has looked whether one runs. */
    @Test
    void cursorsAreNotReplacedWhileAServerRunsTheDestination() throws Exception {
        put("1001/cursor", CANALS);
        create(CanalNodes.running(shop), "the server");
        ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);
        List<Subscription> before = editor.read();

        assertThatThrownBy(() -> editor.replace(List.of(new Subscription(1001, "", position(9)))))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(
                        "a server runs " + shop + ", and would write its own cursors over these: stop it first");

        assertThat(editor.read()).isEqualTo(before);
        assertThat(editor.previous()).isEmpty();
        assertThat(new String(zooKeeper.getData().forPath(CanalNodes.running(shop)), StandardCharsets.UTF_8))
                .isEqualTo("the server");
    }

    @Test
    void theOtherClientsCanBeReadWhenOneIsDamagedAndADamagedOneCanBeLeftAsItIs() throws Exception {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1003, "c");
            store.subscribe(1002, "b");
            store.subscribe(1001, "a");
            store.save(1001, position(1234));
            store.save(1002, position(2000));
            store.save(1003, position(3000));
        }
        List<Subscription> before = new ZooKeeperCursorEditor(zooKeeper, shop).read();
        zooKeeper.setData().forPath(path("1001/cursor"), "torn".getBytes(StandardCharsets.UTF_8));
        zooKeeper.setData().forPath(path("1002/cursor"), "torn, too".getBytes(StandardCharsets.UTF_8));
        ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);

        assertThat(editor.readable())
                .isEqualTo(new ReadableClients(
                        List.of(before.get(2)), withoutCursors(before.get(0), before.get(1)), false, false));
        editor.replace(List.of(before.get(0), before.get(2)), Set.of(1002));

        assertThat(text("1002/cursor")).isEqualTo("torn, too");
        assertThat(editor.readable())
                .isEqualTo(new ReadableClients(
                        List.of(before.get(0), before.get(2)), withoutCursors(before.get(1)), false, false));
        editor.replace(before);
        assertThat(editor.read()).isEqualTo(before).isSortedAccordingTo(Subscription.NEWEST_FILTER_FIRST);
        assertThat(editor.readable()).isEqualTo(ReadableClients.all(before));
    }

    private static List<Subscription> withoutCursors(Subscription... clients) {
        return Stream.of(clients).map(client -> client.withCursor(null)).toList();
    }

    @Test
    void theOrderOfFiltersIsKeptWhileADamagedClientIsLeftAsItIs() throws Exception {
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.subscribe(1002, "b");
            store.subscribe(1001, "a");
            store.save(1001, position(1234));
            store.save(1002, position(2000));
        }
        String order = new String(zooKeeper.getData().forPath(CanalNodes.filterOrder(shop)), StandardCharsets.UTF_8);
        zooKeeper.setData().forPath(path("1001/cursor"), "torn".getBytes(StandardCharsets.UTF_8));
        ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);

        editor.replace(editor.readable().clients(), Set.of(1001));

        assertThat(new String(zooKeeper.getData().forPath(CanalNodes.filterOrder(shop)), StandardCharsets.UTF_8))
                .isEqualTo(order);
    }

    @Test
    void allClientsCanBeReadWhenOnlyTheOrderOfTheirFiltersIsDamaged() throws Exception {
        put("1001/cursor", CANALS);
        put("1002/filter", "b");
        create(CanalNodes.filterOrder(shop), "torn");

        ReadableClients readable = new ZooKeeperCursorEditor(zooKeeper, shop).readable();

        assertThat(readable)
                .isEqualTo(new ReadableClients(
                        List.of(new Subscription(1001, "", position(1234)), new Subscription(1002, "b", null)),
                        List.of(),
                        true,
                        false));
    }

    @Test
    void aWriteOfAFormerOwnerIsRefused() throws Exception {
        put("1001/cursor", CANALS);
        put("owner", "");
        ZooKeeperCursorStore store = open(() -> true, List.of(new NodeVersion(path("owner"), 0)), NEVER);
        store.save(1001, position(2000));
        store.flush();
        assertThat(text("1001/cursor")).contains("\"position\":2000,");

        zooKeeper.setData().forPath(path("owner"), new byte[] {1});
        store.save(1001, position(3000));

        assertThatThrownBy(store::flush)
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("another server owns");
        assertThatThrownBy(store::close).isInstanceOf(CursorException.class);
        assertThat(text("1001/cursor")).contains("\"position\":2000,");
    }

    /** As when the connection is lost before the answer: the nodes may have what was reported as not written. */
    @Test
    void whatWasThereBeforeAnUncertainWriteIsWrittenAgain() throws Exception {
        put("1001/cursor", CANALS);
        put("owner", "");
        try (ZooKeeperCursorStore store = open(() -> true, List.of(new NodeVersion(path("owner"), 0)), NEVER)) {
            zooKeeper.delete().forPath(path("owner"));
            store.save(1001, position(3000));
            store.subscribe(1002, "b");
            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);
            put("owner", "");
            zooKeeper
                    .setData()
                    .forPath(path("1001/cursor"), CANALS.replace("1234", "3000").getBytes(StandardCharsets.UTF_8));
            put("1002/filter", "b");
            create(CanalNodes.filterOrder(shop), "[{\"clientId\":1002,\"filter\":\"b\"}]");
            store.save(1001, position(1234));
            store.unsubscribe(1002);
            store.flush();

            assertThat(text("1001/cursor")).isEqualTo(CANALS);
            assertThat(zooKeeper.checkExists().forPath(path("1002"))).isNull();
            assertThat(new String(zooKeeper.getData().forPath(CanalNodes.filterOrder(shop)), StandardCharsets.UTF_8))
                    .isEqualTo("[]");
        }
    }

    /** A server closes the connection of such a request, which all instances of the process share. */
    @Test
    void whatIsTooLargeForZooKeeperIsRefusedAndTheSessionIsKept() throws Exception {
        put("1001/cursor", CANALS);
        long session = zooKeeper.getZookeeperClient().getZooKeeper().getSessionId();
        AtomicInteger losses = new AtomicInteger();
        ConnectionStateListener listener = (client, state) -> {
            if (!state.isConnected()) { // the first connection may be announced late
                losses.incrementAndGet();
            }
        };
        zooKeeper.getConnectionStateListenable().addListener(listener);
        try (ZooKeeperCursorStore store = open(() -> true, List.of(), NEVER)) {
            store.save(1001, withGtids(1_100_000));

            assertThatThrownBy(store::flush)
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining("jute.maxbuffer")
                    .hasMessageContaining("it accepts 1048575");
            ZooKeeperCursorEditor editor = new ZooKeeperCursorEditor(zooKeeper, shop);
            assertThatThrownBy(() -> editor.replace(List.of(new Subscription(1001, "", withGtids(1_100_000)))))
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining("jute.maxbuffer");

            store.save(1001, withGtids(1_047_000)); // as much as there is room for
        }

        assertThat(text("1001/cursor")).hasSizeGreaterThan(1_047_000);
        assertThat(zooKeeper.getZookeeperClient().getZooKeeper().getSessionId()).isEqualTo(session);
        assertThat(losses).hasValue(0);
        zooKeeper.getConnectionStateListenable().removeListener(listener);
    }

    private static Cursor withGtids(int length) {
        return new Cursor("no.such.host", 3306, new BinlogPosition("mysql-bin.000001", 4), "g".repeat(length), 1, 1);
    }

    @Test
    void nothingIsWrittenWithoutOwnership() throws Exception {
        put("1001/cursor", CANALS);
        ZooKeeperCursorStore store = open(() -> false, List.of(), NEVER);
        store.save(1001, position(2000));
        assertThatThrownBy(store::flush).isInstanceOf(CursorException.class).hasMessageContaining("not sure to own");
        store.close();
        assertThat(text("1001/cursor")).isEqualTo(CANALS);
    }

    private ZooKeeperCursorStore open(BooleanSupplier owned, List<NodeVersion> fence, Duration period) {
        return ZooKeeperCursorStore.open(zooKeeper, shop, owned, fence, scheduler, period, Time.SYSTEM);
    }

    private String path(String below) {
        String path = "/otter/canal/destinations/" + shop;
        return below.isEmpty() ? path : path + "/" + below;
    }

    private String text(String below) throws Exception {
        return new String(zooKeeper.getData().forPath(path(below)), StandardCharsets.UTF_8);
    }

    private void put(String below, String text) throws Exception {
        create(path(below), text);
    }

    /** By requests that the oldest release knows, too. */
    private static void create(String path, String text) throws Exception {
        ZooKeeper client = zooKeeper.getZookeeperClient().getZooKeeper();
        ZKPaths.mkdirs(client, path, false);
        client.create(path, text.getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static Cursor position(long offset) {
        return new Cursor("no.such.host", 3306, new BinlogPosition("mysql-bin.000001", offset), "", 1, 1700000000000L);
    }
}
