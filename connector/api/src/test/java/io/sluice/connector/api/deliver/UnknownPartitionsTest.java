package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.PartitionedBroker.Fate;
import io.sluice.connector.api.deliver.failure.ProducerBrokenException;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.connector.api.route.UnavailableTopics;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of rows while the number of partitions of their topic is not known. */
@Timeout(300)
class UnknownPartitionsTest {
    private static final int CONFIGURED = 5;
    private static final int CREATED = 7;

    /** So large that a batch is converted by a converter's thread. */
    private static final int ENTRY_BYTES = 20_000;

    private final ExecutorService converters = Executors.newFixedThreadPool(1);
    private final List<Instance> instances = new ArrayList<>();

    private final ExecutorService askers = Executors.newCachedThreadPool();
    private RejectionPolicy policy = RejectionPolicy.RETRY;
    private UnavailableTopics unavailable = UnavailableTopics.AWAITED;

    /** An instance that sends to the topic {@code shop} of a broker of its own. */
    private final class Instance {
        private final EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false));
        private final CursorStore cursors = new MemoryCursorStore();
        private final PartitionedBroker broker = new PartitionedBroker();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final BatchSender sender;

        Instance(TopicPartitions partitions) {
            instances.add(this);
            cursors.subscribe(Subscription.QUEUE_CLIENT, "");
            RuleTexts texts =
                    new RuleTexts("shop", 0, "", "shop.orders", true, OptionalInt.of(CONFIGURED), "", true, "");
            BatchConverter converter = Converters.OF_TEXTS.flat(
                    RoutingRules.read(texts)
                            .router(
                                    new BrokerPartitions(partitions, Duration.ofSeconds(30), askers, Time.SYSTEM),
                                    unavailable),
                    Time.SYSTEM);
            sender = new BatchSender(
                    new SenderConfig("shop", BatchLimit.entries(2), Duration.ofMillis(10), 8),
                    ring,
                    cursors,
                    converter,
                    converters,
                    broker,
                    new Backoff(Duration.ofMillis(2), Duration.ofMillis(2), new Random(1)),
                    Time.SYSTEM,
                    policy,
                    failure::set);
        }

        void start(int entries) throws InterruptedException {
            List<Entry> all = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                all.add(TextEntry.of(i, ENTRY_BYTES));
            }
            ring.put(all);
            sender.start();
        }

        void answerUntilAcked(int entries) {
            await().until(() -> {
                broker.answerAll();
                return ring.stats().acked().entries() == entries;
            });
        }

        List<Integer> kept(int partitions) {
            return broker.kept("shop", Math.abs("orders".hashCode() % partitions));
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Instance next : instances) {
            next.sender.stop(Duration.ofSeconds(30));
        }
        converters.shutdownNow();
        askers.shutdownNow();
    }

    @Test
    void rowsOfATopicThatIsRetriedAreSpreadOverThePartitionsThatItIsCreatedWith() throws InterruptedException {
        Topic topic = new Topic();
        Instance shop = new Instance(topic);
        shop.start(4);
        await().until(() -> shop.sender.status().failures() > 1);
        assertThat(shop.sender.status().lastFailure().kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(shop.sender.status().lastFailure().cause()).hasMessageContaining("no such topic");

        topic.partitions = CREATED;

        shop.answerUntilAcked(4);
        assertThat(shop.kept(CREATED)).containsExactly(0, 1, 2, 3);
    }

    /** They are spread over another number than it may be created with before they are sent. */
    @Test
    void rowsOfATopicThatIsSkippedAreNotSent() throws InterruptedException {
        policy = RejectionPolicy.SKIP;
        unavailable = UnavailableTopics.REJECTED;
        Topic topic = new Topic();
        Instance shop = new Instance(topic);
        shop.broker.decide(message -> Fate.DELIVERED); // it is created just when it was asked for

        shop.start(4);

        shop.answerUntilAcked(4);
        assertThat(shop.kept(CONFIGURED)).isEmpty();
        assertThat(shop.sender.status().skippedMessages()).isEqualTo(4);
        topic.partitions = CREATED;
        shop.ring.put(List.of(TextEntry.of(4, ENTRY_BYTES)));
        shop.answerUntilAcked(5);
        assertThat(shop.kept(CREATED)).containsExactly(4);
    }

    private static final class Topic implements TopicPartitions {
        private volatile int partitions;

        @Override
        public OptionalInt of(String topic) {
            if (partitions == 0) {
                throw new PartitionsUnknownException(
                        topic, new IllegalStateException("no such topic"), FailureKind.TOPIC_UNAVAILABLE);
            }
            return OptionalInt.of(partitions);
        }
    }

    @Test
    void aQuestionThatIsNotAnsweredHoldsUpNoOtherInstance() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Instance slow = new Instance(topic -> {
            asked.countDown();
            awaitLatch(answer);
            return OptionalInt.of(CREATED);
        });
        Instance other = new Instance(topic -> OptionalInt.of(CREATED));
        slow.start(8);
        asked.await();

        other.start(8);

        other.answerUntilAcked(8);
        answer.countDown();
        slow.answerUntilAcked(8);
        assertThat(slow.kept(CREATED)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLoginThatFailsWhenThePartitionsAreAskedForEndsAnInstanceThatHasDeliveredNothing()
            throws InterruptedException {
        Instance shop = new Instance(topic -> {
            Exception cause = new NotAdmittedException("wrong password", new IllegalStateException("refused"));
            throw new PartitionsUnknownException(topic, cause, FailureKind.BROKEN);
        });

        shop.start(2);

        await().until(() -> shop.failure.get() != null);
        assertThat(shop.failure.get())
                .isInstanceOf(ProducerBrokenException.class)
                .hasMessageContaining("wrong password");
    }
}
