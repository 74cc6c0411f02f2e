package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.proxy.Gate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to a broker that break with requests and answers on their way. */
@Timeout(300)
class LostConnectionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int PARTITIONS = 3;
    private static final int TOTAL = 30_000;
    private static final int BATCH = 300;
    private static final int CUTS = 12;

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
            try (MessageProducer producer = new KafkaProducerFactory().create(properties, Ownership.SOLE)) {
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
