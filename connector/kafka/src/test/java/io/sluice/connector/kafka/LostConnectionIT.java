package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.proxy.DelayingProxy;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.proxy.NarrowProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to a broker that break with requests and answers on their way. */
@Timeout(600)
class LostConnectionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int PARTITIONS = 3;
    private static final int TOTAL = 30_000;
    private static final int BATCH = 300;
    private static final int CUTS = 12;
    private static final long LARGE_BYTES = 300_000;

    /** The first is awaited alone; then so many are in flight. */
    private static final int LARGE_PER_ROUND = 11;

    /** Counts answers. */
    private static final class Counter implements DeliveryCallback {
        private final AtomicInteger delivered = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        @Override
        public void delivered() {
            delivered.incrementAndGet();
        }

        @Override
        public void failed(Exception cause, FailureKind kind) {
            failed.incrementAndGet();
        }
    }

    /** What was stored without an answer is recognized by the broker when it is sent again. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void nothingIsLostRepeatedOrReordered(Sending sending) throws Exception {
        KafkaServer[] started = new KafkaServer[1];
        try (Gate gate = new Gate(() -> started[0].gatedPort());
                KafkaServer kafka = KafkaServer.start(KafkaOptions.defaults().viaGate(gate.port()))) {
            started[0] = kafka;
            kafka.createTopic("cut", PARTITIONS);
            Map<String, String> properties = new HashMap<>(sending.options());
            properties.put("kafka.bootstrap.servers", "127.0.0.1:" + gate.port());
            properties.put("kafka.delivery.timeout.ms", "120000");
            Counter counter = new Counter();
            try (MessageProducer producer =
                    new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE))) {
                int cuts = 0;
                for (int first = 0; first < TOTAL; first += BATCH) {
                    send(first, producer, counter);
                    if (first > 0 && first % (TOTAL / CUTS) == 0) {
                        cuts++;
                        gate.cutAfter(1 + cuts * 997L); // within a request, or an answer
                        int expected = cuts;
                        send(TOTAL + cuts, 1, producer, new Counter());
                        await().atMost(TIMEOUT).until(() -> gate.cuts() >= expected);
                    }
                }
                await().atMost(TIMEOUT).until(() -> counter.delivered.get() == TOTAL || counter.failed.get() > 0);
            }
            assertThat(counter.failed.get()).isZero();
            Map<Integer, List<Integer>> stored = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> next : kafka.reader().readToEnd("cut", TIMEOUT)) {
                int number = Integer.parseInt(new String(next.value(), StandardCharsets.US_ASCII));
                if (number < TOTAL) {
                    stored.computeIfAbsent(next.partition(), partition -> new ArrayList<>())
                            .add(number);
                }
            }
            for (int partition = 0; partition < PARTITIONS; partition++) {
                int rest = partition;
                assertThat(stored.get(partition))
                        .isEqualTo(IntStream.range(0, TOTAL)
                                .filter(number -> number % PARTITIONS == rest)
                                .boxed()
                                .toList());
            }
        }
    }

    /** Of a broker that is far away, more is unanswered than it remembers, and it has stored more or less of that. */
    @Test
    void nothingIsLostOrRepeatedOfTenBatchesInFlight() throws Exception {
        KafkaServer[] started = new KafkaServer[1];
        try (DelayingProxy far = new DelayingProxy(Duration.ofMillis(200), () -> started[0].gatedPort());
                Gate gate = new Gate(far::port);
                KafkaServer kafka = KafkaServer.start(KafkaOptions.defaults().viaGate(gate.port()))) {
            started[0] = kafka;
            kafka.createTopic("far", 1);
            Map<String, String> properties = new HashMap<>(Sending.BATCHES.options());
            properties.put("kafka.bootstrap.servers", "127.0.0.1:" + gate.port());
            properties.put("kafka.delivery.timeout.ms", "120000");
            Counter counter = new Counter();
            int sent = 0;
            try (MessageProducer producer =
                    new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE))) {
                for (int cut = 1; cut <= LARGE_PER_ROUND; cut++) {
                    int cuts = cut;
                    gate.cutAfter(cut * LARGE_BYTES - LARGE_BYTES / 2);
                    for (int i = 0; i < LARGE_PER_ROUND; i++) {
                        sendLarge(sent++, producer, counter);
                    }
                    int expected = sent;
                    await().atMost(TIMEOUT)
                            .until(() -> gate.cuts() >= cuts && counter.delivered.get() == expected
                                    || counter.failed.get() > 0);
                }
            }
            assertThat(counter.failed.get()).isZero();
            assertThat(kafka.reader().readToEnd("far", TIMEOUT))
                    .extracting(next -> Integer.parseInt(new String(next.value(), 0, 9, StandardCharsets.US_ASCII)))
                    .isEqualTo(IntStream.range(0, sent).boxed().toList());
        }
    }

    /** More is submitted than such a line carries within the timeouts. */
    @Test
    void aNarrowLineBreaksNoConnection() throws Exception {
        KafkaServer[] started = new KafkaServer[1];
        try (NarrowProxy narrow = new NarrowProxy(2 * LARGE_BYTES, () -> started[0].gatedPort());
                KafkaServer kafka = KafkaServer.start(KafkaOptions.defaults().viaGate(narrow.port()))) {
            started[0] = kafka;
            kafka.createTopic("narrow", PARTITIONS);
            Map<String, String> properties = new HashMap<>(Sending.BATCHES.options());
            properties.put("kafka.bootstrap.servers", "127.0.0.1:" + narrow.port());
            properties.put("kafka.request.timeout.ms", "10000");
            properties.put("kafka.delivery.timeout.ms", "12000");
            Counter counter = new Counter();
            int sent = 12 * PARTITIONS;
            try (MessageProducer producer =
                    new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE))) {
                for (int number = 0; number < sent; number++) {
                    sendLarge("narrow", number % PARTITIONS, number, producer, counter);
                }
                await().atMost(TIMEOUT).until(() -> counter.delivered.get() > 0);
                int connections = narrow.connections();
                await().atMost(TIMEOUT).until(() -> counter.delivered.get() == sent || counter.failed.get() > 0);
                assertThat(narrow.connections()).isEqualTo(connections);
            }
            assertThat(counter.failed.get()).isZero();
            assertThat(kafka.reader().readToEnd("narrow", TIMEOUT))
                    .extracting(next -> Integer.parseInt(new String(next.value(), 0, 9, StandardCharsets.US_ASCII)))
                    .containsExactlyInAnyOrder(IntStream.range(0, sent).boxed().toArray(Integer[]::new));
        }
    }

    /** Sends a message that is a batch of its own. */
    private static void sendLarge(int number, MessageProducer producer, Counter counter) {
        sendLarge("far", 0, number, producer, counter);
    }

    private static void sendLarge(String topic, int partition, int number, MessageProducer producer, Counter counter) {
        byte[] value = Arrays.copyOf("%09d".formatted(number).getBytes(StandardCharsets.US_ASCII), (int) LARGE_BYTES);
        producer.send(producer.prepare(List.of(new Message(topic, partition, value))), List.of(counter));
    }

    private static void send(int first, MessageProducer producer, Counter counter) {
        send(first, BATCH, producer, counter);
    }

    private static void send(int first, int count, MessageProducer producer, Counter counter) {
        List<Message> messages = IntStream.range(first, first + count)
                .mapToObj(number -> new Message(
                        "cut", number % PARTITIONS, Integer.toString(number).getBytes(StandardCharsets.US_ASCII)))
                .toList();
        producer.send(
                producer.prepare(messages),
                messages.stream().map(message -> counter).toList());
    }
}
