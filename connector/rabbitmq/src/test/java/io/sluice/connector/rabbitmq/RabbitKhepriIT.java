package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.send.Fence;
import io.sluice.connector.rabbitmq.settings.RabbitSettingsReader;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.rabbitmq.RabbitMqCluster;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static Map<String, String> settings() {
        return Map.of(
                "rabbitmq.host", cluster.addresses(),
                "rabbitmq.exchange", RabbitMqCluster.EXCHANGE,
                "rabbitmq.confirm.timeout.ms", "4000",
                "rabbitmq.connect.timeout.ms", "10000",
                "rabbitmq.block.timeout.ms", "1500");
    }

    /** The node that the first connection of a destination is made to. */
    private static RabbitMqServer firstNodeOf(String destination) {
        int port = new NodeOrder(RabbitSettingsReader.read(settings()).addresses(), destination)
                .current()
                .port();
        return cluster.nodes().stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .orElseThrow();
    }

    /** It rejects the messages of the queue. Without a fence it lets the instance in again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeThatIsCutOffFromTheNodeOfAClassicQueueIsLeftForTheOthers(boolean isFenced) throws Exception {
        String topic = "minority." + isFenced;
        RabbitMqServer cutOff = firstNodeOf("minority.shop");
        cluster.createClassicTopic(topic, cluster.otherThan(cutOff));
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("rabbitmq.fence", Boolean.toString(isFenced));
        stream = RabbitStreams.start("minority.shop", settings, topic);
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
        RabbitMqServer killed = firstNodeOf("killed.shop");
        cluster.createQuorumTopic("killed", cluster.otherThan(killed), Map.of());
        stream = RabbitStreams.start("killed.shop", settings(), "killed");
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
                    .hasMessageContaining("does not answer");
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

    private static void assertLastCopiesAreInOrder(String queue, int total) {
        List<Integer> numbers =
                cluster.texts(queue, TIMEOUT).stream().map(Integer::valueOf).toList();
        assertThat(NumberedStream.lastCopies(numbers))
                .isEqualTo(IntStream.range(0, total).boxed().toList());
    }
}
