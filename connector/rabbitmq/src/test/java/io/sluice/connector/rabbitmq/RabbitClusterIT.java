package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.rabbitmq.RabbitMqCluster;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends to a cluster of three nodes, through a sender, while nodes fail. */
@Timeout(600)
class RabbitClusterIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static RabbitMqCluster cluster;

    private NumberedStream stream;

    @BeforeAll
    static void startCluster() {
        cluster = RabbitMqCluster.start(3);
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
        cluster.nodes().stream().filter(node -> !node.isRunning()).forEach(RabbitMqServer::restart);
    }

    private static Map<String, String> settings(String... others) {
        return RabbitStreams.settings(cluster, others);
    }

    private static RabbitMqServer firstNodeOf(String destination) {
        return RabbitStreams.firstNodeOf(cluster, destination);
    }

    @Test
    void aQuorumQueueWhoseLeaderIsKilledCostsNoAttempt() throws Exception {
        RabbitMqServer leader = cluster.node(0);
        RabbitMqServer connected = cluster.node(1);
        cluster.createQuorumTopic("led", leader, Map.of());
        stream = RabbitStreams.start(
                "led.shop",
                settings(
                        "rabbitmq.host",
                        "127.0.0.1:" + connected.port(),
                        "rabbitmq.confirm.timeout.ms",
                        "60000", // for an election on a slow machine
                        "rabbitmq.block.timeout.ms",
                        "60000"),
                "led");
        stream.awaitMore(200);
        assertThat(cluster.leaderOf("led", connected)).isSameAs(leader);

        leader.kill();
        stream.awaitMore(500);
        await().atMost(TIMEOUT)
                .ignoreException(IllegalStateException.class) // while none is listed
                .until(() -> cluster.leaderOf("led", connected) != leader);
        leader.restart();
        stream.awaitMore(200);

        int total = stream.end();
        assertThat(stream.status().failures()).isZero();
        assertThat(numbers("led")).isEqualTo(numbers(0, total, 1));
    }

    /** The other queue has its messages on each node, but both are of one instance. */
    @Test
    void aClassicQueueWhoseNodeIsDownGetsAllWhenTheNodeIsBack() throws Exception {
        RabbitMqServer home = firstNodeOf("homed.shop");
        cluster.createClassicTopic("homed", home);
        cluster.createQuorumTopic("replicated", cluster.otherThan(home), Map.of());
        stream = RabbitStreams.start("homed.shop", settings(), "homed", "replicated");
        stream.awaitMore(200);

        home.kill();
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("does not answer"));
        long failures = stream.status().failures();
        await().atMost(TIMEOUT).until(() -> stream.status().failures() > failures + 1);
        assertDeclaringADownQueuePasses("homed");
        home.restart();
        stream.awaitMore(500);

        int total = stream.end();
        RabbitStreams.assertLastCopiesAreInOrder(numbers("homed"), numbers(0, total, 2));
        RabbitStreams.assertLastCopiesAreInOrder(numbers("replicated"), numbers(1, total, 2));
    }

    /** Also with the address of one node: the broker itself says that the queue is there. */
    @Test
    void aClassicQueueAtTheBrokersOwnExchangeWhoseNodeIsDownGetsAllWhenTheNodeIsBack() throws Exception {
        RabbitMqServer home = cluster.node(0);
        RabbitMqServer connected = cluster.node(1);
        cluster.createClassicTopic("named", home);
        stream = RabbitStreams.start(
                "named.shop",
                settings("rabbitmq.exchange", "", "rabbitmq.host", "127.0.0.1:" + connected.port()),
                "named");
        stream.awaitMore(200);

        home.kill();
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("down or inaccessible"));
        long failures = stream.status().failures();
        await().atMost(TIMEOUT).until(() -> stream.status().failures() > failures + 1);
        home.restart();
        stream.awaitMore(500);

        int total = stream.end();
        RabbitStreams.assertLastCopiesAreInOrder(numbers("named"), numbers(0, total, 1));
    }

    /** All of them accept connections meanwhile. How long RabbitMQ needs to come together again depends on the machine. */
    @Test
    @Tag("thorough")
    void aClassicQueueAtTheBrokersOwnExchangeGetsAllWhenItsNodeWasCutOffFromTheOthers() throws Exception {
        cluster.awaitJoined();
        RabbitMqServer connected = firstNodeOf("split.shop");
        RabbitMqServer home = cluster.otherThan(connected);
        cluster.createClassicTopic("split", home);
        stream = RabbitStreams.start("split.shop", settings("rabbitmq.exchange", ""), "split");
        stream.awaitMore(200);

        for (RabbitMqServer node : cluster.nodes()) {
            if (node != home) {
                home.control("eval", "erlang:disconnect_node('%s').".formatted(node.name()));
            }
        }
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("312 NO_ROUTE"));
        stream.awaitMore(500);

        int total = stream.end();
        RabbitStreams.assertLastCopiesAreInOrder(numbers("split"), numbers(0, total, 1));
    }

    /** It accepts connections until it has, as it does for some of {@code net_ticktime} after the others have noticed that the network is cut. */
    @Test
    @Tag("thorough")
    void aClassicQueueOfAnotherExchangeGetsAllWhenItsNodeIsCutOffAndHasNotNoticed() throws Exception {
        cluster.awaitJoined();
        int first = cluster.nodes().indexOf(firstNodeOf("apart.shop"));
        RabbitMqServer home = cluster.node((first + 2) % 3); // the last of the list that would be connected to
        cluster.createClassicTopic("apart", home);
        stream = RabbitStreams.start("apart.shop", settings(), "apart");
        stream.awaitMore(200);

        home.control(
                "eval",
                "sys:suspend(rabbit_node_monitor),"
                        + " [{erlang:set_cookie(Node, cut), erlang:disconnect_node(Node)} || Node <- nodes()].");
        try {
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(
                            5)) // the next attempt is to another node, and has another failure or none
                    .until(() -> stream.lastFailure().contains("127.0.0.1:%d is up, but".formatted(home.port())));
        } finally {
            home.kill();
            home.restart();
        }
        stream.awaitMore(500);

        int total = stream.end();
        RabbitStreams.assertLastCopiesAreInOrder(numbers("apart"), numbers(0, total, 1));
    }

    /** Or its messages would be handled as those of a topic that does not exist, and skipped if that is the policy. */
    private static void assertDeclaringADownQueuePasses(String queue) throws InterruptedException {
        try (MessageProducer producer = new RabbitConnector()
                .configure(settings("rabbitmq.queue", queue))
                .create(new ProducerContext("declaring", Ownership.SOLE))) {
            Answers answers = Answers.send(producer, queue, 1, 1);
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(answers.causes()).contains("rabbitmq.queue=" + queue, "down or inaccessible");
        }
        Findings findings = new Findings();
        new RabbitConnector().configure(settings("rabbitmq.queue", queue)).probe("shop", List.of(), TIMEOUT, findings);
        assertThat(findings.list())
                .anySatisfy(finding -> {
                    assertThat(finding.subject()).isEqualTo("queue " + queue);
                    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                    assertThat(finding.evidence()).contains("down or inaccessible");
                })
                .filteredOn(finding -> finding.subject().startsWith("connection"))
                .extracting(Finding::verdict)
                .containsExactlyInAnyOrder(Verdict.OK, Verdict.OK, Verdict.WARNING);
    }

    /** With the exchange, as its definitions may have it. Its queues are those of the others. */
    @Test
    @Tag("thorough")
    void aNodeThatHasLostItsDiskAndIsAClusterOfItsOwnGetsNoMessages() throws Exception {
        cluster.awaitJoined();
        RabbitMqServer blank = cluster.node(0); // which is not configured to join another one by itself
        String destination = RabbitStreams.destinationAt(cluster, blank);
        RabbitMqServer other = cluster.otherThan(blank);
        cluster.createQuorumTopic("whole", other, Map.of());
        blank.control("stop_app");
        blank.control("reset");
        blank.control("start_app");
        try {
            for (String exchange : List.of("", RabbitMqCluster.EXCHANGE)) {
                for (String queue : List.of("", "whole")) {
                    stream = RabbitStreams.start(
                            destination, settings("rabbitmq.exchange", exchange, "rabbitmq.queue", queue), "whole");
                    stream.awaitMore(100);
                    stream.end();
                    assertThat(stream.status().failures()).isPositive();
                    stream.close();
                }
                RabbitMqCluster.ask(
                        blank, channel -> channel.exchangeDeclare(RabbitMqCluster.EXCHANGE, "direct", true));
            }
            stream = RabbitStreams.start(
                    destination,
                    settings(
                            "rabbitmq.exchange", "declared",
                            "rabbitmq.queue", "declared.first",
                            "rabbitmq.deliveryMode", "direct",
                            "rabbitmq.routingKey", "declared"),
                    "declared");
            stream.awaitMore(100);
            stream.end();
            assertThat(stream.status().failures()).isPositive();
            assertThat(other.control("list_queues", "--quiet", "name")).contains("declared.first");
            assertThat(blank.control("list_queues", "--quiet", "name")).doesNotContain("whole", "declared.first");
        } finally {
            blank.control("stop_app");
            blank.control("join_cluster", "--quiet", other.name());
            blank.control("start_app");
            cluster.awaitJoined();
        }
    }

    @Test
    @Tag("thorough")
    void aNodeThatDoesNotAnswerIsLeft() throws Exception {
        RabbitMqServer connected = firstNodeOf("frozen.shop");
        cluster.createQuorumTopic("frozen", connected, Map.of());
        stream = RabbitStreams.start("frozen.shop", settings("rabbitmq.connect.timeout.ms", "2000"), "frozen");
        stream.awaitMore(200);

        connected.pause();
        try {
            stream.awaitMore(500);
        } finally {
            connected.resume();
        }
        stream.awaitMore(500);

        int total = stream.end();
        assertThat(stream.status().failures()).isPositive();
        // A node that resumes may pass on what it had received: that comes once more, after newer messages.
        assertThat(new LinkedHashSet<>(numbers("frozen"))).containsExactlyElementsOf(numbers(0, total, 1));
        connected.kill(); // or it may stay a partition of its own for longer than the next test waits
    }

    @Test
    @Tag("thorough")
    void everyNodeIsRestartedInTurn() throws Exception {
        cluster.createQuorumTopic("rolled", cluster.node(0), Map.of());
        stream = RabbitStreams.start("rolled.shop", settings(), "rolled");
        stream.awaitMore(200);

        for (RabbitMqServer node : cluster.nodes()) {
            node.stop();
            stream.awaitMore(200);
            node.restart();
            stream.awaitMore(200);
        }

        int total = stream.end();
        List<Integer> numbers = numbers("rolled");
        assertOnlyRepetitions(numbers);
        RabbitStreams.assertLastCopiesAreInOrder(numbers, numbers(0, total, 1));
    }

    /** The node that is left pauses, and closes its connections. */
    @Test
    @Tag("thorough")
    void aMajorityOfNodesIsWaitedFor() throws Exception {
        RabbitMqServer connected = firstNodeOf("waiting.shop");
        List<RabbitMqServer> others =
                cluster.nodes().stream().filter(node -> node != connected).toList();
        cluster.createQuorumTopic("waiting", connected, Map.of());
        stream = RabbitStreams.start("waiting.shop", settings(), "waiting");
        stream.awaitMore(200);

        others.forEach(RabbitMqServer::kill);
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("no connection to RabbitMQ at"));
        long failures = stream.status().failures();
        await().atMost(TIMEOUT).until(() -> stream.status().failures() > failures + 1);
        others.forEach(RabbitMqServer::restart);
        stream.awaitMore(500);

        int total = stream.end();
        List<Integer> numbers = numbers("waiting");
        assertOnlyRepetitions(numbers);
        RabbitStreams.assertLastCopiesAreInOrder(numbers, numbers(0, total, 1));
    }

    /** An alarm of one node blocks publishers of all nodes. */
    @Test
    void anAlarmOfAnotherNodeIsWaitedFor() throws Exception {
        RabbitMqServer connected = firstNodeOf("alarmed.shop");
        RabbitMqServer alarmed = cluster.otherThan(connected);
        cluster.createQuorumTopic("alarmed", connected, Map.of());
        stream = RabbitStreams.start("alarmed.shop", settings(), "alarmed");
        stream.awaitMore(200);

        alarmed.control("set_vm_memory_high_watermark", "absolute", "1");
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("RabbitMQ blocks publishers"));
        alarmed.kill();
        stream.awaitMore(500);

        int total = stream.end();
        List<Integer> numbers = numbers("alarmed");
        assertOnlyRepetitions(numbers);
        RabbitStreams.assertLastCopiesAreInOrder(numbers, numbers(0, total, 1));
    }

    @Test
    void aQuorumQueueThatIsFullHoldsUpTheInstanceUntilItIsRead() throws Exception {
        cluster.createQuorumTopic("full", cluster.node(0), Map.of("x-max-length", 300, "x-overflow", "reject-publish"));
        stream = RabbitStreams.start("full.shop", settings(), "full");
        await().atMost(TIMEOUT).until(() -> stream.lastFailure().contains("nack"));
        List<Integer> read = Collections.synchronizedList(new ArrayList<>());

        try (Connection connection = cluster.node(1).connect();
                Channel channel = connection.createChannel()) {
            channel.basicConsume(
                    "full",
                    true,
                    (tag, delivery) -> read.add(numberOf(new String(delivery.getBody(), StandardCharsets.UTF_8))),
                    tag -> {});
            stream.awaitMore(1_000);
            int total = stream.end();
            await().atMost(TIMEOUT).until(() -> !read.isEmpty() && read.get(read.size() - 1) == total - 1);
            RabbitStreams.assertLastCopiesAreInOrder(List.copyOf(read), numbers(0, total, 1));
        }
    }

    private static List<Integer> numbers(String queue) {
        return cluster.texts(queue, TIMEOUT).stream()
                .map(RabbitClusterIT::numberOf)
                .toList();
    }

    private static Integer numberOf(String text) {
        return Integer.valueOf(text);
    }

    private static List<Integer> numbers(int from, int to, int step) {
        return IntStream.range(from, to)
                .filter(number -> (number - from) % step == 0)
                .boxed()
                .toList();
    }

    /** That each number follows the one before, or begins a repetition. */
    private static void assertOnlyRepetitions(List<Integer> numbers) {
        for (int i = 1; i < numbers.size(); i++) {
            assertThat(numbers.get(i))
                    .as("after %s", numbers.subList(Math.max(0, i - 5), i))
                    .isLessThanOrEqualTo(numbers.get(i - 1) + 1);
        }
    }
}
