package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.send.Fence;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.rabbitmq.RabbitMqCluster;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends to a cluster of three nodes whose metadata are in Khepri, while the network between them is cut. */
@Timeout(600)
@Tag("thorough")
class RabbitKhepriIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static RabbitMqCluster cluster;

    private NumberedStream stream;

    @BeforeAll
    static void startCluster() {
        cluster = RabbitMqCluster.startWithKhepri(3);
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (stream != null) {
            stream.close();
        }
    }

    /** It rejects the messages of the queue. Without a fence it lets the instance in again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeThatIsCutOffFromTheNodeOfAClassicQueueIsLeftForTheOthers(boolean isFenced) throws Exception {
        String topic = "minority." + isFenced;
        RabbitMqServer cutOff = RabbitStreams.firstNodeOf(cluster, "minority.shop");
        cluster.createClassicTopic(topic, cluster.otherThan(cutOff));
        stream = RabbitStreams.start(
                "minority.shop", RabbitStreams.settings(cluster, "rabbitmq.fence", Boolean.toString(isFenced)), topic);
        stream.awaitMore(200);

        cutOff.control("eval", "[{erlang:set_cookie(Node, cut), erlang:disconnect_node(Node)} || Node <- nodes()].");
        try {
            stream.awaitMore(500);
        } finally {
            cutOff.control(
                    "eval", "[erlang:set_cookie(Node, erlang:get_cookie()) || Node <- rabbit_nodes:list_members()].");
        }

        int total = stream.end();
        assertLastCopiesAreInOrder(topic, total);
    }

    /** With Khepri the exclusive queues of its connections are there until it is back. */
    @Test
    void theInstanceContinuesOverAnotherNodeWhileTheOneThatItWasConnectedToIsDown() throws Exception {
        RabbitMqServer killed = RabbitStreams.firstNodeOf(cluster, "killed.shop");
        cluster.createQuorumTopic("killed", cluster.otherThan(killed), Map.of());
        stream = RabbitStreams.start("killed.shop", RabbitStreams.settings(cluster), "killed");
        stream.awaitMore(200);

        killed.kill();
        try {
            stream.awaitMore(500);
        } finally {
            killed.restart();
        }

        int total = stream.end();
        assertLastCopiesAreInOrder("killed", total);
    }

    /** It reads nothing more of the connection that asks, so that nothing else can be asked by it. */
    @Test
    void anEarlierConnectionIsWaitedForAtABrokerThatHasAnAlarm() throws Exception {
        RabbitMqServer node = cluster.node(0);
        Fence other = new Fence(true, "alarm", TIMEOUT, Time.SYSTEM);
        Fence fence = new Fence(true, "alarm", TIMEOUT, Time.SYSTEM);
        Connection first = node.connect();
        Connection second = node.connect();
        node.control("set_vm_memory_high_watermark", "absolute", "1");
        try {
            other.pass(first, TIMEOUT);

            assertThatThrownBy(() -> fence.pass(second, Duration.ofSeconds(5)))
                    .isInstanceOf(SendException.class)
                    .hasMessageContaining("RabbitMQ blocks publishers");
        } finally {
            node.control("set_vm_memory_high_watermark", "absolute", "1GB");
            second.abort(1000);
            first.abort(1000);
        }
    }

    /** The one of the producer before this one, too: the next connection waits for it again. */
    @Test
    void anEarlierConnectionAtANodeThatIsDownIsNotWaitedFor() throws Exception {
        RabbitMqServer home = cluster.node(0);
        Fence other = new Fence(true, "down", TIMEOUT, Time.SYSTEM);
        Fence fence = new Fence(true, "down", TIMEOUT, Time.SYSTEM);
        Connection first = home.connect();
        other.pass(first, TIMEOUT);
        home.kill();
        try (Connection second = cluster.node(1).connect()) {
            fence.pass(second, TIMEOUT);

            assertThat(second.isOpen()).isTrue();
        } finally {
            home.restart();
            first.abort();
        }
    }

    /** The question for the node of a queue is a message to it, which must not be rejected since the queue is full. */
    @Test
    void anEarlierConnectionIsWaitedForWhereAPolicyLimitsAllQueues() throws Exception {
        RabbitMqServer node = cluster.node(0);
        node.control(
                "set_policy",
                "tiny",
                "^sluice",
                "{\"max-length\": 0, \"overflow\": \"reject-publish\"}",
                "--apply-to",
                "queues");
        Fence other = new Fence(true, "tiny", TIMEOUT, Time.SYSTEM);
        Fence fence = new Fence(true, "tiny", TIMEOUT, Time.SYSTEM);
        Connection first = node.connect();
        Connection second = cluster.node(1).connect();
        try {
            other.pass(first, TIMEOUT);

            assertThatThrownBy(() -> fence.pass(second, Duration.ofSeconds(10)))
                    .isInstanceOf(SendException.class)
                    .hasMessageContaining("has not yet closed the connection of an earlier producer");
        } finally {
            node.control("clear_policy", "tiny");
            second.abort();
            first.abort();
        }
    }

    /** The one that has passed takes the place of the earlier one when the node is back. */
    @Test
    void aConnectionThatHasNotWaitedForAnEarlierOneIsWaitedFor() throws Exception {
        RabbitMqServer home = cluster.node(0);
        Fence one = new Fence(true, "third", TIMEOUT, Time.SYSTEM);
        Fence two = new Fence(true, "third", TIMEOUT, Time.SYSTEM);
        Fence three = new Fence(true, "third", TIMEOUT, Time.SYSTEM);
        Connection first = home.connect();
        one.pass(first, TIMEOUT);
        home.kill();
        try (Connection second = cluster.node(1).connect()) {
            try (Connection third = cluster.node(2).connect()) {
                two.pass(second, TIMEOUT);

                assertThatThrownBy(() -> three.pass(third, Duration.ofSeconds(10)))
                        .as("while the node is down")
                        .isInstanceOf(SendException.class)
                        .hasMessageContaining("has not yet closed the connection of an earlier producer");
            } finally {
                home.restart();
            }
            await().atMost(TIMEOUT).until(() -> {
                two.keep();
                return has(second, "sluice.producer.third");
            });

            try (Connection third = cluster.node(2).connect()) {
                assertThatThrownBy(() -> three.pass(third, Duration.ofSeconds(10)))
                        .as("when it is back")
                        .isInstanceOf(SendException.class)
                        .hasMessageContaining("has not yet closed the connection of an earlier producer");
            }
        } finally {
            first.abort();
        }
    }

    /** As while it is paused: it does not know that the node is back. */
    @Test
    void aConnectionIsWaitedForThatHasNotYetTakenThePlaceOfTheEarlierOne() throws Exception {
        RabbitMqServer home = cluster.node(0);
        Fence one = new Fence(true, "paused", TIMEOUT, Time.SYSTEM);
        Fence two = new Fence(true, "paused", TIMEOUT, Time.SYSTEM);
        Fence three = new Fence(true, "paused", TIMEOUT, Time.SYSTEM);
        Connection first = home.connect();
        one.pass(first, TIMEOUT);
        home.kill();
        Connection second;
        try {
            second = cluster.node(1).connect();
            two.pass(second, TIMEOUT);
        } finally {
            home.restart();
            first.abort();
        }
        try (Connection third = cluster.node(2).connect()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThatThrownBy(() -> three.pass(third, Duration.ofSeconds(2)))
                            .isInstanceOf(SendException.class)
                            .hasMessageContaining("has not yet closed the connection of an earlier producer")
                            .hasMessageEndingWith("queue=sluice.producer.paused~1"));
            second.close();

            three.pass(third, TIMEOUT);

            assertThat(has(third, "sluice.producer.paused")).isTrue();
            assertThat(queue(third, "sluice.producer.paused~1").isMissing()).isTrue();
        } finally {
            second.abort();
        }
    }

    /** The second one has the queue of the first one by then, and that in its place, and loses both with its node. */
    @Test
    void aConnectionIsWaitedForThatHasPassedInASecondOutage() throws Exception {
        Fence one = new Fence(true, "twice", TIMEOUT, Time.SYSTEM);
        Fence two = new Fence(true, "twice", TIMEOUT, Time.SYSTEM);
        Fence three = new Fence(true, "twice", TIMEOUT, Time.SYSTEM);
        Fence four = new Fence(true, "twice", TIMEOUT, Time.SYSTEM);
        Connection first = cluster.node(0).connect();
        one.pass(first, TIMEOUT);
        Connection second = passesWithout(cluster.node(0), first, cluster.node(1), two);
        await().atMost(TIMEOUT).until(() -> {
            two.keep();
            return has(second, "sluice.producer.twice");
        });
        Connection third = passesWithout(cluster.node(1), second, cluster.node(2), three);
        try (Connection fourth = cluster.node(0).connect()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThatThrownBy(() -> four.pass(fourth, Duration.ofSeconds(2)))
                            .isInstanceOf(SendException.class)
                            .hasMessageEndingWith("queue=sluice.producer.twice~2"));
            third.close();

            four.pass(fourth, TIMEOUT);
        } finally {
            third.abort();
        }
    }

    /** Kills a node, has a fence passed over another one, and starts the node again. */
    private static Connection passesWithout(RabbitMqServer killed, Connection there, RabbitMqServer other, Fence fence)
            throws Exception {
        killed.kill();
        try {
            Connection connection = other.connect();
            fence.pass(connection, TIMEOUT);
            return connection;
        } finally {
            killed.restart();
            there.abort();
        }
    }

    /** They have kept each producer before from that queue, too. */
    @Test
    void aRightAndALimitThatLeaveOutTheQueueInPlaceOfAnotherOneAreNoEarlierConnection() throws Exception {
        RabbitMqServer node = cluster.node(0);
        node.control("add_vhost", "narrow");
        node.control("add_user", "narrow", "narrow");
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(node.port());
        factory.setVirtualHost("narrow");
        factory.setUsername("narrow");
        factory.setPassword("narrow");
        try {
            node.control("set_permissions", "-p", "narrow", "narrow", "^sluice\\.producer\\.[0-9a-z-]+$", ".*", ".*");
            assertPasses(factory, "rights");

            node.control("set_permissions", "-p", "narrow", "narrow", ".*", ".*", ".*");
            node.control("set_vhost_limits", "-p", "narrow", "{\"max-queues\": 2}");
            assertPasses(factory, "limits");
        } finally {
            node.control("delete_vhost", "narrow");
            node.control("delete_user", "narrow");
        }
    }

    private static void assertPasses(ConnectionFactory factory, String name) throws Exception {
        Fence fence = new Fence(true, name, TIMEOUT, Time.SYSTEM);
        try (Connection connection = factory.newConnection()) {
            fence.pass(connection, Duration.ofSeconds(10));

            assertThat(has(connection, "sluice.producer." + name)).isTrue();
            assertThat(queue(connection, "sluice.producer." + name + "~1").isDone())
                    .isFalse();
        }
    }

    /** Another connection may not ask for an exclusive queue. */
    private static boolean has(Connection connection, String queue) {
        return queue(connection, queue).isDone();
    }

    private static BrokerAnswer queue(Connection connection, String queue) {
        return BrokerAnswer.to(connection, channel -> channel.queueDeclarePassive(queue));
    }

    /** Or a producer whose broker allows no more channels than it sends over could not send after that, and would stop. */
    @Test
    void theQuestionForAnEarlierConnectionLeavesNoChannel() throws Exception {
        RabbitMqServer node = cluster.node(0);
        Fence other = new Fence(true, "channels", TIMEOUT, Time.SYSTEM);
        Fence fence = new Fence(true, "channels", TIMEOUT, Time.SYSTEM);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(node.port());
        factory.setRequestedChannelMax(1);
        Connection first = node.connect();
        try (Connection second = factory.newConnection()) {
            other.pass(first, TIMEOUT);
            assertThatThrownBy(() -> fence.pass(second, Duration.ofSeconds(4)))
                    .isInstanceOf(SendException.class)
                    .hasMessageContaining("has not yet closed the connection of an earlier producer");
            first.close();

            fence.pass(second, TIMEOUT);

            assertThat(second.createChannel()).isNotNull();
        } finally {
            first.abort();
        }
    }

    /** The one that has made the queue knows that it is there; the node follows the others a moment later. */
    @Test
    void aMessageIsNotPassedOverThatItsNodeHasReturnedSinceItHadNotLearnedOfTheQueue() throws Exception {
        RabbitMqServer late = follower();
        follow(late, false);
        try {
            cluster.createClassicTopic("late", cluster.otherThan(late));
            Time untilItIsAskedAgain = new Time() {
                @Override
                public long nanos() {
                    return Time.SYSTEM.nanos();
                }

                @Override
                public long millis() {
                    return Time.SYSTEM.millis();
                }

                @Override
                public void sleep(Duration length) throws InterruptedException {
                    follow(late, true);
                    Time.SYSTEM.sleep(length);
                }
            };
            try (MessageProducer producer = unfenced(late, untilItIsAskedAgain)) {
                Answers first = Answers.send(producer, "late", 1, 1);

                assertThat(first.await()).containsExactly("PASSING");
                assertThat(first.causes()).contains("312 NO_ROUTE", "it is sent once more");
                assertThat(first.again(producer).await()).containsExactly("delivered");
            }
        } finally {
            follow(late, true);
        }
    }

    /** Without a majority it keeps its connections, and answers by what it knew before. */
    @Test
    void aMessageIsNotPassedOverAtTheOnlyNodeThatIsKnownWhileItIsCutOff() throws Exception {
        RabbitMqServer cutOff = follower();
        follow(cutOff, false);
        try {
            cluster.createClassicTopic("named", cluster.otherThan(cutOff));
            try (MessageProducer producer = unfenced(
                    cutOff,
                    Time.SYSTEM,
                    "rabbitmq.host",
                    "127.0.0.1:" + cutOff.port(),
                    "rabbitmq.exchange",
                    "",
                    "rabbitmq.connect.timeout.ms",
                    "5000")) {
                Answers first = Answers.send(producer, "named", 1, 1);
                assertThat(first.await()).containsExactly("PASSING");
                assertThat(first.causes()).contains("312 NO_ROUTE", "may not know of all queues");
                Answers second = first.again(producer);
                assertThat(second.await()).containsExactly("PASSING");
                follow(cutOff, true);

                await().atMost(TIMEOUT)
                        .until(() -> second.again(producer).await().equals(List.of("delivered")));
            }
        } finally {
            follow(cutOff, true);
        }
    }

    /** As a load balancer, or a name with several addresses: the questions go to another node than the messages. */
    @Test
    void aMessageIsNotPassedOverAtANodeThatIsCutOffBehindAnAddressOfSeveralNodes() throws Exception {
        RabbitMqServer cutOff = follower();
        RabbitMqServer other = cluster.otherThan(cutOff);
        AtomicInteger connections = new AtomicInteger();
        follow(cutOff, false);
        try (HoldingProxy balancer =
                new HoldingProxy(() -> connections.getAndIncrement() == 0 ? cutOff.port() : other.port())) {
            cluster.createClassicTopic("balanced", other);
            try (MessageProducer producer = unfenced(
                    other,
                    Time.SYSTEM,
                    "rabbitmq.host",
                    "127.0.0.1:" + balancer.port(),
                    "rabbitmq.connect.timeout.ms",
                    "5000")) {
                Answers first = Answers.send(producer, "balanced", 1, 1);
                assertThat(first.await()).containsExactly("PASSING");
                assertThat(first.causes()).contains("312 NO_ROUTE", "knows of all queues is not known");

                await().atMost(TIMEOUT)
                        .until(() -> first.again(producer).await().equals(List.of("delivered")));
            }
        } finally {
            follow(cutOff, true);
        }
    }

    @Test
    void aMessageWithoutAQueueIsPassedOverWhenItIsReturnedAgain() {
        try (MessageProducer producer = unfenced(cluster.node(0), Time.SYSTEM)) {
            Answers first = Answers.send(producer, "nowhere", 1, 1);
            assertThat(first.await()).containsExactly("PASSING");

            assertThat(first.again(producer).await()).containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    /** It may be cut off all the same. */
    @Test
    void aMessageIsNotPassedOverWhileTheNodeCannotBeAskedForALimit() {
        RabbitMqServer node = cluster.node(0);
        try (MessageProducer producer = unfenced(
                node, Time.SYSTEM, "rabbitmq.host", "127.0.0.1:" + node.port(), "rabbitmq.block.timeout.ms", "20000")) {
            Answers before = Answers.send(producer, "limited", 1, 1);
            assertThat(before.await()).containsExactly("PASSING");
            node.control("set_vhost_limits", "-p", "/", "{\"max-queues\": 0}");
            Answers limited;
            try {
                limited = before.again(producer);
                assertThat(limited.await()).containsExactly("PASSING");
                assertThat(limited.causes())
                        .contains(
                                "312 NO_ROUTE",
                                "whether 127.0.0.1:%d knows of all queues is not known".formatted(node.port()),
                                "has reached a limit, raise it");
            } finally {
                node.control("clear_vhost_limits", "-p", "/");
            }
            Answers after = limited.again(producer);
            assertThat(after.await()).containsExactly("PASSING");
            assertThat(after.again(producer).await()).containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    private static MessageProducer unfenced(RabbitMqServer node, Time time, String... settings) {
        Map<String, String> all = RabbitStreams.settings(cluster, settings);
        all.put("rabbitmq.fence", "false");
        return new RabbitConnector(time)
                .configure(all)
                .create(new ProducerContext(RabbitStreams.destinationAt(cluster, node), Ownership.SOLE));
    }

    /** A node that learns of changes by another one. */
    private static RabbitMqServer follower() {
        await().atMost(TIMEOUT)
                .until(() -> cluster.nodes().stream()
                        .allMatch(node ->
                                node.control("eval", "length(nodes()).").strip().equals("2")));
        String leader = cluster.node(0).control("eval", "ra_leaderboard:lookup_leader(rabbitmq_metadata).");
        return cluster.nodes().stream()
                .filter(node -> !leader.contains(node.name()))
                .findFirst()
                .orElseThrow();
    }

    /** Lets a node learn of changes of the metadata, or not. */
    private static void follow(RabbitMqServer node, boolean isFollowing) {
        node.control("eval", "sys:%s(rabbitmq_metadata).".formatted(isFollowing ? "resume" : "suspend"));
    }

    private static void assertLastCopiesAreInOrder(String queue, int total) {
        List<Integer> numbers =
                cluster.texts(queue, TIMEOUT).stream().map(Integer::valueOf).toList();
        RabbitStreams.assertLastCopiesAreInOrder(
                numbers, IntStream.range(0, total).boxed().toList());
    }
}
