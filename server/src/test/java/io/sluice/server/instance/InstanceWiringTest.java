package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pull.PullClients;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.source.search.SmallestCursor;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.Waiting;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class InstanceWiringTest {
    /** As canal writes it for a client that has subscribed with a filter; Sluice adds that it has left. */
    private static final String META = """
            {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":"shop\\\\..*"},\
            "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},\
            "postion":{"gtid":"","included":false,"journalName":"mysql-bin.000001","position":1234,\
            "serverId":1,"timestamp":1700000000000}}%s}],"destination":"shop"}""";

    @TempDir
    private Path home;

    private Configuration configuration() throws Exception {
        return configuration("canal.serverMode = tcp");
    }

    private Configuration configuration(String mode) throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.instance.filter.regex = till\\\\..*
                canal.mq.topic = shop
                """);
        Path server =
                Files.writeString(home.resolve("conf/canal.properties"), """
                %s
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.file.data.dir = %s
                """.formatted(mode, home.resolve("cursors")));
        return ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
    }

    /** The port may be open when an instance is made, as during a reload, so clients come before it is started. */
    @ParameterizedTest
    @ValueSource(strings = {"", ",\"unsubscribed\":true"})
    void aClientThatComesBeforeTheStartKeepsItsStoredFilter(String left) throws Exception {
        Path meta = home.resolve("cursors/shop/meta.dat");
        Files.createDirectories(meta.getParent());
        Files.writeString(meta, META.formatted(left));
        Configuration configuration = configuration();
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            Instance instance = new InstanceWiring(pools)
                    .pulled(
                            configuration.instances().get(0),
                            1,
                            OwnershipTerm.sole(),
                            DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM),
                            (name, cause) -> {});
            instance.pullClients().orElseThrow().subscribe(1001, "");
            instance.stop(Duration.ZERO);
        }
        assertThat(meta).content().contains("\"filter\":\"shop\\\\..*\"");
    }

    /** As operators of canal do it to have an instance begin at a configured position. */
    @Test
    void aCursorFileThatIsRemovedAfterTheInstanceHasFailedStaysRemoved() throws Exception {
        Path meta = home.resolve("cursors/shop/meta.dat");
        Files.createDirectories(meta.getParent());
        Files.writeString(meta, META.formatted(""));
        Configuration configuration = configuration();
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);
            Instance failed = pulled(configuration, pools, state);
            failed.failDelivery(new IllegalStateException("no port"));
            assertThat(failed.state()).isEqualTo(InstanceState.FAILED);
            Files.delete(meta);
            failed.stop(Duration.ZERO);

            Instance next = pulled(configuration, pools, state);

            assertThat(next.subscriptions()).isZero();
            assertThat(meta).doesNotExist();
            next.stop(Duration.ZERO);
        }
    }

    private static Instance pulled(Configuration configuration, SharedPools pools, DestinationState state) {
        return new InstanceWiring(pools)
                .pulled(configuration.instances().get(0), 1, OwnershipTerm.sole(), state, (name, cause) -> {});
    }

    /** The state of a destination is kept when it is removed; a ring with its entries, and what delivers it, must not be. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theStateOfADestinationHoldsNothingOfAnInstanceThatHasEnded(boolean isAbandoned) throws Exception {
        Configuration configuration = configuration();
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);

            WeakReference<PullClients> clients = clientsOfAnEndedInstance(configuration, pools, state, isAbandoned);

            Waiting.await().until(() -> {
                System.gc();
                return clients.refersTo(null);
            });
            state.pace().resume();
            assertThat(state.pace().status().paused()).isFalse();
        }
    }

    private static WeakReference<PullClients> clientsOfAnEndedInstance(
            Configuration configuration, SharedPools pools, DestinationState state, boolean isAbandoned)
            throws InterruptedException {
        Instance instance = new InstanceWiring(pools)
                .pulled(configuration.instances().get(0), 1, OwnershipTerm.sole(), state, (name, cause) -> {});
        WeakReference<PullClients> clients =
                new WeakReference<>(instance.pullClients().orElseThrow());
        if (isAbandoned) {
            instance.abandon();
        } else {
            instance.stop(Duration.ZERO);
        }
        return clients;
    }

    /** A reader that is left would be a second replica with the id of the next owner's, until the process ends. */
    @Test
    void anInstanceWhoseProducerCannotBeClosedIsAbandonedAllTheSame() throws Exception {
        Configuration configuration =
                configuration("canal.serverMode = rocketMQ\nrocketmq.namesrv.addr = 127.0.0.1:9876");
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);
            Instance instance = sending(configuration, pools, state);
            instance.start();
            assertThat(threads()).contains("shop-reader", "sender-shop");

            assertThatThrownBy(instance::abandon).isInstanceOf(NoClassDefFoundError.class);

            Waiting.await().until(() -> threads().stream().noneMatch(Set.of("shop-reader", "sender-shop")::contains));
            Instance next = sending(configuration, pools, state);
            assertThatThrownBy(() -> next.stop(Duration.ZERO)).isInstanceOf(NoClassDefFoundError.class);
        }
    }

    private static Instance sending(Configuration configuration, SharedPools pools, DestinationState state) {
        return new InstanceWiring(pools)
                .sending(
                        configuration.instances().get(0),
                        configuration.server().mq(),
                        OwnershipTerm.sole(),
                        state,
                        new UnclosableProducer(),
                        (name, cause) -> {});
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }

    /** One whose client lacks a class that is needed at its end. */
    private static final class UnclosableProducer extends UnbufferedProducer {
        @Override
        public void send(Message message, DeliveryCallback callback) {
            callback.failed(new IllegalStateException("there is no broker"), FailureKind.PASSING);
        }

        @Override
        public void close(Duration longest) {
            throw new NoClassDefFoundError("a class of the broker's client");
        }
    }

    @Test
    void afterAResetNoCursorOfAClientThatIsNotServedHoldsTheNextStartBack() {
        CursorStore cursors = new MemoryCursorStore();
        cursors.replaceAll(List.of(
                new Subscription(Subscription.QUEUE_CLIENT, "", at(300), 0), new Subscription(1002, "", at(4), 0)));

        InstanceWiring.moveOthers(cursors, at(700));

        assertThat(SmallestCursor.of(cursors.kept()))
                .as("what is not acked is sent again after a restart")
                .isEqualTo(at(300));
        cursors.save(Subscription.QUEUE_CLIENT, at(700));
        assertThat(SmallestCursor.of(cursors.kept())).isEqualTo(at(700));
    }

    /** Changes may be missing for the other client, which must not be silent. */
    @Test
    void cursorsOfTwoServersWhoseOrderIsNotCertainAreNamed() {
        Cursor start = after("0-2-60", "db2", 2000);
        Cursor other = after("0-1-100", "db1", 1000);
        try (LogLines lines = LogLines.of(InstanceWiring.class)) {
            InstanceWiring.warnOfDoubt(
                    "shop", List.of(new Subscription(1001, "", other), new Subscription(1002, "", start)));
            assertThat(lines.texts())
                    .singleElement(STRING)
                    .contains("start=binlog.000001:4 after 0-2-60 of db2:3306, written 1970-01-01T00:00:02Z")
                    .contains(
                            "others=[client 1001: binlog.000001:4 after 0-1-100 of db1:3306, written 1970-01-01T00:00:01Z]");
        }
        try (LogLines lines = LogLines.of(InstanceWiring.class)) {
            Cursor later = after("0-2-101", "db2", 2000);
            InstanceWiring.warnOfDoubt(
                    "shop", List.of(new Subscription(1001, "", other), new Subscription(1002, "", later)));
            assertThat(lines.texts()).isEmpty();
        }
    }

    private static Cursor after(String gtids, String host, long millis) {
        return new Cursor(host, 3306, new BinlogPosition("binlog.000001", 4), gtids, 1, millis);
    }

    private static Cursor at(long offset) {
        return new Cursor("db1", 3306, new BinlogPosition("binlog.000001", offset), "", 1, 0);
    }
}
