package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.KeyedEntry;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.ValueLimit;
import io.sluice.connector.api.deliver.PartitionedBroker.Fate;
import io.sluice.connector.api.deliver.failure.DeadLetters;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.deliver.failure.MessageRejectedException;
import io.sluice.connector.api.deliver.failure.ProducerBrokenException;
import io.sluice.connector.api.deliver.failure.RejectedMessage;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of records that the broker does not take, and of those around them. */
@Timeout(300) // a sender that waits for ever must fail the build, not stop it
class RejectionTest {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final String DEAD = "shop_dead";

    private final EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false));
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final PartitionedBroker broker = new PartitionedBroker();
    private final AtomicInteger pauses = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(3);

    private BatchConverter converter = new PartitionedConverter("shop", 1, 1);
    private RejectionPolicy policy = RejectionPolicy.STOP;
    private int batchSize = 2;
    private int maxInFlight = 8;
    private BatchSender sender;

    @BeforeEach
    void subscribe() {
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (sender != null) {
            assertThat(sender.stop(SHORT) || sender.stop(Duration.ofSeconds(30)))
                    .as("its thread has ended, for which a slow machine has time")
                    .isTrue();
        }
        pool.shutdownNow();
    }

    @Test
    void byDefaultTheSenderStopsAndSaysWhatAndWhere() throws InterruptedException {
        refuse(Fate.TOO_LARGE, 3);
        ring.put(TextEntry.range(0, 6));
        start();
        await().until(() -> broker.unansweredCount() == 6);

        broker.answerAll();

        await().until(() -> failure.get() != null);
        assertThat(failure.get())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("instance shop, batch 2, for good: TOO_LARGE of shop.orders at binlog.000001:3")
                .hasMessageContaining("1 bytes to topic shop, partition 0:")
                .hasMessageContaining("it is too large");
        assertThat(sender.status().state()).isEqualTo(SenderState.FAILED);
        assertThat(ring.stats().acked().entries()).isEqualTo(2);
        assertThat(ring.stats().got().entries()).isEqualTo(2);
        assertThat(pauses).hasValue(0);
    }

    /** Errors are in logs, and are shown to users without the right to see values. */
    @Test
    void whatIsReportedOfARejectedMessageHasNoValueOfARow() {
        byte[] key = "alice@example.org".getBytes(StandardCharsets.UTF_8);
        Message message = new Message("shop", 0, key, "secret row".getBytes(StandardCharsets.UTF_8), List.of());
        RejectedMessage refused = new RejectedMessage(
                OutgoingMessage.of(message, TextEntry.of(1)),
                List.of("shop.orders"),
                new DeliveryFailure(1, new IllegalStateException("no"), FailureKind.INVALID));

        assertThat(MessageRejectedException.of("shop", refused))
                .hasMessageContaining(
                        "INVALID of shop.orders at binlog.000001:1, 10 bytes to topic shop, partition 0: ")
                .message()
                .doesNotContain("alice", "secret row");
        assertThat(MessageRejectedException.ofDeadLetter("shop", refused, message))
                .message()
                .contains("shop.orders at binlog.000001:1")
                .doesNotContain("alice", "secret row");
    }

    @Test
    void aSkippedMessageIsLeftOutAndCounted() throws InterruptedException {
        policy = RejectionPolicy.SKIP;
        refuse(Fate.INVALID, 3);
        ring.put(TextEntry.range(0, 6));
        start();

        answerUntilAcked(6);

        assertThat(broker.kept("shop", 0)).containsExactly(0, 1, 2, 4, 5);
        SenderStatus status = sender.status();
        assertThat(status.skippedMessages()).isEqualTo(1);
        assertThat(status.ackedMessages()).isEqualTo(5);
        assertThat(status.lastFailure().cause()).hasMessage("it has no key");
        assertThat(pauses).hasValue(0);
    }

    @Test
    void aDeadLetterSaysWhatItWasAndTheCursorWaitsForIt() throws InterruptedException {
        policy = new DeadLetters(DEAD, 1000);
        AtomicBoolean isDown = new AtomicBoolean(true);
        broker.decide(message -> message.topic().equals(DEAD)
                ? isDown.get() ? Fate.LOST : Fate.DELIVERED
                : PartitionedBroker.numbers(message).contains(1) ? Fate.INVALID : Fate.DELIVERED);
        ring.put(List.of(TextEntry.of(0), TextEntry.of(1), TextEntry.end(2)));
        start();
        await().until(() -> {
            broker.answerAll();
            return pauses.get() >= 2;
        });
        assertThat(cursors.load(Subscription.QUEUE_CLIENT)).isNull();
        isDown.set(false);

        answerUntilAcked(3);

        Message letter = broker.messages(DEAD, 0).get(0);
        assertThat(letter.value()).asString(StandardCharsets.UTF_8).isEqualTo("1");
        assertThat(headers(letter))
                .containsEntry(DeadLetters.REASON, "java.lang.IllegalArgumentException: it has no key")
                .containsEntry(DeadLetters.KIND, "INVALID")
                .containsEntry(DeadLetters.TOPIC, "shop")
                .containsEntry(DeadLetters.PARTITION, "0")
                .containsEntry(DeadLetters.TABLE, "shop.orders")
                .containsEntry(DeadLetters.POSITION, "binlog.000001:1")
                .containsEntry(DeadLetters.BYTES, "1")
                .containsEntry(DeadLetters.VALUE, "whole");
        assertThat(broker.messages(DEAD, 0)).hasSize(1);
        assertThat(sender.status().deadLetters()).isEqualTo(1);
        assertThat(cursors.load(Subscription.QUEUE_CLIENT).position().offset()).isEqualTo(2);
    }

    @Test
    void aDeadLetterThatIsTooLargeGoesWithoutItsValue() throws InterruptedException {
        policy = new DeadLetters(DEAD, 1000);
        broker.decide(message -> PartitionedBroker.numbers(message).contains(1) ? Fate.TOO_LARGE : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 3));
        start();

        answerUntilAcked(3);

        Message letter = broker.messages(DEAD, 0).get(0);
        assertThat(letter.value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("1 bytes of shop.orders at binlog.000001:1 are left out");
        assertThat(letter.key()).isNull();
        assertThat(headers(letter))
                .containsEntry(DeadLetters.KIND, "TOO_LARGE")
                .containsEntry(DeadLetters.BYTES, "1")
                .containsEntry(DeadLetters.VALUE, "left out");
        assertThat(broker.kept("shop", 0)).containsExactly(0, 2);
    }

    /** Neither the broker nor a buffer ever sees it. */
    @Test
    void aMessageThatWouldBeTooLargeIsNotMadeAndItsNeighboursAreSent() throws InterruptedException {
        policy = RejectionPolicy.SKIP;
        converter = Converters.OF_TEXTS
                .flat(new FixedRouter("shop", 0), Time.SYSTEM)
                .with(new ValueLimit(1000, 100_000));
        ring.put(List.of(TextEntry.of(0), large(1), TextEntry.of(2), TextEntry.end(3)));
        start();

        answerUntilAcked(4);

        assertThat(broker.kept("shop", 0)).containsExactly(0, 2);
        assertThat(sender.status().skippedMessages()).isEqualTo(1);
        assertThat(sender.status().lastFailure().cause())
                .hasMessageContaining("200000 bytes or more are needed")
                .hasMessageContaining("messages of up to 1000 bytes, and with this heap they have up to 100000");
        assertThat(pauses).hasValue(0);
    }

    @Test
    void theDeadLetterOfAMessageThatIsNotMadeSaysHowLargeItWouldBe() throws InterruptedException {
        policy = new DeadLetters(DEAD, 1000);
        converter = Converters.OF_TEXTS
                .flat(new FixedRouter("shop", 0), Time.SYSTEM)
                .with(new ValueLimit(1000, 100_000));
        ring.put(List.of(large(1), TextEntry.end(2)));
        start();

        answerUntilAcked(2);

        Message letter = broker.messages(DEAD, 0).get(0);
        assertThat(letter.value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("200000 bytes of shop.orders at binlog.000001:1 are left out");
        assertThat(headers(letter))
                .containsEntry(DeadLetters.KIND, "TOO_LARGE")
                .containsEntry(DeadLetters.BYTES, "200000")
                .containsEntry(DeadLetters.VALUE, "left out");
    }

    private static TextEntry large(int number) {
        return new TextEntry(number, EntryKind.ROWS, "9".repeat(200_000));
    }

    /** Or a revoked right would discard all that follows. */
    @Test
    void aTopicThatTakesNothingIsRetriedWhateverIsDoneAboutMessages() throws InterruptedException {
        policy = RejectionPolicy.of(RejectionPolicy.SKIP, RejectionPolicy.RETRY);
        AtomicBoolean isGranted = new AtomicBoolean();
        broker.decide(message -> PartitionedBroker.numbers(message).contains(1)
                ? Fate.INVALID
                : isGranted.get() ? Fate.DELIVERED : Fate.TOPIC_UNAVAILABLE);
        ring.put(TextEntry.range(0, 6));
        start();
        await().until(() -> {
            broker.answerAll();
            return pauses.get() >= 4;
        });
        assertThat(ring.stats().acked().entries()).isZero();
        assertThat(failure.get()).isNull();

        isGranted.set(true);
        answerUntilAcked(6);

        assertThat(broker.kept("shop", 0)).containsExactly(0, 2, 3, 4, 5);
        assertThat(sender.status().skippedMessages()).isEqualTo(1);
    }

    @Test
    void aTopicThatTakesNothingStopsTheSenderIfThatIsChosen() throws InterruptedException {
        policy = RejectionPolicy.of(RejectionPolicy.SKIP, RejectionPolicy.STOP);
        refuse(Fate.TOPIC_UNAVAILABLE, 3);
        ring.put(TextEntry.range(0, 6));
        start();

        await().until(() -> {
            broker.answerAll();
            return failure.get() != null;
        });

        assertThat(failure.get())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("TOPIC_UNAVAILABLE of shop.orders at binlog.000001:3")
                .hasMessageContaining("let canal.mq.onTopicUnavailable skip such messages");
    }

    @Test
    void aDeadLetterWaitsForItsTopicIfTopicsAreRetried() throws InterruptedException {
        policy = RejectionPolicy.of(new DeadLetters(DEAD, 1000), RejectionPolicy.RETRY);
        AtomicBoolean isGranted = new AtomicBoolean();
        broker.decide(message -> message.topic().equals(DEAD)
                ? isGranted.get() ? Fate.DELIVERED : Fate.TOPIC_UNAVAILABLE
                : PartitionedBroker.numbers(message).contains(1) ? Fate.INVALID : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 3));
        start();
        await().until(() -> {
            broker.answerAll();
            return pauses.get() >= 2;
        });

        isGranted.set(true);
        answerUntilAcked(3);

        assertThat(headers(broker.messages(DEAD, 0).get(0))).containsEntry(DeadLetters.VALUE, "whole");
        assertThat(broker.kept("shop", 0)).containsExactly(0, 2);
    }

    @Test
    void aDeadLetterThatIsRejectedStopsTheSender() throws InterruptedException {
        policy = new DeadLetters(DEAD, 1000);
        broker.decide(message -> message.topic().equals(DEAD)
                        || PartitionedBroker.numbers(message).contains(1)
                ? Fate.INVALID
                : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 3));
        start();

        await().until(() -> {
            broker.answerAll();
            return failure.get() != null;
        });

        assertThat(failure.get())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("the dead letter for a message of instance shop")
                .hasMessageContaining("shop.orders at binlog.000001:1, to topic shop_dead");
        assertThat(ring.stats().acked().entries()).isZero();
    }

    /** A login may fail for a while: a server behind it is down, or a certificate was renewed. */
    @Test
    void aProducerThatWasAdmittedOnceIsTriedAgain() throws InterruptedException {
        ring.put(TextEntry.range(0, 2));
        start();
        answerUntilAcked(2);
        refuse(Fate.NOT_ADMITTED, 2);
        ring.put(TextEntry.range(2, 4));

        await().until(() -> {
            broker.answerAll();
            return sender.status().failures() >= 10 || failure.get() != null;
        });
        assertThat(failure.get()).isNull();
        broker.decide(message -> Fate.DELIVERED);

        answerUntilAcked(4);
        assertThat(broker.kept("shop", 0)).containsExactly(0, 1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(names = {"BROKEN", "NOT_ADMITTED"})
    void nothingIsPassedOverWhenNothingCanBeSent(Fate fate) throws InterruptedException {
        policy = RejectionPolicy.SKIP;
        batchSize = 3;
        refuse(fate, 1);
        ring.put(TextEntry.range(0, 3));
        start();

        await().until(() -> {
            broker.answerAll();
            return failure.get() != null;
        });

        assertThat(failure.get())
                .isInstanceOf(ProducerBrokenException.class)
                .hasMessageContaining("nothing of instance shop can be sent")
                .hasMessageContaining("wrong password");
        assertThat(sender.status().skippedMessages()).isZero();
    }

    @Test
    void aMessageOfSeveralEntriesIsCutBeforeThePolicyJudges() throws InterruptedException {
        converter = new PartitionedConverter("shop", 2, 5);
        batchSize = 10;
        broker.decide(message -> PartitionedBroker.numbers(message).size() > 1 && message.partition() == 1
                ? Fate.TOO_LARGE
                : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 10));
        start();

        answerUntilAcked(10);

        assertThat(broker.kept("shop", 0)).containsExactly(0, 2, 4, 6, 8);
        assertThat(broker.messages("shop", 0)).hasSize(1);
        assertThat(broker.kept("shop", 1)).containsExactly(1, 3, 5, 7, 9);
        assertThat(broker.messages("shop", 1)).hasSize(5);
        assertThat(sender.status().splitMessages()).isEqualTo(1);
        assertThat(failure.get()).isNull();
    }

    @Test
    void aMessageIsCutIntoItsRowsThoughTheNumberOfPartitionsHasChanged() throws InterruptedException {
        AtomicInteger partitions = new AtomicInteger(2);
        Router router = RoutingRules.read(
                        new RuleTexts("shop", 0, "", ".*\\..*:id", false, OptionalInt.empty(), "", true, ""))
                .router(topic -> OptionalInt.of(partitions.getAndIncrement()));
        converter =
                Converters.OF_TEXTS.flat(router, KeyChange.KEEP, DdlPartition.FIRST, ChangeHeaders.NONE, Time.SYSTEM);
        List<String> delivered = new CopyOnWriteArrayList<>();
        broker.decide(message -> {
            String text = new String(message.value(), StandardCharsets.UTF_8);
            if (text.split(" ").length > 3) { // more than one row
                return Fate.TOO_LARGE;
            }
            delivered.add(message.partition() + " " + text);
            return Fate.DELIVERED;
        });
        ring.put(List.of(KeyedEntry.of(1, "orders", EventType.INSERT, "a", "b", "c", "d", "e", "f")));
        start();

        answerUntilAcked(1);

        assertThat(delivered)
                .containsExactlyInAnyOrder(
                        "1 INSERT 1: 0=a>a;",
                        "0 INSERT 1: 1=b>b;",
                        "1 INSERT 1: 2=c>c;",
                        "0 INSERT 1: 3=d>d;",
                        "1 INSERT 1: 4=e>e;",
                        "0 INSERT 1: 5=f>f;");
        assertThat(sender.status().splitMessages()).isEqualTo(2);
    }

    /** Or the older message, which arrived though it failed, would be after the newer one. */
    @Test
    void aMessageThatFailedIsSentAgainWithThoseAfterItInItsPartition() throws InterruptedException {
        converter = new PartitionedConverter("shop", 2, 1);
        AtomicInteger failures = new AtomicInteger(1);
        broker.decide(message -> PartitionedBroker.numbers(message).contains(1) && failures.getAndDecrement() > 0
                ? Fate.KEPT_BUT_FAILED
                : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 6));
        start();
        await().until(() -> broker.unansweredCount() == 6);

        answerUntilAcked(6);

        assertThat(broker.kept("shop", 0)).containsExactly(0, 2, 4);
        assertThat(broker.kept("shop", 1)).containsExactly(1, 3, 5, 1, 3, 5);
        assertThat(sender.status().resentMessages()).isEqualTo(3);
    }

    /**
     * Whatever fails and whatever is rejected, every other entry is at the broker in the end, in every partition both the first and
     * the last copies are in the order of the entries, and the cursor is never ahead of what is there.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void losesNothingButWhatIsSkipped(long seed) throws Exception {
        Random random = new Random(seed);
        int total = 1500;
        int partitions = 1 + random.nextInt(4);
        boolean skips = random.nextBoolean();
        policy = skips ? RejectionPolicy.SKIP : new DeadLetters(DEAD, 1000);
        converter = new PartitionedConverter("shop", partitions, 1 + random.nextInt(4));
        maxInFlight = 1 + random.nextInt(10);
        batchSize = 1 + random.nextInt(30);
        Set<Integer> refused = random.ints(random.nextInt(40), 0, total)
                .filter(number -> number % 50 != 49)
                .boxed()
                .collect(Collectors.toSet());
        Random fates = new Random(random.nextLong());
        int failEvery = 20 + random.nextInt(300);
        broker.decide(message -> fate(message, refused, fates, failEvery));
        Future<?> put = pool.submit(() -> {
            for (int next = 0; next < total; next += 50) {
                List<Entry> list = new ArrayList<>(TextEntry.range(next, next + 49));
                list.add(TextEntry.end(next + 49));
                ring.put(list);
            }
            return null;
        });
        start();

        while (ring.stats().acked().entries() < total && !Thread.currentThread().isInterrupted()) {
            assertThat(failure.get()).isNull();
            if (random.nextInt(20) == 0) {
                assertCursorIsNotAhead(partitions, skips ? refused : Set.of());
            }
            broker.answerAny(random);
        }

        put.get();
        for (int partition = 0; partition < partitions; partition++) {
            int own = partition;
            assertInOrder(
                    broker.kept("shop", partition),
                    IntStream.range(0, total)
                            .filter(number -> number % 50 != 49 && number % partitions == own)
                            .filter(number -> !refused.contains(number))
                            .boxed()
                            .toList());
            assertInOrder(
                    deadNumbers().filter(number -> number % partitions == own).toList(),
                    refused.stream()
                            .filter(number -> !skips && number % partitions == own)
                            .sorted()
                            .toList());
        }
        await().until(() -> cursors.load(Subscription.QUEUE_CLIENT).position().offset() == total - 1
                && sender.status().batchesInFlight() == 0);
        assertThat(sender.status().skippedMessages()).isEqualTo(skips ? refused.size() : 0);
        assertThat(sender.status().deadLetters()).isEqualTo(skips ? 0 : refused.size());
    }

    /** Of the dead letters with an even number the value is too large, too. */
    private static Fate fate(Message message, Set<Integer> refused, Random fates, int failEvery) {
        List<Integer> numbers = PartitionedBroker.numbers(message);
        boolean isDead = message.topic().equals(DEAD);
        boolean isTaken = isDead
                ? numbers.stream().allMatch(number -> number % 2 != 0)
                : numbers.stream().noneMatch(refused::contains);
        if (fates.nextInt(failEvery) == 0) {
            return isTaken && fates.nextBoolean() ? Fate.KEPT_BUT_FAILED : Fate.LOST;
        }
        if (isTaken) {
            return Fate.DELIVERED;
        }
        return !isDead && numbers.size() == 1 && fates.nextBoolean() ? Fate.INVALID : Fate.TOO_LARGE;
    }

    private static void assertInOrder(List<Integer> kept, List<Integer> expected) {
        assertThat(new HashSet<>(kept)).isEqualTo(new HashSet<>(expected));
        assertThat(kept.stream().distinct()).isSorted();
        assertThat(expected.stream().map(kept::lastIndexOf)).isSorted();
    }

    private Stream<Integer> deadNumbers() {
        return broker.messages(DEAD, 0).stream()
                .map(letter -> headers(letter).get(DeadLetters.POSITION))
                .map(place -> Integer.valueOf(place.substring(place.indexOf(':') + 1)));
    }

    private void assertCursorIsNotAhead(int partitions, Set<Integer> skipped) {
        if (cursors.load(Subscription.QUEUE_CLIENT) == null) {
            return;
        }
        int cursor = (int) cursors.load(Subscription.QUEUE_CLIENT).position().offset();
        Set<Integer> there = new HashSet<>(skipped);
        deadNumbers().forEach(there::add);
        for (int partition = 0; partition < partitions; partition++) {
            there.addAll(broker.kept("shop", partition));
        }
        assertThat(there)
                .containsAll(IntStream.range(0, cursor)
                        .filter(number -> number % 50 != 49)
                        .boxed()
                        .toList());
    }

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("sluice.seeds", 20));
    }

    private static Map<String, String> headers(Message message) {
        return message.headers().stream().collect(Collectors.toMap(MessageHeader::name, MessageHeader::value));
    }

    private void refuse(Fate fate, int number) {
        broker.decide(message -> PartitionedBroker.numbers(message).contains(number) ? fate : Fate.DELIVERED);
    }

    private void start() {
        sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.entries(batchSize), SHORT, maxInFlight),
                ring,
                cursors,
                converter,
                pool,
                broker,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), this::noRandomness),
                Time.SYSTEM,
                policy,
                failure::set);
        sender.start();
    }

    /** Asked once for each pause. */
    private long noRandomness() {
        pauses.incrementAndGet();
        return 0;
    }

    /** All that there is; then also the cursor is saved, and what was acked is counted. */
    private void answerUntilAcked(long entries) {
        await().until(() -> {
            broker.answerAll();
            return ring.stats().acked().entries() == entries && sender.status().batchesInFlight() == 0;
        });
    }
}
