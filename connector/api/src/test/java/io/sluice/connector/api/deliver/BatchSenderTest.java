package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.RecordingBroker.Fate;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300) // a sender that waits for ever must fail the build, not stop it
class BatchSenderTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(10);

    private EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false));
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final RecordingBroker broker = new RecordingBroker();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(3);

    private Executor converters = pool;
    private BatchConverter converter = Converters.OF_TEXTS.flat(new FixedRouter("shop", 0), Time.SYSTEM);
    private Duration getTimeout = SHORT;
    private Duration longestPause = Duration.ofMillis(2);
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
            broker.decide(number -> Fate.DELIVERED);
            assertThat(stopped()).isTrue();
        }
        pool.shutdownNow();
    }

    @Test
    void acksWhatTheBrokerConfirmed() throws InterruptedException {
        ring.put(TextEntry.range(0, 3));
        ring.put(List.of(TextEntry.end(3), TextEntry.of(4)));
        start();
        await().until(() -> broker.unansweredCount() == 4);

        broker.answerAll();

        awaitAcked(5);
        await().until(() -> sender.status().batchesInFlight() == 0); // then the cursor is saved, and all is counted
        assertThat(broker.kept()).containsExactly(0, 1, 2, 4);
        assertThat(cursors.load(Subscription.QUEUE_CLIENT).position().offset()).isEqualTo(3);
        SenderStatus status = sender.status();
        assertThat(status.state()).isEqualTo(SenderState.RUNNING);
        assertThat(status.ackedMessages()).isEqualTo(4);
        assertThat(status.ackedBytes()).isEqualTo(4);
    }

    @Test
    void theCursorFollowsTheStreamWhenNothingIsLeftToSend() throws InterruptedException {
        Cursor mark = new Cursor("db", 3306, new BinlogPosition("binlog.000009", 4), "", 1, 0);
        ring.put(List.of(TextEntry.of(0), TextEntry.end(1), TextEntry.of(2)));
        ring.checkpoint(() -> mark);
        start();
        await().until(() -> broker.unansweredCount() == 2);
        broker.answer(0);
        await().until(() -> cursors.load(Subscription.QUEUE_CLIENT) != null);
        assertThat(cursors.load(Subscription.QUEUE_CLIENT)).isNotEqualTo(mark);

        broker.answerAll();

        await().until(() -> mark.equals(cursors.load(Subscription.QUEUE_CLIENT)));
    }

    @Test
    void acksInOrderThoughTheBrokerConfirmsInAnyOrder() throws InterruptedException {
        ring.put(TextEntry.range(0, 6));
        start();
        await().until(() -> broker.unansweredCount() == 6);

        IntStream.of(5, 4, 3, 2, 0).forEach(broker::answer);
        ring.put(TextEntry.range(6, 7)); // makes the sender look around
        await().until(() -> broker.unansweredCount() == 2);
        assertThat(ring.stats().acked().entries()).isZero();

        broker.answer(1);

        awaitAcked(6);
    }

    @Test
    void handsOverInOrderThoughConversionsEndInAnyOrder() throws InterruptedException {
        List<Runnable> conversions = Collections.synchronizedList(new ArrayList<>());
        converters = conversions::add;
        maxInFlight = 3;
        ring.put(large(0, 6));
        start();
        await().until(() -> conversions.size() == 3);

        conversions.get(2).run();
        conversions.get(1).run();
        assertThat(broker.kept()).isEmpty();
        conversions.get(0).run();

        await().until(() -> broker.unansweredCount() == 6);
        assertThat(broker.kept()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void convertsSmallBatchesItself() throws InterruptedException {
        converters = conversion -> {
            throw new AssertionError("a worker was asked");
        };
        broker.decide(number -> Fate.DELIVERED);
        start();

        for (int i = 0; i < 5; i++) {
            ring.put(TextEntry.range(i, i + 1));
            await().until(() -> broker.unansweredCount() > 0);
            broker.answerAll();
        }

        assertThat(broker.kept()).containsExactly(0, 1, 2, 3, 4);
    }

    /** Nothing new comes into a full store before an ack, so whoever waits for the next entry alone waits in vain. */
    @Timeout(150) // it would take 200 seconds otherwise
    @Test
    void acksAtOnceWhileTheStoreIsFull() throws Exception {
        ring = new EntryRing(new RingConfig(1, 1024, false));
        getTimeout = LONG;
        int entries = 1_000;
        start();

        Future<?> parser = pool.submit(() -> {
            ring.put(TextEntry.range(0, entries));
            return null;
        });
        for (int i = 0; i < entries; i++) {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofNanos(50_000))
                    .until(() -> broker.unansweredCount() == 1);
            broker.answerAll();
        }

        parser.get();
        awaitAcked(entries);
    }

    @Test
    void takesNoMoreBatchesThanMayBeInFlight() throws InterruptedException {
        maxInFlight = 2;
        ring.put(TextEntry.range(0, 10));
        start();
        await().until(() -> broker.unansweredCount() == 4);

        assertThat(sender.status().batchesInFlight()).isEqualTo(2);
        assertThat(ring.stats().got().entries()).isEqualTo(4);

        broker.answerAll();
        await().until(() -> broker.unansweredCount() == 4);
        assertThat(ring.stats().got().entries()).isEqualTo(8);
    }

    @Test
    void takesNoMoreBatchesWhenThoseInFlightAreHeavy() throws InterruptedException {
        converter = new Padded(converter, 3 << 20);
        converters = Runnable::run;
        maxInFlight = 100;
        batchSize = 1;
        ring.put(TextEntry.range(0, 10));
        start();
        await().until(() -> broker.unansweredCount() == 4);
        assertThat(ring.stats().got().entries()).isEqualTo(4);

        broker.answer(0);
        await().until(() -> broker.unansweredCount() == 4);
        assertThat(ring.stats().got().entries()).isEqualTo(5);
    }

    /** Makes the values of another one so many bytes long, by zeros in front. */
    private record Padded(BatchConverter other, int bytes) implements BatchConverter {
        @Override
        public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
            return other.convert(batchId, entries).stream().map(this::padded).toList();
        }

        private OutgoingMessage padded(OutgoingMessage record) {
            byte[] value = new byte[bytes];
            Arrays.fill(value, (byte) '0');
            byte[] old = record.message().value();
            System.arraycopy(old, 0, value, bytes - old.length, old.length);
            Message message =
                    new Message(record.message().topic(), record.message().partition(), value);
            return new OutgoingMessage(message, record.first(), record.last(), record.changes());
        }

        @Override
        public BatchConverter singly() {
            return new Padded(other.singly(), bytes);
        }
    }

    @Test
    void sendsAgainFromTheFirstEntryThatWasNotAcked() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger(1);
        broker.decide(number -> number == 2 && failures.getAndDecrement() > 0 ? Fate.LOST : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 6));
        start();
        await().until(() -> broker.unansweredCount() == 6);

        broker.answerAll();
        await().until(() -> broker.unansweredCount() == 4);
        broker.answerAll();

        awaitAcked(6);
        assertThat(broker.kept()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(sender.status().failures()).isEqualTo(1);
        assertThat(sender.status().lastFailure().cause()).hasMessage("broker is gone");
    }

    @Test
    void sendsNothingAgainBeforeTheBrokerHasAnsweredForAll() throws InterruptedException {
        broker.decide(number -> number == 0 ? Fate.LOST : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 4));
        start();
        await().until(() -> broker.unansweredCount() == 4);

        broker.answer(0);
        await().until(() -> sender.status().state() == SenderState.SETTLING);
        assertThat(broker.kept()).isEmpty();

        broker.decide(number -> Fate.DELIVERED);
        broker.answerAll();
        await().until(() -> broker.kept().size() == 4);
        assertThat(broker.kept()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aConverterThatFailsEndsTheSenderWithItsCause() throws InterruptedException {
        converter = (batchId, entries) -> {
            throw new IllegalStateException("bytes of a row cannot be read");
        };
        ring.put(TextEntry.range(0, 1));
        start();

        await().until(() -> failure.get() != null);

        assertThat(failure.get()).hasRootCauseMessage("bytes of a row cannot be read");
        assertThat(ring.stats().acked().entries()).isZero();
    }

    @Test
    void batchesAreConvertedAgainUntilTheNumberOfPartitionsIsKnown() throws InterruptedException {
        AtomicInteger unknown = new AtomicInteger(5);
        BatchConverter known = converter;
        converter = (batchId, entries) -> {
            if (batchId > 1 && unknown.getAndDecrement() > 0) {
                throw new PartitionsUnknownException("shop", "no broker is reachable");
            }
            return known.convert(batchId, entries);
        };
        ring.put(TextEntry.range(0, 6));
        start();

        await().until(() -> {
            broker.answerAll();
            return ring.stats().acked().entries() == 6;
        });

        assertThat(broker.kept()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(sender.status().failures()).isPositive();
        assertThat(sender.status().lastFailure().cause()).hasMessageContaining("no broker is reachable");
        assertThat(failure.get()).isNull();
    }

    @Test
    void aStopEndsTheWaitForTheNumberOfPartitions() throws InterruptedException {
        longestPause = LONG;
        converter = (batchId, entries) -> {
            throw new PartitionsUnknownException("shop", "no broker is reachable");
        };
        ring.put(TextEntry.range(0, 2));
        start();
        await().until(() -> sender.status().state() == SenderState.BACKING_OFF);

        assertThat(sender.stop(LONG)).isTrue();

        assertThat(sender.isSilent()).as("nothing was sent").isTrue();
        assertThat(ring.stats().got().entries()).isZero();
    }

    @Test
    void aStopFinishesWhatIsInFlight() throws Exception {
        ring.put(TextEntry.range(0, 4));
        start();
        await().until(() -> broker.unansweredCount() == 4);
        Future<Boolean> stopped = pool.submit(() -> sender.stop(LONG));
        await().until(() -> sender.status().state() == SenderState.STOPPING);

        broker.answerAll();

        assertThat(stopped.get()).isTrue();
        assertThat(sender.isSilent()).isTrue();
        assertThat(ring.stats().acked().entries()).isEqualTo(4);
        assertThat(sender.status().state()).isEqualTo(SenderState.STOPPED);
        assertThat(failure.get()).isNull();
    }

    @Test
    void aStopGivesUpWhatTheBrokerDoesNotAnswerFor() throws InterruptedException {
        ring.put(TextEntry.range(0, 4));
        start();
        await().until(() -> broker.unansweredCount() == 4);

        assertThat(sender.isSilent()).as("while it runs").isFalse();
        assertThat(stopped()).isTrue();

        assertThat(sender.isSilent()).isFalse();
        assertThat(sender.status().state()).isEqualTo(SenderState.STOPPED);
        assertThat(ring.stats().got().entries()).isZero();
    }

    @Test
    void aProducerThatIsClosedForAStopIsNoFailureAlsoWhileAnswersAreAwaitedAfterAnother() throws InterruptedException {
        ring.put(TextEntry.range(0, 2));
        start();
        await().until(() -> broker.unansweredCount() == 2);
        broker.fail(0, FailureKind.PASSING);
        await().until(() -> sender.status().state() == SenderState.SETTLING);

        sender.beginStop();
        broker.fail(1, FailureKind.BROKEN);

        await().until(() -> sender.status().state() == SenderState.STOPPED || failure.get() != null);
        assertThat(failure.get()).isNull();
        assertThat(sender.stop(LONG)).isTrue();
        assertThat(sender.isSilent()).isFalse();
    }

    @Test
    void aStopEndsAPause() throws InterruptedException {
        longestPause = LONG;
        broker.decide(number -> Fate.LOST);
        ring.put(TextEntry.range(0, 1));
        start();
        await().until(() -> {
            broker.answerAll();
            return sender.status().state() == SenderState.BACKING_OFF;
        });
        assertThat(sender.status().backOff()).isPositive();

        assertThat(sender.stop(LONG)).isTrue();

        assertThat(sender.isSilent()).as("what failed may arrive all the same").isFalse();
        assertThat(sender.status().state()).isEqualTo(SenderState.STOPPED);
    }

    @Test
    void aClosedStoreEndsTheSenderWhenAllIsAcked() throws InterruptedException {
        ring.put(TextEntry.range(0, 2));
        start();
        await().until(() -> broker.unansweredCount() == 2);

        ring.close();
        await().until(() -> sender.status().state() == SenderState.STOPPING);
        broker.answerAll();

        await().until(() -> sender.status().state() == SenderState.STOPPED);
        assertThat(ring.stats().acked().entries()).isEqualTo(2);
    }

    /**
     * Whatever fails, every entry is at the broker in the end, and both the first and the last copies are in the order of the
     * entries; without failures there is one copy of each. The cursor is never ahead of what is at the broker.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void deliversAllInOrderWhateverFails(long seed) throws Exception {
        Random random = new Random(seed);
        int total = 2000;
        int failEvery = seed % 4 == 0 ? 0 : 20 + random.nextInt(500);
        maxInFlight = 1 + random.nextInt(10);
        batchSize = 1 + random.nextInt(30);
        Random fates = new Random(random.nextLong());
        broker.decide(number -> failEvery == 0 || fates.nextInt(failEvery) > 0
                ? Fate.DELIVERED
                : fates.nextBoolean() ? Fate.LOST : Fate.KEPT_BUT_FAILED);
        converters = shuffling(new Random(random.nextLong()));
        Future<?> put = pool.submit(() -> {
            for (int next = 0; next < total; next += 50) {
                List<Entry> list =
                        new ArrayList<>(seed % 2 == 0 ? TextEntry.range(next, next + 49) : large(next, next + 49));
                list.add(TextEntry.end(next + 49));
                ring.put(list);
            }
            return null;
        });
        start();

        while (ring.stats().acked().entries() < total && !Thread.currentThread().isInterrupted()) {
            assertThat(failure.get()).isNull();
            if (random.nextInt(10) == 0) {
                assertCursorIsNotAhead();
            }
            broker.answerAny(random);
        }

        put.get();
        List<Integer> kept = broker.kept();
        List<Integer> expected = IntStream.range(0, total)
                .filter(number -> number % 50 != 49)
                .boxed()
                .toList();
        assertThat(kept.stream().distinct()).containsExactlyElementsOf(expected);
        Map<Integer, Integer> lastCopies = new HashMap<>();
        for (int i = 0; i < kept.size(); i++) {
            lastCopies.put(kept.get(i), i);
        }
        assertThat(expected.stream().map(lastCopies::get)).isSorted();
        if (failEvery == 0) {
            assertThat(kept).isEqualTo(expected);
        }
        await().until(() -> cursors.load(Subscription.QUEUE_CLIENT).position().offset() == total - 1);
    }

    /** Any two of them are more than the sender converts itself. */
    private static List<Entry> large(int from, int to) {
        return IntStream.range(from, to)
                .<Entry>mapToObj(number -> TextEntry.of(number, 9_000))
                .toList();
    }

    private void assertCursorIsNotAhead() {
        if (cursors.load(Subscription.QUEUE_CLIENT) != null) {
            long cursor = cursors.load(Subscription.QUEUE_CLIENT).position().offset();
            assertThat(broker.kept()).contains((int) cursor - 1);
        }
    }

    /** Runs conversions on the pool, the newest first as often as not. */
    private Executor shuffling(Random random) {
        ConcurrentLinkedDeque<Runnable> waiting = new ConcurrentLinkedDeque<>();
        return conversion -> {
            if (random.nextBoolean()) {
                waiting.addFirst(conversion);
            } else {
                waiting.addLast(conversion);
            }
            pool.execute(() -> waiting.pollFirst().run());
        };
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    private void start() {
        sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.entries(batchSize), getTimeout, maxInFlight),
                ring,
                cursors,
                converter,
                converters,
                broker,
                new Backoff(longestPause, longestPause, new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                failure::set);
        sender.start();
    }

    /** Gives up what is in flight, and returns whether the thread has ended, for which a slow machine has time. */
    private boolean stopped() throws InterruptedException {
        return sender.stop(SHORT) || sender.stop(LONG);
    }

    private void awaitAcked(long entries) {
        await().until(() -> ring.stats().acked().entries() == entries);
    }
}
