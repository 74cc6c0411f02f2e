package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.kafka.KafkaCluster;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several brokers whose partitions get other leaders while numbers are sent to them, in each way at the same time: each number is stored once and in
 * order, and nothing stalls.
 */
@Timeout(600)
class KafkaClusterIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final List<Integer> LEADERS = List.of(1, 2, 3);

    /** A broker remembers so many batches of a producer. */
    private static final int REMEMBERED = 5;

    private static final int LARGE_BYTES = 300_000;

    /** The first is awaited alone; then so many are in flight. */
    private static final int LARGE_PER_ROUND = 11;

    /** A request to a broker that does not answer fails soon, and no attempt does, however slow the machine is. */
    private static final Map<String, String> PATIENT = Map.of(
            "kafka.request.timeout.ms", "5000",
            "kafka.delivery.timeout.ms", "180000",
            "kafka.max.block.ms", "120000");

    private static final Map<Integer, Gate> GATES = new HashMap<>();

    private static KafkaCluster kafka;

    private final List<TopicNumbers> streams = new ArrayList<>();

    @AutoClose
    private final LogLines repetitions = LogLines.of("io.sluice.connector.kafka.produce.AnswerReader", Level.DEBUG);

    @BeforeAll
    static void startBrokers() {
        Map<Integer, Integer> ports = new HashMap<>();
        for (int node : KafkaCluster.NODES) {
            Gate gate = new Gate(() -> kafka.broker(node).gatedPort());
            GATES.put(node, gate);
            ports.put(node, gate.port());
        }
        kafka = KafkaCluster.start(ports);
    }

    @AfterAll
    static void stopBrokers() {
        if (kafka != null) {
            kafka.close();
        }
        GATES.values().forEach(Gate::close);
    }

    @AfterEach
    void stop() throws InterruptedException {
        GATES.values().forEach(Gate::thaw);
        kafka.restore();
        for (TopicNumbers stream : streams) {
            stream.close();
        }
    }

    /**
     * One of them is killed. Each leads partitions before, and those that run again get some when the next one ends. A topic with two replicas has too few of
     * them meanwhile.
     */
    @Test
    void eachBrokerIsRestartedInTurn() throws InterruptedException {
        startAll("restarted");
        List<TopicNumbers> replicated = List.copyOf(streams);
        kafka.createTopic("few-replicas", List.of(1), 2);
        start(Sending.BATCHES, "few-replicas", 1, Map.of()).awaitProgress();

        for (int node : KafkaCluster.NODES) {
            if (node == 2) {
                kafka.broker(node).kill();
            } else {
                kafka.broker(node).stop();
            }
            replicated.forEach(TopicNumbers::awaitProgress);
            kafka.broker(node).restart();
            streams.forEach(stream -> kafka.awaitInSync(stream.topic()));
            streams.forEach(TopicNumbers::awaitProgress);
        }

        assertThat(repetitions.texts())
                .anyMatch(line -> line.contains(NotEnoughReplicasException.class.getSimpleName()));
        requireAllOnceAndInOrder();
    }

    /** What it was sent before is on its way to a broker that does not lead any more, when it is continued. */
    @Test
    void aLeaderIsPausedForLongerThanARequestMayTake() throws InterruptedException {
        startAll("paused");

        kafka.pause(2);
        for (TopicNumbers stream : streams) {
            kafka.awaitLeader(stream.topic(), 1, leader -> leader != 2);
        }
        streams.forEach(TopicNumbers::awaitProgress);
        kafka.resume(2);
        for (TopicNumbers stream : streams) {
            kafka.moveLeader(stream.topic(), 1, 2);
        }
        streams.forEach(TopicNumbers::awaitProgress);

        requireAllOnceAndInOrder();
    }

    /**
     * Its answers are lost, and then the next one, which has what they were about, would not remember that after so many more; so it would be taken
     * for missing.
     */
    @Test
    void nothingIsSentToTheNextLeaderBeforeTheFormerOneHasAnswered() {
        String topic = "overtaken";
        kafka.createTopic(topic, List.of(1, 2));
        List<Answer> answers = new ArrayList<>();
        try (MessageProducer producer = connectToGates()) {
            sendAndAwait(producer, topic, 0, answers);
            sendAndAwait(producer, topic, 1, answers);
            long before = kafka.endOf(topic, 1);
            Gate former = GATES.get(2);
            former.freezeAnswers();
            List<Answer> lost = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lost.add(Answer.to(producer, topic, 1, Integer.toString(answers.size() + i)));
            }
            answers.addAll(lost);
            kafka.awaitEnd(topic, 1, before + lost.size());
            former.freeze();
            kafka.moveLeader(topic, 1, 3);
            kafka.moveLeader(topic, 0, 3);
            sendAndAwait(producer, topic, 0, answers); // the former leader's answer has the leaders of all asked for

            for (int i = 0; i < 2 * REMEMBERED; i++) {
                answers.add(Answer.to(producer, topic, 1, Integer.toString(answers.size())));
            }
            for (int i = 0; i < 2 * REMEMBERED; i++) {
                sendAndAwait(producer, topic, 0, answers);
            }
            assertThat(lost).noneMatch(Answer::isGiven);
            former.cut();
            former.thaw();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.cause()).isNull());
        }

        Map<Integer, List<Integer>> stored = new HashMap<>();
        kafka.reader()
                .readToEnd(topic, TIMEOUT)
                .forEach(record -> stored.computeIfAbsent(record.partition(), partition -> new ArrayList<>())
                        .add(Integer.valueOf(new String(record.value(), StandardCharsets.US_ASCII))));
        assertThat(stored.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
        assertThat(stored.values().stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, answers.size()).boxed().toList());
    }

    private static void sendAndAwait(MessageProducer producer, String topic, int partition, List<Answer> answers) {
        Answer answer = Answer.to(producer, topic, partition, Integer.toString(answers.size()));
        answers.add(answer);
        assertThat(answer.cause()).isNull();
    }

    private static MessageProducer connectToGates() {
        Map<String, String> properties = new HashMap<>(PATIENT);
        properties.put(
                "kafka.request.timeout.ms", "240000"); // what is not answered ends when the test cuts the connection
        properties.put("kafka.delivery.timeout.ms", "300000");
        properties.putAll(Sending.BATCHES.options());
        properties.put(
                "kafka.bootstrap.servers",
                GATES.values().stream().map(gate -> "127.0.0.1:" + gate.port()).collect(Collectors.joining(",")));
        return new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE));
    }

    @Test
    void leadersMoveWhileAllBrokersRun() throws InterruptedException {
        startAll("moved");
        List<TopicNumbers> replicated = List.copyOf(streams);
        kafka.createTopic("reassigned", List.of(1), 2);
        start(Sending.BATCHES, "reassigned", 1, Map.of()).awaitProgress();

        for (int round = 0; round < 3; round++) {
            int next = (round + 1) % 3 + 1;
            for (TopicNumbers stream : replicated) {
                kafka.moveLeader(stream.topic(), round, next);
            }
            kafka.reassign("reassigned", 0, List.of(next, next % 3 + 1));
            streams.forEach(TopicNumbers::awaitProgress);
        }

        assertThat(repetitions.texts())
                .anyMatch(line -> line.contains(NotLeaderOrFollowerException.class.getSimpleName()));
        requireAllOnceAndInOrder();
    }

    /** The next leader has some of them, by replication, and remembers the newest five. */
    @Test
    void theNextLeaderRecognizesWhatItHasOfTenBatches() {
        String topic = "far";
        kafka.createTopic(topic, List.of(1));
        List<Answer> answers = new ArrayList<>();
        int leader = 1;
        try (MessageProducer producer = connectToGates()) {
            for (int stored : List.of(1, 4, 6, 8, 10)) {
                answers.add(sendLarge(producer, topic, answers.size()));
                assertThat(answers.get(answers.size() - 1).cause()).isNull();
                long before = kafka.endOf(topic, 0);
                Gate gate = GATES.get(leader);
                gate.freezeAnswers();
                List<Answer> lost = new ArrayList<>();
                for (int i = 1; i < LARGE_PER_ROUND; i++) {
                    lost.add(sendLarge(producer, topic, answers.size() + lost.size()));
                }
                answers.addAll(lost);
                kafka.awaitEnd(topic, 0, before + stored);
                gate.freeze();
                leader = leader % 3 + 1;
                kafka.moveLeader(topic, 0, leader);
                assertThat(lost).noneMatch(Answer::isGiven);
                gate.cut();
                gate.thaw();
                assertThat(answers)
                        .allSatisfy(answer -> assertThat(answer.cause()).isNull());
            }
        }

        assertThat(kafka.reader().readToEnd(topic, TIMEOUT))
                .extracting(next -> Integer.parseInt(new String(next.value(), 0, 9, StandardCharsets.US_ASCII)))
                .isEqualTo(IntStream.range(0, answers.size()).boxed().toList());
    }

    private static Answer sendLarge(MessageProducer producer, String topic, int number) {
        byte[] value = Arrays.copyOf("%09d".formatted(number).getBytes(StandardCharsets.US_ASCII), LARGE_BYTES);
        Answer answer = new Answer();
        producer.send(producer.prepare(List.of(new Message(topic, 0, value))), List.of(answer));
        return answer;
    }

    /** And the first address of the brokers is that of one which does not run. */
    @Test
    void partitionsThatAreAddedAreUsed() throws InterruptedException {
        Map<String, String> options =
                Map.of("kafka.bootstrap.servers", "127.0.0.1:" + FreePorts.next() + "," + kafka.bootstrapServers());
        for (Sending sending : Sending.values()) {
            String topic = "added-" + sending.suffix();
            kafka.createTopic(topic, LEADERS);
            start(sending, topic, LEADERS.size(), options).awaitProgress();
        }

        for (TopicNumbers stream : streams) {
            kafka.addPartition(stream.topic(), 3);
            kafka.awaitLeader(stream.topic(), 3, leader -> leader == 3);
            kafka.moveLeader(stream.topic(), 3, 1);
            stream.usePartitions(4);
        }
        streams.forEach(TopicNumbers::awaitProgress);

        requireAllOnceAndInOrder();
    }

    /** What it had is gone; of the rest nothing is missing in the new one. */
    @Test
    void aTopicIsDeletedAndCreatedWithOtherLeaders() throws InterruptedException {
        for (Sending sending : List.of(Sending.BATCHES, Sending.CLIENT)) {
            String topic = "created-" + sending.suffix();
            kafka.createTopic(topic, LEADERS);
            start(sending, topic, LEADERS.size(), Map.of()).awaitProgress();
        }

        for (TopicNumbers stream : streams) {
            kafka.deleteTopic(stream.topic());
            kafka.createTopic(stream.topic(), List.of(2, 3, 1));
        }
        streams.forEach(TopicNumbers::awaitProgress);

        for (TopicNumbers stream : streams) {
            int total = stream.end();
            Map<Integer, List<Integer>> stored = stream.stored(kafka.reader());
            assertThat(stored).hasSize(LEADERS.size());
            stored.forEach((partition, numbers) -> {
                int first = numbers.stream().mapToInt(Integer::intValue).min().orElseThrow();
                assertThat(List.copyOf(new TreeSet<>(numbers)))
                        .as("partition %d of %s", partition, stream.topic())
                        .isEqualTo(IntStream.range(first, total)
                                .filter(number -> number % LEADERS.size() == partition)
                                .boxed()
                                .toList());
                assertThat(NumberedStream.lastCopies(numbers)).isSorted();
            });
        }
    }

    /** Starts a stream for each way of sending, to a topic that has a partition on each broker. */
    private void startAll(String name) {
        for (Sending sending : Sending.values()) {
            String topic = name + "-" + sending.suffix();
            kafka.createTopic(topic, LEADERS);
            start(sending, topic, LEADERS.size(), Map.of());
        }
        streams.forEach(TopicNumbers::awaitProgress);
    }

    private TopicNumbers start(Sending sending, String topic, int partitions, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(PATIENT);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        properties.putAll(options);
        TopicNumbers stream = new TopicNumbers(sending, topic, partitions, properties);
        streams.add(stream);
        return stream;
    }

    private void requireAllOnceAndInOrder() throws InterruptedException {
        for (TopicNumbers stream : streams) {
            int total = stream.end();
            Map<Integer, List<Integer>> stored = stream.stored(kafka.reader());
            stored.forEach((partition, numbers) -> assertThat(numbers)
                    .as(
                            "partition %d of %s, after %d failures",
                            partition, stream.topic(), stream.status().failures())
                    .isSorted());
            assertThat(stored.values().stream().flatMap(List::stream).sorted().toList())
                    .as(
                            "the numbers of %s, after failures: %s",
                            stream.topic(), stream.status().lastFailure())
                    .isEqualTo(IntStream.range(0, total).boxed().toList()); // comparing one by one takes minutes
        }
    }
}
