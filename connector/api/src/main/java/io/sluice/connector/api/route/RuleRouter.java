package io.sluice.connector.api.route;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Routes by rules. The routes of tables are cached, up to a limit; an entry of a table in the cache allocates nothing.
 */
final class RuleRouter implements Router {
    private static final int MAX_REMEMBERED = 131_072;

    /** How long an answer is waited for here: most take no longer, and a batch need not be converted twice then. */
    private static final Duration ROUND_TRIP = Duration.ofMillis(20);

    private final RuleTexts texts;
    private final boolean isFixed;
    private final Choice.Chooser rules;
    private final TopicPartitions broker;
    private final UnavailableTopics unavailable;

    /** By schema, then by table. */
    private final Map<String, Map<String, Verdict>> verdicts = new ConcurrentHashMap<>();

    private final AtomicInteger remembered = new AtomicInteger();

    /**
     * Makes a router that remembers nothing yet.
     *
     * @param isFixed whether everything goes to one partition of one topic, without keys
     */
    RuleRouter(
            RuleTexts texts,
            boolean isFixed,
            Choice.Chooser rules,
            TopicPartitions broker,
            UnavailableTopics unavailable) {
        this.texts = texts;
        this.isFixed = isFixed;
        this.rules = rules;
        this.broker = broker;
        this.unavailable = unavailable;
    }

    @Override
    public Route route(String schema, String table) {
        return verdict(schema, table).route(broker);
    }

    private Verdict verdict(String schema, String table) {
        Map<String, Verdict> tables = verdicts.get(schema);
        Verdict known = tables == null ? null : tables.get(table);
        return known == null ? learn(schema, table) : known;
    }

    @Override
    public Router pinned() {
        return texts.isHashed() && texts.askBroker() ? new Pinned() : this;
    }

    /** Routes by the numbers of partitions that the topics had when it was asked for them first. */
    private final class Pinned implements Router, TopicPartitions {
        private final Map<String, OptionalInt> counts = new HashMap<>();
        private final Map<String, CompletableFuture<OptionalInt>> questions = new HashMap<>();
        private final Map<String, PartitionsUnknownException> rejected = new HashMap<>();

        @Override
        public Route route(String schema, String table) {
            return verdict(schema, table).route(this);
        }

        @Override
        public OptionalInt of(String topic) {
            OptionalInt count = counts.get(topic);
            return count == null ? learn(topic) : count;
        }

        private OptionalInt learn(String topic) {
            CompletableFuture<OptionalInt> question = questions.get(topic);
            if (question == null) {
                question = broker.ask(topic);
            }
            if (!isAnswered(question)) {
                questions.put(topic, question);
                throw new PartitionsAwaitedException(topic, question);
            }
            questions.remove(topic);
            OptionalInt count = answer(topic, question);
            counts.put(topic, count);
            return count;
        }

        private OptionalInt answer(String topic, CompletableFuture<OptionalInt> question) {
            try {
                return question.join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof PartitionsUnknownException unknown)) {
                    throw e;
                }
                if (unknown.kind() != FailureKind.TOPIC_UNAVAILABLE || unavailable == UnavailableTopics.AWAITED) {
                    throw unknown;
                }
                rejected.put(topic, unknown);
                return OptionalInt.empty();
            }
        }

        @Override
        public Map<String, PartitionsUnknownException> unavailable() {
            return rejected;
        }

        @Override
        public boolean isFixed() {
            return RuleRouter.this.isFixed();
        }
    }

    private static boolean isAnswered(CompletableFuture<OptionalInt> question) {
        if (question.isDone()) {
            return true;
        }
        try {
            question.get(ROUND_TRIP.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean isFixed() {
        return isFixed;
    }

    private Verdict learn(String schema, String table) {
        Verdict verdict = new Verdict(schema, table, rules.choose(schema, table));
        verdict.announce();
        if (remembered.incrementAndGet() > MAX_REMEMBERED) {
            remembered.set(1);
            verdicts.clear();
        }
        verdicts.computeIfAbsent(schema, name -> new ConcurrentHashMap<>()).put(table, verdict);
        return verdict;
    }

    /** How many tables are remembered. */
    int remembered() {
        return verdicts.values().stream().mapToInt(Map::size).sum();
    }

    private final class Verdict {
        private final String schema;
        private final String table;
        private final Choice choice;
        private final boolean asked;

        private volatile Known known;

        private record Known(int count, Route route) {}

        Verdict(String schema, String table, Choice choice) {
            this.schema = schema;
            this.table = table;
            this.choice = choice;
            this.asked = choice.asksBroker(texts);
            this.known = to(choice.count(texts, OptionalInt.empty()));
        }

        private Known to(int count) {
            return new Known(count, choice.route(texts, schema, table, count));
        }

        void announce() {
            choice.stated(texts).ifPresent(count -> broker.announce(choice.topic(), count));
        }

        Route route(TopicPartitions partitions) {
            Known last = known;
            if (asked) {
                int count = choice.count(texts, partitions.of(choice.topic()));
                if (count != last.count) {
                    last = to(count);
                    known = last;
                }
            }
            return last.route;
        }
    }
}
