package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.kafka.settings.BatchSizing;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.log.LogLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages to more partitions than a producer with large batches has memory for. */
@Tag("thorough")
@Timeout(600)
class ManyPartitionsIT {
    private static final int PARTITIONS = 300;
    /** Batches become smaller twice for them; a broker that was killed has them again soon. */
    private static final int PARTITIONS_THAT_FAIL = 70;

    private static final int PER_PARTITION = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static KafkaServer undisturbed;

    private KafkaServer kafka = undisturbed;

    @AutoClose
    private final LogLines log = LogLines.of(BatchSizing.class);

    private MessageProducer producer;

    @BeforeAll
    static void startBroker() {
        undisturbed = KafkaServer.start();
    }

    @AfterAll
    static void stopBroker() {
        undisturbed.close();
    }

    @AfterEach
    void stop() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(5));
        }
        if (kafka != undisturbed) {
            kafka.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void eachPartitionHasItsMessagesInOrderWhileBatchesBecomeSmaller(Sending sending) throws Exception {
        String topic = "many-" + sending.suffix();
        kafka.createTopic(topic, PARTITIONS);
        Map<String, String> options = new HashMap<>(sending.options());
        options.put("kafka.max.block.ms", "60000"); // a commit to so many new partitions takes long on a busy machine
        options.put("kafka.request.timeout.ms", "60000");
        options.put("kafka.delivery.timeout.ms", "90000");
        connect(options);

        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < PER_PARTITION; i++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                answers.add(Answer.to(producer, topic, partition, partition + ":" + i));
            }
        }
        producer.flush();

        assertThat(answers).extracting(Answer::cause).containsOnlyNulls();
        assertThat(read(topic)).isEqualTo(expected(PARTITIONS));
        List<String> sizes = log.texts().stream()
                .map(line -> line.replaceAll(".*batch.size=", ""))
                .toList();
        switch (sending) {
            case BATCHES -> assertThat(sizes).isEmpty();
            case CLIENT -> assertThat(sizes).containsExactly("262144", "65536", "16384");
            // a producer is replaced between two transactions, which have any number of messages
            case TRANSACTIONS -> assertThat(sizes).endsWith("16384").isSubsetOf("262144", "65536", "16384");
        }
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void nothingIsLostWhenTheBrokerFailsWhileBatchesBecomeSmaller(Sending sending) throws Exception {
        kafka = KafkaServer.start(); // with these partitions only, so that it is soon up again
        String topic = "failing";
        kafka.createTopic(topic, PARTITIONS_THAT_FAIL);
        Map<String, String> options = new HashMap<>(Map.of(
                "kafka.request.timeout.ms", "2000",
                "kafka.delivery.timeout.ms", "3000",
                "kafka.max.block.ms", "5000"));
        options.putAll(sending.options());
        connect(options);
        List<String> open = new ArrayList<>();
        for (int i = 0; i < PER_PARTITION; i++) {
            for (int partition = 0; partition < PARTITIONS_THAT_FAIL; partition++) {
                open.add(partition + ":" + i);
            }
        }
        int sent = 0;
        while (!open.isEmpty()) {
            Map<String, Answer> answers = new HashMap<>();
            for (String text : open) {
                int partition = Integer.parseInt(text.substring(0, text.indexOf(':')));
                answers.put(text, Answer.to(producer, topic, partition, text));
                if (++sent == 40 || sent == 200) {
                    kafka.kill();
                } else if (sent == 60 || sent == 270) {
                    kafka.restart();
                }
            }
            producer.flush();
            assertThat(answers.values())
                    .allSatisfy(answer -> assertThat(answer.kind()).isIn(null, FailureKind.PASSING));
            open.removeIf(text -> answers.get(text).kind() == null);
            producer.restart();
        }

        assertThat(read(topic)).isEqualTo(expected(PARTITIONS_THAT_FAIL));
    }

    private void connect(Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(options);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        producer = new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE));
    }

    /** The messages of each partition, in their order, without repetitions. */
    private Map<Integer, List<String>> read(String topic) {
        Map<Integer, List<String>> texts = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> next : kafka.reader().committed().readToEnd(topic, TIMEOUT)) {
            String text = new String(next.value(), StandardCharsets.UTF_8);
            List<String> ofPartition = texts.computeIfAbsent(next.partition(), partition -> new ArrayList<>());
            if (!ofPartition.contains(text)) {
                ofPartition.add(text);
            }
        }
        return texts;
    }

    private static Map<Integer, List<String>> expected(int partitions) {
        Map<Integer, List<String>> texts = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            int number = partition;
            texts.put(
                    partition,
                    IntStream.range(0, PER_PARTITION)
                            .mapToObj(i -> number + ":" + i)
                            .toList());
        }
        return texts;
    }
}
