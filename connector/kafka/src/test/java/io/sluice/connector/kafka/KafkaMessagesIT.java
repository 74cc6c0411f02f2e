package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.connector.kafka.topic.MissingTopics;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.log.LogLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a record is made of, and where it may go, with transactions and without. */
@Timeout(600)
class KafkaMessagesIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String MAX_BLOCK_MILLIS = "60000";

    /** How long brokers are not asked again about what was missing. */
    private static final Duration REST = Duration.ofSeconds(30);

    private static KafkaServer kafka;

    private final AheadTime time = new AheadTime();
    private MessageProducer producer;

    @BeforeAll
    static void startBroker() {
        kafka = KafkaServer.start(KafkaOptions.defaults().with("auto.create.topics.enable", "false"));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @AfterEach
    void close() {
        producer.close(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void keysAndHeadersArrive(Sending sending) {
        String topic = "headers-" + sending.suffix();
        kafka.createTopic(topic, 3);
        start(sending);
        byte[] key = {0, -1, 7};

        Answer keyed = Answer.to(
                producer,
                new Message(
                        topic,
                        2,
                        key,
                        "value".getBytes(StandardCharsets.UTF_8),
                        List.of(new MessageHeader("sluice-event", "a:4:0"), new MessageHeader("title", "größer"))));

        assertThat(keyed.kind()).isNull();
        ConsumerRecord<byte[], byte[]> record =
                kafka.reader().readToEnd(topic, TIMEOUT).get(0);
        assertThat(record.partition()).isEqualTo(2);
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.headers().toArray())
                .extracting(Header::key, header -> new String(header.value(), StandardCharsets.UTF_8))
                .containsExactly(tuple("sluice-event", "a:4:0"), tuple("title", "größer"));
    }

    /** It answers after the pause, so there is nothing to ask for. */
    @Test
    void aBrokerThatKeepsAQuotaIsNotAskedForLeadersMeanwhile() {
        kafka.createTopic("quota", 1);
        start(Sending.BATCHES, Map.of("kafka.client.id", "limited"));
        assertThat(Answer.to(producer, "quota", 0, "before").kind()).isNull();
        setBytesPerSecond("limited", 20_000.0);
        try (LogLines requests = LogLines.of(NetworkClient.class.getName(), Level.DEBUG)) {
            await().atMost(TIMEOUT)
                    .until(
                            () -> { // the broker has the quota a little later
                                Answer large = Answer.to(producer, new Message("quota", 0, new byte[350_000]));
                                return large.kind() == null
                                        && isAnyLine(
                                                requests,
                                                "(?s)Received PRODUCE response.*throttleTimeMs=[1-9]\\d{3}.*");
                            });
            Answer next = Answer.to(producer, "quota", 0, "after the pause");

            assertThat(next.kind()).isNull();
            assertThat(isAnyLine(requests, "(?s)Sending metadata request.*")).isFalse();
        } finally {
            setBytesPerSecond("limited", null);
        }
    }

    private static boolean isAnyLine(LogLines log, String expression) {
        return log.texts().stream().anyMatch(line -> line.matches(expression));
    }

    private static void setBytesPerSecond(String clientId, Double limit) {
        ClientQuotaEntity entity = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
        try (Admin admin = kafka.admin()) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            entity, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", limit)))))
                    .all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void aPartitionThatIsNotThereIsRejectedAtOnce(Sending sending) throws Exception {
        String topic = "partitions-" + sending.suffix();
        kafka.createTopic(topic, 3);
        start(sending);
        Answer before = Answer.to(producer, topic, 2, "before");

        long begin = System.nanoTime();
        Answer refused = Answer.to(producer, topic, 3, "refused");
        Answer behind = Answer.to(producer, topic, 0, "behind");

        assertThat(before.kind()).isNull();
        assertThat(refused.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(refused.cause()).hasMessageContaining("topic " + topic + " has no partition 3, it has 3");
        assertThat(behind.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("nobody waits for the partition to appear")
                .isLessThan(Duration.ofMillis(Long.parseLong(MAX_BLOCK_MILLIS) / 2));

        addPartition(topic, 4);
        time.pass(REST);
        producer.restart();
        assertThat(Answer.to(producer, topic, 3, "there now").kind()).isNull();
        assertThat(Answer.to(producer, topic, 0, "behind").kind()).isNull();
    }

    private static void addPartition(String topic, int count) throws ExecutionException, InterruptedException {
        try (Admin admin = kafka.admin()) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count)))
                    .all()
                    .get();
            // The broker that is asked learns of it a moment later.
            await().atMost(TIMEOUT).until(() -> partitions(admin, topic) == count);
        }
    }

    private static int partitions(Admin admin, String topic) throws ExecutionException, InterruptedException {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .size();
    }

    /** Kafka's producer learns of it when a record has timed out; what writes batches looks for it. It counts when it has lasted. */
    @ParameterizedTest
    @EnumSource(Sending.class)
    void aTopicThatIsCreatedAgainWithFewerPartitionsIsUnavailable(Sending sending) throws Exception {
        String topic = "again-" + sending.suffix();
        kafka.createTopic(topic, 6);
        boolean isWaitedFor = sending != Sending.BATCHES;
        start(
                sending,
                Map.of(
                        "kafka.request.timeout.ms",
                        "5000",
                        "kafka.delivery.timeout.ms",
                        isWaitedFor ? "8000" : "50000",
                        "kafka.max.block.ms",
                        isWaitedFor ? "8000" : "50000"));
        assertThat(Answer.to(producer, topic, 4, "before").kind()).isNull();

        createAgain(topic, 3);
        Answer refused = Answer.to(producer, topic, 4, "refused");
        assertThat(refused.kind()).as("the broker may lag behind").isEqualTo(FailureKind.PASSING);
        for (int tries = 1; tries < 10 && refused.kind() == FailureKind.PASSING; tries++) {
            time.pass(MissingTopics.GRACE);
            producer.restart();
            refused = Answer.to(producer, topic, 4, "refused");
        }
        assertThat(refused.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(refused.cause()).hasMessageContaining("topic " + topic + " has no partition 4, it has 3");

        producer.restart();
        assertThat(Answer.to(producer, topic, 4, "refused").kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        addPartition(topic, 6);
        time.pass(REST);
        producer.restart();
        assertThat(Answer.to(producer, topic, 4, "there now").kind()).isNull();
    }

    private static void createAgain(String topic, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = kafka.admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(topic));
        }
        kafka.createTopic(topic, partitions);
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void aNameThatNoTopicCanHaveIsRejectedAtOnce(Sending sending) {
        start(sending);

        for (String name : List.of("shop orders", "..", "a".repeat(250), "größe")) {
            Answer refused = Answer.to(producer, name, 0, "refused");

            assertThat(refused.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            assertThat(refused.cause()).hasMessageContaining("'" + name + "' cannot be the name of a topic");
            producer.restart();
        }
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void knowsHowManyPartitionsATopicHas(Sending sending) {
        String topic = "counted-" + sending.suffix();
        kafka.createTopic(topic, 5);
        start(sending);

        assertThat(producer.partitionsOf(topic)).hasValue(5);
        assertThatThrownBy(() -> producer.partitionsOf("shop orders"))
                .isInstanceOfSatisfying(
                        PartitionsUnknownException.class,
                        unknown -> assertThat(unknown.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE));

        producer.close(Duration.ofSeconds(5));
        start(sending, Map.of("kafka.max.block.ms", "5000")); // for so long a topic is waited for that is not there
        assertThatThrownBy(() -> producer.partitionsOf("missing-topic")).isInstanceOf(PartitionsUnknownException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "BATCHES, none",
        "BATCHES, gzip",
        "BATCHES, snappy",
        "BATCHES, lz4",
        "BATCHES, zstd",
        "CLIENT, none",
        "CLIENT, gzip",
        "CLIENT, snappy",
        "CLIENT, lz4",
        "CLIENT, zstd"
    })
    void whatIsCompressedArrivesAsItWas(Sending sending, String compression) {
        String topic = "compressed-" + compression + "-" + sending.suffix();
        kafka.createTopic(topic, 1);
        start(sending, Map.of("kafka.compression.type", compression));
        List<String> values = List.of("x".repeat(300_000), "größer");

        for (String value : values) {
            assertThat(Answer.to(producer, topic, 0, value).kind()).isNull();
        }

        assertThat(kafka.reader().readToEnd(topic, TIMEOUT))
                .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                .isEqualTo(values);
    }

    /** Quotas and dashboards know a lone producer as {@code producer-1}, as with canal. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aProducerTakesOneClientIdOfKafkasSequence(Sending sending) {
        String topic = "ids-" + sending.suffix();
        kafka.createTopic(topic, 1);
        int before = nextClientId();

        start(sending);
        assertThat(Answer.to(producer, topic, 0, "one").kind()).isNull();

        assertThat(nextClientId()).isEqualTo(before + 2);
    }

    /** The number of the client id that Kafka's client gives to a producer without one; the next producer gets another. */
    private static int nextClientId() {
        String id = new ProducerConfig(Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.bootstrapServers(),
                        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class,
                        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class))
                .getString(ProducerConfig.CLIENT_ID_CONFIG);
        return Integer.parseInt(id.substring("producer-".length()));
    }

    private void start(Sending sending) {
        start(sending, Map.of("kafka.max.block.ms", MAX_BLOCK_MILLIS));
    }

    private void start(Sending sending, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(options);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        properties.putAll(sending.options());
        producer = new KafkaProducerFactory(
                        KafkaSettingsReader.read(properties),
                        BatchBuffers.forHeap(1 << 26),
                        new FormerIdentities(),
                        time)
                .create(new ProducerContext("shop", Ownership.SOLE));
    }

    /** The clocks of the system, of which the monotonic one can be set forward. */
    private static final class AheadTime implements Time {
        private final AtomicLong ahead = new AtomicLong();

        void pass(Duration length) {
            ahead.addAndGet(length.toNanos());
        }

        @Override
        public long nanos() {
            return Time.SYSTEM.nanos() + ahead.get();
        }

        @Override
        public long millis() {
            return Time.SYSTEM.millis();
        }

        @Override
        public void sleep(Duration length) throws InterruptedException {
            Time.SYSTEM.sleep(length);
        }
    }
}
