package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.failure.DeadLetters;
import io.sluice.connector.api.deliver.failure.MessageRejectedException;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.produce.ProducerIdAndEpoch;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.connector.kafka.topic.MissingTopics;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real broker does not take: what is too large, a topic that cannot be, and one that nobody may write to. */
@Timeout(600) // a delivery that waits for ever must fail the build, not stop it
@ParameterizedClass
@EnumSource(names = {"BATCHES", "CLIENT"})
class KafkaRejectionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String FORBIDDEN = "forbidden";
    private static final int TOTAL = 600;

    /** The last of so many entries is unsendable. */
    private static final int EVERY = 150;

    private static final int FIRST = EVERY - 1;

    private static KafkaServer kafka;

    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Map<String, String> options = new HashMap<>();
    private final FormerIdentities former = new FormerIdentities();
    private final Sending sending;
    private Time time = Time.SYSTEM;
    private RejectionPolicy policy = RejectionPolicy.STOP;
    private MessageProducer producer;
    private BatchSender sender;

    KafkaRejectionIT(Sending sending) {
        this.sending = sending;
    }

    @BeforeAll
    static void startBroker() throws Exception {
        kafka = KafkaServer.start(KafkaOptions.defaults()
                .with("auto.create.topics.enable", "false")
                .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .with("allow.everyone.if.no.acl.found", "true")
                .with("super.users", "User:ANYBODY"));
        kafka.createTopic(FORBIDDEN, 1);
        create(denied(FORBIDDEN));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @BeforeEach
    void subscribe() {
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
    }

    @AfterEach
    void stop() throws InterruptedException {
        assertThat(sender.stop(TIMEOUT)).isTrue();
        producer.close(Duration.ofSeconds(5));
        pool.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no such topic!", FORBIDDEN})
    void aRejectedTopicStopsTheSenderIfThatIsChosen(String bad) throws InterruptedException {
        String topic = topic("stopped", bad);
        start(someTo(bad, topic));
        ring.put(NumberEntry.range(0, TOTAL));

        await().atMost(TIMEOUT).until(() -> failure.get() != null);

        assertThat(failure.get())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("TOPIC_UNAVAILABLE of shop.orders at binlog.000001:" + FIRST)
                .hasMessageContaining("topic " + bad + ", partition 0");
        assertThat(numbers(topic)).startsWith(0, 1, 2).doesNotContain(FIRST);
        assertThat(ring.stats().acked().entries()).isLessThanOrEqualTo(FIRST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no such topic!", FORBIDDEN})
    void rejectedTopicsAreSkipped(String bad) throws InterruptedException {
        policy = RejectionPolicy.SKIP;
        String topic = topic("skipped", bad);
        start(someTo(bad, topic));
        ring.put(NumberEntry.range(0, TOTAL));

        awaitAcked();

        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(sender.status().skippedMessages()).isEqualTo(TOTAL / EVERY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no such topic!", FORBIDDEN})
    void recordsForRejectedTopicsAreDeadLetters(String bad) throws InterruptedException {
        String topic = topic("lettered", bad);
        String dead = topic + "_dead";
        kafka.createTopic(dead, 1);
        policy = new DeadLetters(dead, 1_000_000);
        start(someTo(bad, topic));
        ring.put(NumberEntry.range(0, TOTAL));

        awaitAcked();

        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(numbers(dead)).containsExactly(FIRST, FIRST + EVERY, FIRST + 2 * EVERY, FIRST + 3 * EVERY);
        ConsumerRecord<byte[], byte[]> letter = records(dead).get(0);
        assertThat(header(letter, "sluice-dead-topic")).isEqualTo(bad);
        assertThat(header(letter, "sluice-dead-table")).isEqualTo("shop.orders");
        assertThat(header(letter, "sluice-dead-position")).isEqualTo("binlog.000001:" + FIRST);
        assertThat(header(letter, "sluice-dead-kind")).isEqualTo("TOPIC_UNAVAILABLE");
        if (bad.equals(FORBIDDEN)) {
            assertThat(header(letter, "sluice-dead-reason")).contains(TopicAuthorizationException.class.getName());
        }
    }

    /** As rows of a table without a primary key have none, and DDL. The broker tells which records of a batch those are. */
    @Test
    void recordsWithoutAKeyAreDeadLettersOfACompactedTopic() throws InterruptedException {
        String topic = "compacted-" + sending.suffix();
        String dead = topic + "_dead";
        kafka.createTopic(topic, 1, Map.of("cleanup.policy", "compact"));
        kafka.createTopic(dead, 1);
        policy = new DeadLetters(dead, 1_000_000);
        start((batchId, entries) -> entries.stream()
                .map(NumberEntry.class::cast)
                .map(entry -> {
                    byte[] number = Integer.toString(entry.number()).getBytes(StandardCharsets.UTF_8);
                    byte[] key = entry.number() % EVERY == FIRST ? null : number;
                    return OutgoingMessage.of(new Message(topic, 0, key, number, List.of()), entry);
                })
                .toList());
        ring.put(NumberEntry.range(0, TOTAL));

        awaitAcked();

        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(numbers(dead)).containsExactly(FIRST, FIRST + EVERY, FIRST + 2 * EVERY, FIRST + 3 * EVERY);
        ConsumerRecord<byte[], byte[]> letter = records(dead).get(0);
        assertThat(header(letter, "sluice-dead-topic")).isEqualTo(topic);
        assertThat(header(letter, "sluice-dead-position")).isEqualTo("binlog.000001:" + FIRST);
        assertThat(header(letter, "sluice-dead-kind")).isEqualTo("INVALID");
        assertThat(sender.status().deadLetters()).isEqualTo(TOTAL / EVERY);
    }

    /** As those of a server whose clock is ahead, which brokers of Kafka 4 reject if it is more than an hour. */
    @Test
    void recordsWhoseTimeIsRejectedAreSentUntilTheClocksAreRight() throws Exception {
        policy = RejectionPolicy.SKIP;
        options.put("kafka.linger.ms", "50"); // several records in a batch, of which Kafka's client hides the error
        String topic = "times-" + sending.suffix();
        kafka.createTopic(topic, 1);
        start(someTo(topic, topic));
        ring.put(NumberEntry.range(0, TOTAL / 2));
        await().atMost(TIMEOUT).until(() -> ring.stats().acked().entries() == TOTAL / 2);
        setOldestTime(topic, Duration.ZERO); // as of a clock that is behind
        ring.put(NumberEntry.range(TOTAL / 2, TOTAL));
        await().atMost(TIMEOUT)
                .until(() -> sender.status().failures() > 1 || sender.status().skippedMessages() > 0);
        String cause = String.valueOf(sender.status().lastFailure());
        setOldestTime(topic, Duration.ofDays(365));
        awaitAcked();

        assertThat(sender.status().skippedMessages()).isZero();
        assertThat(cause).contains("the clock of this server and that of the broker differ");
        assertThat(new TreeSet<>(numbers(topic)))
                .containsExactlyElementsOf(IntStream.range(0, TOTAL).boxed().toList());
    }

    private static void setOldestTime(String topic, Duration age) throws Exception {
        ConfigEntry oldest = new ConfigEntry("message.timestamp.before.max.ms", Long.toString(age.toMillis()));
        try (Admin admin = kafka.admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(oldest, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    /** Each rejected batch costs a connection, and an epoch. */
    @Test
    void aTopicThatMayBeDescribedAndNotWrittenToEndsOneAttempt() throws Exception {
        time = new HandTime();
        policy = RejectionPolicy.SKIP;
        String bad = topic("described", "only");
        String topic = topic("described", "besides");
        create(acl(bad, AclOperation.DESCRIBE, AclPermissionType.ALLOW));
        start(someTo(bad, topic));
        ring.put(NumberEntry.range(0, TOTAL));

        awaitAcked();

        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(sender.status().skippedMessages()).isEqualTo(TOTAL / EVERY);
        assertThat(sender.stop(TIMEOUT)).isTrue();
        producer.close(TIMEOUT);
        if (sending == Sending.BATCHES) { // Kafka's producer sends each record
            assertThat(former.ofBatches("shop").next().identity())
                    .extracting(ProducerIdAndEpoch::epoch)
                    .isEqualTo((short) 1);
        }
    }

    @Test
    void recordsForTopicsThatDoNotExistAreSkippedAfterAGrace() throws InterruptedException {
        HandTime hand = new HandTime();
        time = hand;
        options.put("kafka.max.block.ms", "1000");
        policy = RejectionPolicy.SKIP;
        String topic = topic("present", "missing");
        start(someTo("missing", topic));
        ring.put(NumberEntry.range(0, TOTAL));

        await().atMost(TIMEOUT).until(() -> sender.status().failures() > 0);
        assertThat(sender.status().skippedMessages()).isZero();
        hand.pass(MissingTopics.GRACE);

        awaitAcked();
        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(sender.status().skippedMessages()).isEqualTo(TOTAL / EVERY);
    }

    /** With records on their way, of which the brokers say that they have no such topic until the delivery timeout. */
    @Test
    void aTopicThatIsDeletedIsUnavailable() throws Exception {
        HandTime hand = new HandTime();
        time = hand;
        options.putAll(Map.of(
                "kafka.max.block.ms", "1000",
                "kafka.request.timeout.ms", "1000",
                "kafka.delivery.timeout.ms", "1500"));
        policy = RejectionPolicy.SKIP;
        String topic = topic("deleted", "later");
        start(someTo(topic, topic));
        ring.put(NumberEntry.range(0, TOTAL / 2));
        await().atMost(TIMEOUT).until(() -> ring.stats().acked().entries() == TOTAL / 2);

        kafka.deleteTopics(List.of(topic));
        try (Admin admin = kafka.admin()) { // or the broker takes some more
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(topic));
        }
        ring.put(NumberEntry.range(TOTAL / 2, TOTAL));
        await().atMost(TIMEOUT).until(() -> {
            hand.passSeconds(2);
            return ring.stats().acked().entries() == TOTAL;
        });

        assertThat(failure.get()).isNull();
        await().atMost(TIMEOUT).until(() -> sender.status().skippedMessages() == TOTAL / 2);
    }

    /** Packets are cut until the entry that alone is too large is left. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 1_000_000})
    void anEntryThatIsTooLargeIsADeadLetterWithWhatFits(int deadLimit) throws InterruptedException {
        String topic = "packets-" + deadLimit + sending.suffix();
        kafka.createTopic(topic, 1, Map.of("max.message.bytes", "10000"));
        kafka.createTopic(topic + "_dead", 1, Map.of("max.message.bytes", Integer.toString(deadLimit)));
        policy = new DeadLetters(topic + "_dead", 1_000_000);
        start(Converters.OF_TEXTS.packets(new FixedRouter(topic, 0), PacketStyle.PARSED, 1_000_000));
        List<Entry> entries = new ArrayList<>(NumberEntry.range(0, 50));
        entries.add(new NumberEntry(50, 20_000));
        entries.addAll(NumberEntry.range(51, TOTAL));

        ring.put(entries);

        awaitAcked();
        assertThat(numbers(topic))
                .containsExactlyElementsOf(IntStream.range(0, TOTAL)
                        .filter(number -> number != 50)
                        .boxed()
                        .toList());
        ConsumerRecord<byte[], byte[]> letter = records(topic + "_dead").get(0);
        assertThat(header(letter, "sluice-dead-kind")).isEqualTo("TOO_LARGE");
        assertThat(header(letter, "sluice-dead-position")).isEqualTo("binlog.000001:50");
        assertThat(Integer.parseInt(header(letter, "sluice-dead-bytes"))).isBetween(20_000, 20_100);
        if (deadLimit == 10_000) {
            assertThat(header(letter, "sluice-dead-value")).isEqualTo("left out");
            assertThat(letter.value())
                    .asString(StandardCharsets.UTF_8)
                    .endsWith("of shop.orders at binlog.000001:50 are left out");
        } else {
            assertThat(header(letter, "sluice-dead-value")).isEqualTo("whole");
            assertThat(letter.value()).hasSizeBetween(20_000, 20_100);
        }
        assertThat(sender.status().splitMessages()).isPositive();
        assertThat(sender.status().deadLetters()).isEqualTo(1);
        assertThat(records(topic + "_dead")).hasSize(1);
    }

    /** A broker that has taken nothing of a producer yet takes from it what is in flight behind a refused record. */
    @Test
    void nothingOvertakesTheFirstRecordOfAProducer() throws InterruptedException {
        String topic = "first-" + sending.suffix();
        kafka.createTopic(topic, 1, Map.of("max.message.bytes", "10000"));
        options.put("kafka.batch.size", "1");
        policy = RejectionPolicy.SKIP;
        List<Entry> entries = new ArrayList<>();
        for (int number = 0; number < TOTAL; number++) {
            entries.add(new NumberEntry(number, number % EVERY == 0 ? 20_000 : 100));
        }
        start(Converters.OF_TEXTS.flat(new FixedRouter(topic, 0), Time.SYSTEM));

        ring.put(entries);

        awaitAcked();
        assertThat(records(topic).stream()
                        .map(record -> Integer.valueOf(new String(record.value(), StandardCharsets.US_ASCII).strip())))
                .isSorted()
                .hasSize(TOTAL - TOTAL / EVERY);
    }

    /** A broker that stores records without compression may find a batch too large that was not when it was sent. */
    @Test
    void aBatchThatGrowsInTheBrokerIsSplit() throws InterruptedException {
        String topic = "grows-" + sending.suffix();
        kafka.createTopic(topic, 1, Map.of("max.message.bytes", "10000", "compression.type", "uncompressed"));
        options.put("kafka.compression.type", "lz4");
        List<Entry> entries = new ArrayList<>();
        for (int number = 0; number < TOTAL; number++) {
            entries.add(new NumberEntry(number, 2_000));
        }
        start(Converters.OF_TEXTS.flat(new FixedRouter(topic, 0), Time.SYSTEM));

        ring.put(entries);

        awaitAcked();
        assertThat(records(topic).stream()
                        .map(record -> Integer.valueOf(new String(record.value(), StandardCharsets.US_ASCII).strip()))
                        .toList())
                .isEqualTo(IntStream.range(0, TOTAL).boxed().toList());
    }

    /** Of a transaction that is aborted nothing is seen, so what was beside the refused record is sent again. */
    @ParameterizedTest
    @ValueSource(strings = {"no such topic!", FORBIDDEN})
    void transactionsAreGoneThroughWithoutWhatIsRejected(String bad) throws InterruptedException {
        options.put("kafka.transactional.id", "refusals");
        policy = RejectionPolicy.SKIP;
        String topic = topic("transactions", bad);
        start(someTo(bad, topic));
        ring.put(NumberEntry.range(0, TOTAL));

        awaitAcked();

        assertThat(numbers(topic)).isEqualTo(sendable());
        assertThat(sender.status().skippedMessages()).isEqualTo(TOTAL / EVERY);
    }

    @Test
    void transactionsAreCutAroundWhatIsTooLarge() throws InterruptedException {
        options.put("kafka.transactional.id", "refusals");
        String topic = "transactions-small-" + sending.suffix();
        kafka.createTopic(topic, 1, Map.of("max.message.bytes", "10000"));
        policy = RejectionPolicy.SKIP;
        start(Converters.OF_TEXTS.packets(new FixedRouter(topic, 0), PacketStyle.PARSED, 1_000_000));
        List<Entry> entries = new ArrayList<>(NumberEntry.range(0, 50));
        entries.add(new NumberEntry(50, 20_000));
        entries.addAll(NumberEntry.range(51, TOTAL));

        ring.put(entries);

        awaitAcked();
        assertThat(numbers(topic)).hasSize(TOTAL - 1).doesNotContain(50).isSorted();
        assertThat(sender.status().skippedMessages()).isEqualTo(1);
    }

    /** Nothing is discarded meanwhile, though messages that are refused for themselves would be. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRightThatIsRevokedAndGrantedAgainCostsNothingButTime(boolean transactions) throws Exception {
        HandTime hand = new HandTime();
        if (transactions) {
            options.put("kafka.transactional.id", "refusals");
        } else {
            time = hand;
        }
        String topic = "revoked-" + transactions + sending.suffix();
        kafka.createTopic(topic, 1);
        policy = RejectionPolicy.of(RejectionPolicy.SKIP, RejectionPolicy.RETRY);
        start(someTo(topic, topic));
        ring.put(NumberEntry.range(0, TOTAL / 2));
        await().atMost(TIMEOUT).until(() -> ring.stats().acked().entries() == TOTAL / 2);

        AclBinding denied = denied(topic);
        create(denied);
        try (Admin admin = kafka.admin()) {
            ring.put(NumberEntry.range(TOTAL / 2, TOTAL));
            await().atMost(TIMEOUT)
                    .until(() ->
                            sender.status().failures() >= 3 || sender.status().skippedMessages() > 0);
            admin.deleteAcls(List.of(denied.toFilter())).all().get();
        }

        await().atMost(TIMEOUT).until(() -> {
            hand.passSeconds(1);
            return ring.stats().acked().entries() == TOTAL;
        });
        awaitAcked();
        assertThat(numbers(topic)).isEqualTo(IntStream.range(0, TOTAL).boxed().toList());
        assertThat(sender.status().skippedMessages()).isZero();
    }

    private static void create(AclBinding rule) throws Exception {
        try (Admin admin = kafka.admin()) {
            admin.createAcls(List.of(rule)).all().get();
            // The broker that is asked learns of it a moment later.
            await().atMost(TIMEOUT)
                    .until(() ->
                            !admin.describeAcls(rule.toFilter()).values().get().isEmpty());
        }
    }

    private static AclBinding denied(String topic) {
        return acl(topic, AclOperation.WRITE, AclPermissionType.DENY);
    }

    private static AclBinding acl(String topic, AclOperation operation, AclPermissionType type) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:ANONYMOUS", "*", operation, type));
    }

    @Test
    void theTopicOfDeadLettersMayBeRejectedToo() throws InterruptedException {
        String topic = topic("last", "resort");
        policy = new DeadLetters(FORBIDDEN, 1_000_000);
        start(someTo("no such topic!", topic));
        ring.put(NumberEntry.range(0, TOTAL));

        await().atMost(TIMEOUT).until(() -> failure.get() != null);

        assertThat(failure.get())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("rejected the dead letter")
                .hasMessageContaining("to topic " + FORBIDDEN);
        assertThat(ring.stats().acked().entries()).isLessThanOrEqualTo(FIRST);
    }

    private String topic(String prefix, String name) {
        String topic = prefix + "-" + name.replaceAll("[^a-z]", "") + sending.suffix();
        kafka.createTopic(topic, 1);
        return topic;
    }

    /** Sends one entry in {@link #EVERY} to a bad topic. */
    private static BatchConverter someTo(String bad, String good) {
        return (batchId, entries) -> entries.stream()
                .map(NumberEntry.class::cast)
                .map(entry -> OutgoingMessage.of(
                        new Message(
                                entry.number() % EVERY == FIRST ? bad : good,
                                0,
                                Integer.toString(entry.number()).getBytes(StandardCharsets.UTF_8)),
                        entry))
                .toList();
    }

    private static List<Integer> sendable() {
        return IntStream.range(0, TOTAL)
                .filter(number -> number % EVERY != FIRST)
                .boxed()
                .toList();
    }

    private void start(BatchConverter converter) {
        Map<String, String> properties = new HashMap<>(sending.options());
        properties.putAll(options);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        producer = new KafkaProducerFactory(
                        KafkaSettingsReader.read(properties), BatchBuffers.forHeap(1 << 26), former, time)
                .create(new ProducerContext("shop", Ownership.SOLE));
        sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.entries(20), Duration.ofMillis(100), 8),
                ring,
                cursors,
                converter,
                pool,
                producer,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random(1)),
                Time.SYSTEM,
                policy,
                failure::set);
        sender.start();
    }

    /** Until all is acked and counted. */
    private void awaitAcked() {
        await().atMost(TIMEOUT).until(() -> {
            assertThat(failure.get()).isNull();
            return ring.stats().acked().entries() == TOTAL && sender.status().batchesInFlight() == 0;
        });
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return kafka.reader().committed().readToEnd(topic, TIMEOUT);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    /** All numbers in a topic, in the order of their first arrival. */
    private static List<Integer> numbers(String topic) {
        return records(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.ISO_8859_1))
                .flatMap(text -> text.length() < 10
                        ? List.of(Integer.valueOf(text)).stream()
                        : Pattern.compile("([0-9]+) {50}")
                                .matcher(text)
                                .results()
                                .map(found -> Integer.valueOf(found.group(1))))
                .distinct()
                .toList();
    }
}
