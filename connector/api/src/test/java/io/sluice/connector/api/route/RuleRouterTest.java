package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.Partitioning.ByKey;
import io.sluice.connector.api.route.Partitioning.ByTable;
import io.sluice.format.split.RowKey;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class RuleRouterTest {
    private static final String[] KEYED = {
        "partitionHash", "a.b:id", "partitionsNum", "5", "enableDynamicQueuePartition", "true"
    };

    private final Map<String, Integer> broker = new TreeMap<>();
    private final List<String> asked = new ArrayList<>();
    private final HandTime time = new HandTime();
    private final Set<String> unavailable = new HashSet<>();
    private boolean isReachable = true;

    private OptionalInt ask(String topic) {
        asked.add(topic);
        if (!isReachable) {
            throw new PartitionsUnknownException(topic, "no broker is reachable");
        }
        if (unavailable.contains(topic)) {
            throw new PartitionsUnknownException(
                    topic, new IllegalStateException("no such topic"), FailureKind.TOPIC_UNAVAILABLE);
        }
        Integer count = broker.get(topic);
        return count == null ? OptionalInt.empty() : OptionalInt.of(count);
    }

    private Router asking(String... keysAndValues) {
        return RoutingRules.read(Texts.of(keysAndValues))
                .router(new BrokerPartitions(this::ask, Duration.ofSeconds(30), Runnable::run, time));
    }

    @Test
    void theBrokerIsAskedForThePartitionsOfATopicThatNoRuleIsFor() {
        Router router = asking(
                "dynamicTopic", ".*\\..*",
                "partitionHash", "shop\\..*:id",
                "partitionsNum", "5",
                "dynamicTopicPartitionNum", "shop_fixed:2",
                "enableDynamicQueuePartition", "true");
        broker.put("shop_orders", 7);
        broker.put("till_sales", 3);

        assertThat(count(router.route("shop", "orders"))).isEqualTo(7);
        assertThat(count(router.route("shop", "fixed"))).isEqualTo(2);
        assertThat(count(router.route("shop", "unknown"))).isEqualTo(5);
        assertThat(router.route("till", "sales").partitioning()).isEqualTo(new ByTable(0, 3));
        assertThat(asked).containsExactly("shop_orders", "shop_unknown", "till_sales");
    }

    @Test
    void theNumberOfPartitionsIsAnnouncedBeforeTheFirstMessageIfTheRulesStateIt() {
        List<String> announced = new ArrayList<>();
        TopicPartitions listener = new TopicPartitions() {
            @Override
            public OptionalInt of(String topic) {
                return OptionalInt.empty();
            }

            @Override
            public void announce(String topic, int partitions) {
                announced.add(topic + "=" + partitions);
            }
        };
        TopicPartitions remembering = new BrokerPartitions(listener, Duration.ofSeconds(30), Runnable::run, time);

        Router router = RoutingRules.read(Texts.of(
                        "dynamicTopic", "shop\\..*", "partitionsNum", "5", "dynamicTopicPartitionNum", "shop_fixed:2"))
                .router(remembering);
        router.route("shop", "orders");
        router.route("shop", "orders");
        router.route("shop", "fixed");
        RoutingRules.read(Texts.of("partitionHash", "a.b:id"))
                .router(remembering)
                .route("a", "b");

        assertThat(announced).containsExactly("shop_orders=5", "shop_fixed=2");
    }

    @Test
    void theBrokerIsAskedAgainAfterAWhileAndItsLastAnswerHolds() {
        Router router = asking(KEYED);
        broker.put("dft.topic", 7);
        Route before = router.route("a", "b");
        broker.put("dft.topic", 8);

        time.passSeconds(29);
        assertThat(router.route("a", "b")).isSameAs(before);
        time.passSeconds(1);
        Route after = router.route("a", "b");
        assertThat(after.partitioning()).isEqualTo(new ByKey(RowKey.of(List.of("id")), "a".hashCode(), 8));

        broker.clear();
        time.passSeconds(30);
        assertThat(router.route("a", "b")).isSameAs(after);
        assertThat(asked).hasSize(3);
    }

    /** Rows that were spread over the configured number for the interval moved when the broker was asked again. */
    @Test
    void theBrokerIsAskedAgainUntilItKnowsTheTopic() {
        Router router = asking(KEYED);
        assertThat(count(router.route("a", "b"))).isEqualTo(5);

        broker.put("dft.topic", 7);

        assertThat(count(router.route("a", "b"))).isEqualTo(7);
        assertThat(count(router.route("a", "b"))).isEqualTo(7);
        assertThat(asked).hasSize(2);
    }

    @Test
    void nothingIsRoutedBeforeTheFirstAnswerOfABrokerThatCannotBeAsked() {
        Router router = asking(KEYED);
        isReachable = false;
        Router pinned = router.pinned();
        assertThatThrownBy(() -> pinned.route("a", "b")).isInstanceOf(PartitionsUnknownException.class);

        broker.put("dft.topic", 7);
        isReachable = true;
        assertThat(count(pinned.route("a", "b"))).isEqualTo(7);

        isReachable = false;
        time.passSeconds(30);
        assertThat(count(router.route("a", "b"))).as("the last answer").isEqualTo(7);
    }

    /** A thread that waits converts nothing of other topics and instances. */
    @Test
    void anAnswerIsNotWaitedForAndItsTopicIsAskedForOnce() {
        List<Runnable> questions = new ArrayList<>();
        Router router = RoutingRules.read(Texts.of(KEYED))
                .router(new BrokerPartitions(this::ask, Duration.ofSeconds(30), questions::add, time));
        Router first = router.pinned();
        Router second = router.pinned();
        assertThatThrownBy(() -> first.route("a", "b")).isInstanceOf(PartitionsAwaitedException.class);
        PartitionsAwaitedException awaited =
                catchThrowableOfType(PartitionsAwaitedException.class, () -> second.route("a", "b"));
        assertThat(questions).hasSize(1);
        assertThat(awaited.answer()).isNotDone();

        broker.put("dft.topic", 7);
        questions.get(0).run();

        assertThat(awaited.answer()).isCompletedWithValue(OptionalInt.of(7));
        assertThat(count(first.route("a", "b"))).isEqualTo(7);
        assertThat(count(second.route("a", "b"))).isEqualTo(7);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aTopicThatIsDeletedIsUnavailableAndAsManyPartitionsAsItHasThenCount() {
        Router router = asking(KEYED);
        broker.put("dft.topic", 7);
        assertThat(count(router.pinned().route("a", "b"))).isEqualTo(7);
        unavailable.add("dft.topic");
        time.passSeconds(30);
        Router pinned = router.pinned();
        assertThatThrownBy(() -> pinned.route("a", "b")).isInstanceOf(PartitionsUnknownException.class);

        unavailable.clear();
        broker.put("dft.topic", 3);

        assertThat(count(pinned.route("a", "b"))).isEqualTo(3);
    }

    @Test
    void aTopicWhoseRowsAreRejectedIsReportedAndStaysSoForABatch() {
        Router router = RoutingRules.read(Texts.of(KEYED))
                .router(
                        new BrokerPartitions(this::ask, Duration.ofSeconds(30), Runnable::run, time),
                        UnavailableTopics.REJECTED);
        unavailable.add("dft.topic");
        Router pinned = router.pinned();
        assertThat(count(pinned.route("a", "b"))).isEqualTo(5);
        assertThat(pinned.unavailable()).containsOnlyKeys("dft.topic");

        unavailable.clear();
        broker.put("dft.topic", 7);

        assertThat(count(pinned.route("a", "b"))).isEqualTo(5);
        assertThat(count(router.pinned().route("a", "b"))).isEqualTo(7);
        assertThat(router.unavailable()).isEmpty();
    }

    /** Else rows would be rejected, and left out perhaps, because a broker could not be reached for a while. */
    @Test
    void aTopicIsNotReportedWhileItIsNotKnownWhetherItIsThere() {
        Router router = RoutingRules.read(Texts.of(KEYED))
                .router(
                        new BrokerPartitions(this::ask, Duration.ofSeconds(30), Runnable::run, time),
                        UnavailableTopics.REJECTED);
        isReachable = false;
        Router pinned = router.pinned();
        assertThatThrownBy(() -> pinned.route("a", "b")).isInstanceOf(PartitionsUnknownException.class);
        assertThat(pinned.unavailable()).isEmpty();

        broker.put("dft.topic", 7);
        isReachable = true;

        assertThat(count(pinned.route("a", "b"))).isEqualTo(7);
    }

    @Test
    void theBrokerIsNotAskedWithoutNeed() {
        asking("partitionsNum", "5", "enableDynamicQueuePartition", "true").route("a", "b");
        asking("partitionHash", "a.b:id", "partitionsNum", "5").route("a", "b");

        assertThat(asked).isEmpty();
    }

    @Test
    void remembersABoundedNumberOfTables() {
        RuleRouter router = (RuleRouter) Texts.router("dynamicTopic", "one:a\\.t1.*,a\\..*");
        for (int i = 0; i < 250_000; i++) {
            assertThat(router.route("a", "t" + i).topic())
                    .isEqualTo(Integer.toString(i).startsWith("1") ? "one" : "a_t" + i);
        }
        assertThat(router.remembered()).isBetween(100_000, 131_072);
    }

    @Test
    void severalThreadsGetTheSameAnswers() throws Exception {
        Router router = Texts.router("dynamicTopic", ".*\\..*", "partitionHash", ".*\\..*", "partitionsNum", "4");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int offset = t * 5_000;
                tasks.add(() -> {
                    for (int i = offset; i < offset + 20_000; i++) {
                        String table = "t" + i % 20_000;
                        Route route = router.route("s", table);
                        assertThat(route.topic()).isEqualTo("s_" + table);
                        assertThat(route.partitioning())
                                .isEqualTo(new ByTable(Partitioning.partition(table.hashCode(), 4), 4));
                    }
                    return null;
                });
            }
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One that takes long for ordinary names is rejected before. */
    @Test
    void anExpressionThatTakesForEverIsCutOff() {
        Router router = Texts.router("dynamicTopic", "t:.*.*.*.*\\.x");

        assertThat(router.route("a".repeat(10), "x").topic()).isEqualTo("t");
        assertThatThrownBy(() -> router.route("a".repeat(2_000), "c"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in a reasonable time");
    }

    private static int count(Route route) {
        return ((ByKey) route.partitioning()).count();
    }
}
