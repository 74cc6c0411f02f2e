package io.sluice.connector.kafka.produce;

import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the brokers of a cluster, and what they have stated about topics: Kafka's network client with its metadata,
 * TLS and SASL.
 *
 * <p>The client is for the thread of a {@link ProduceLoop}, which runs it; the methods that ask for partitions are for other
 * threads, and wait until that thread has the answer.
 */
public final class Cluster implements AutoCloseable {
    private static final String METRIC_GROUP = "producer";

    /** After so many updates of the metadata the newest was certainly asked for after the one from which they are counted. */
    private static final int FRESH_UPDATES = 2;

    private final Time time;
    private final Metrics metrics;
    private final OpenMetadata metadata;
    private final NetworkClient client;
    private final String bootstrapServers;
    private final Duration maxBlock;
    private final Duration silence;

    /** How many threads wait for what the brokers state. */
    private final AtomicInteger asking = new AtomicInteger();

    /** Partitions that their topic does not have, and the first version of the metadata without them. */
    private final Map<TopicPartition, Integer> missing = new HashMap<>();

    private Cluster(
            Time time,
            Metrics metrics,
            OpenMetadata metadata,
            NetworkClient client,
            String bootstrapServers,
            Duration maxBlock,
            Duration silence) {
        this.time = time;
        this.bootstrapServers = bootstrapServers;
        this.metrics = metrics;
        this.metadata = metadata;
        this.client = client;
        this.maxBlock = maxBlock;
        this.silence = silence;
    }

    /**
     * Prepares connections; none is made before the client is polled.
     *
     * @param maxInFlight requests for each broker
     * @throws KafkaException if an option is wrong, or no address can be resolved now
     */
    public static Cluster open(ProducerConfig config, int maxInFlight) {
        LogContext log = new LogContext();
        List<String> servers = config.getList(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
        List<InetSocketAddress> addresses = ClientUtils.parseAndValidateAddresses(
                servers, config.getString(ProducerConfig.CLIENT_DNS_LOOKUP_CONFIG));
        Time time = new MonotonicTime(io.sluice.protocol.time.Time.SYSTEM);
        Metrics metrics = new Metrics(time);
        OpenMetadata metadata = new OpenMetadata(
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG),
                config.getLong(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_AGE_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG),
                log);
        metadata.bootstrap(addresses);
        NetworkClient client = ClientUtils.createNetworkClient(
                config,
                servers,
                metrics,
                METRIC_GROUP,
                log,
                new ApiVersions(),
                time,
                maxInFlight,
                metadata,
                metrics.sensor("produce-throttle-time"),
                null);
        return new Cluster(
                time,
                metrics,
                metadata,
                client,
                String.join(",", servers),
                Duration.ofMillis(config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG)),
                ProduceOptions.silence(Duration.ofMillis(config.getLong(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG))));
    }

    /**
     * What the brokers have stated about a topic.
     *
     * @param number how many answers were about it
     * @param error of the newest one
     */
    private record Statement(int number, Errors error) {
        static final Statement NONE = new Statement(0, Errors.NONE);
    }

    /**
     * Ignores an answer after it was closed: Kafka's would end the poll that has read it, before the other answers of that poll are read. And knows
     * which topics the answers were about: not every one is about all.
     */
    private static final class OpenMetadata extends ProducerMetadata {
        private final Map<String, Statement> statements = new ConcurrentHashMap<>();

        /** Since the last answer; null if there was none. */
        private volatile @Nullable AuthenticationException rejectedLogin;

        OpenMetadata(
                long retryBackoffMillis,
                long maxRetryBackoffMillis,
                long maxAgeMillis,
                long maxIdleMillis,
                LogContext log) {
            super(
                    retryBackoffMillis,
                    maxRetryBackoffMillis,
                    maxAgeMillis,
                    maxIdleMillis,
                    log,
                    new ClusterResourceListeners());
        }

        @Override
        public synchronized void fatalError(KafkaException failure) {
            super.fatalError(failure);
            if (failure instanceof AuthenticationException rejected) {
                rejectedLogin = rejected;
            }
        }

        @Override
        public synchronized void update(int version, MetadataResponse answer, boolean isPartial, long nowMillis) {
            if (isClosed()) {
                return;
            }
            super.update(version, answer, isPartial, nowMillis);
            rejectedLogin = null;
            for (MetadataResponseTopic topic : answer.data().topics()) {
                if (topic.name() != null) {
                    int number = newestOf(topic.name()).number() + 1;
                    statements.put(topic.name(), new Statement(number, Errors.forCode(topic.errorCode())));
                }
            }
        }

        Statement newestOf(String topic) {
            return statements.getOrDefault(topic, Statement.NONE);
        }
    }

    ProducerMetadata metadata() {
        return metadata;
    }

    NetworkClient client() {
        return client;
    }

    /** The clock by which Kafka's client measures. */
    long nowMillis() {
        return time.milliseconds();
    }

    /**
     * The broker that leads a partition; null if there is none now, or none is known, and then the brokers are asked. For the loop's thread.
     *
     * @throws NoSuchPartitionException if the topic has fewer partitions, by metadata that was asked for because of that
     * @throws KafkaException if the brokers do not answer this user
     */
    @Nullable Node leaderOf(TopicPartition partition) {
        org.apache.kafka.common.Cluster known = metadata.fetch();
        Node leader = known.leaderFor(partition);
        if (leader == null) {
            metadata.maybeThrowExceptionForTopic(partition.topic());
            requireExisting(partition, known.partitionCountForTopic(partition.topic()));
            keep(partition.topic());
            metadata.requestUpdate(true);
        } else if (!missing.isEmpty()) {
            missing.remove(partition);
        }
        return leader;
    }

    /** The broker that leads a partition as far as is known; null if none is. For the loop's thread. */
    @Nullable Node knownLeaderOf(TopicPartition partition) {
        return metadata.fetch().leaderFor(partition);
    }

    /** Why a batch for a partition cannot be sent, as far as the brokers have stated it, or do not take a connection; null if it is not known. */
    @Nullable KafkaException obstacleTo(TopicPartition partition) {
        Node leader = knownLeaderOf(partition);
        if (leader != null) {
            return client.connectionFailed(leader)
                    ? new NetworkException("no connection to broker %s:%d".formatted(leader.host(), leader.port()))
                    : null;
        }
        Errors error = metadata.getError(partition.topic());
        if (error != null) {
            return error.exception();
        }
        return metadata.fetch().partitionCountForTopic(partition.topic()) == null
                ? null
                : Errors.LEADER_NOT_AVAILABLE.exception("the partition has no leader");
    }

    /** The topic may have been deleted and created with fewer partitions. */
    private void requireExisting(TopicPartition partition, @Nullable Integer count) {
        if (count == null || partition.partition() < count) {
            missing.remove(partition);
            return;
        }
        int version = metadata.updateVersion();
        Integer first = missing.putIfAbsent(partition, version);
        if (first != null && version - first >= FRESH_UPDATES) {
            missing.remove(partition);
            throw new NoSuchPartitionException(partition.topic(), partition.partition(), count);
        }
    }

    /** Why the brokers reject the login; null if they are not known to, or another thread is about to learn of it. For the loop's thread. */
    @Nullable AuthenticationException rejectedLogin() {
        return asking.get() > 0 ? null : metadata.rejectedLogin;
    }

    /** Keeps a topic among those of which the leaders are known: the next question for metadata has it. May be called by any thread. */
    public void keep(String topic) {
        metadata.add(topic, nowMillis());
    }

    /** Has the brokers asked for the leaders of all topics again. */
    void refresh() {
        metadata.requestUpdate(false);
    }

    /** The id of the topic of a name; zero if brokers have no ids of topics. */
    Uuid topicIdOf(String topic) {
        return metadata.topicIds().getOrDefault(topic, Uuid.ZERO_UUID);
    }

    Map<String, Uuid> topicIds() {
        return metadata.topicIds();
    }

    /**
     * How many partitions a topic has, as the brokers have stated at some time; asks them if it is not known.
     *
     * @throws TimeoutException if they do not answer within {@code max.block.ms}, or know no such topic; then the cause is an
     *     {@link UnknownTopicOrPartitionException}
     * @throws KafkaException if they do not answer this user
     */
    public int partitionsOf(String topic) {
        metadata.add(topic, nowMillis());
        Integer count = metadata.fetch().partitionCountForTopic(topic);
        return count == null ? ask(topic, true, false) : count;
    }

    /**
     * How many partitions a topic has now.
     *
     * @throws KafkaException as {@link #partitionsOf} does
     */
    public int newestPartitionsOf(String topic) {
        return ask(topic, false, false);
    }

    /**
     * How many partitions a topic has now that is likely not to exist: it is not waited for.
     *
     * @throws KafkaException as {@link #partitionsOf} does
     */
    public int partitionsOfMissing(String topic) {
        return ask(topic, false, true);
    }

    /**
     * Waits for the partitions of a topic, by an answer that is about it.
     *
     * @param isNew the brokers are asked first for the topics that are new, and not for all that are known, which may be thousands
     */
    private int ask(String topic, boolean isNew, boolean isMissing) {
        asking.incrementAndGet();
        try {
            return await(topic, isNew, isMissing);
        } finally {
            asking.decrementAndGet();
        }
    }

    private int await(String topic, boolean isNew, boolean isMissing) {
        long deadline = nowMillis() + maxBlock.toMillis();
        int first = metadata.updateVersion();
        long answeredMillis = nowMillis();
        Errors answer = null;
        Statement known = metadata.newestOf(topic);
        boolean isPartial = isNew
                && known.error()
                        == Errors.NONE; // else it is not new to Kafka's metadata, which would pause before they ask
        while (true) {
            metadata.add(topic, nowMillis());
            int version = isPartial ? metadata.requestUpdateForTopic(topic) : metadata.requestUpdate(true);
            client.wakeup();
            long left = deadline - nowMillis();
            try {
                metadata.awaitUpdate(version, time.timer(Math.max(1, left)));
            } catch (TimeoutException e) {
                long silentMillis = nowMillis() - answeredMillis;
                if (metadata.updateVersion() == first) {
                    throw new TimeoutException(unanswered(maxBlock.toMillis()), e);
                }
                if (silentMillis > silence.toMillis()) {
                    throw new TimeoutException(unanswered(silentMillis), e);
                }
                throw new TimeoutException(
                        "topic %s is not in the brokers' metadata after %d ms".formatted(topic, maxBlock.toMillis()),
                        answer == null ? e : answer.exception());
            } catch (InterruptedException e) {
                throw new InterruptException(e); // sets the thread's flag
            }
            answeredMillis = nowMillis();
            Statement newest = metadata.newestOf(topic);
            if (newest.number() == known.number()) {
                continue; // what is known of it is older than the question
            }
            known = newest;
            isPartial = false;
            metadata.maybeThrowExceptionForTopic(topic);
            Integer count = metadata.fetch().partitionCountForTopic(topic);
            if (count != null) {
                return count;
            }
            answer = newest.error() == Errors.NONE ? answer : newest.error();
            if (isMissing && newest.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION) {
                throw new TimeoutException(
                        "the brokers know no topic %s".formatted(topic),
                        newest.error().exception());
            }
        }
    }

    /** No broker has stated anything, or none does any more, so whether the topic exists is not known. */
    private String unanswered(long millis) {
        return ("no broker of kafka.bootstrap.servers=%s %s within %d ms: check these addresses, the network, and that"
                        + " kafka.security.protocol is that of the port")
                .formatted(
                        bootstrapServers,
                        metadata.fetch().isBootstrapConfigured() ? "can be reached" : "has answered",
                        millis);
    }

    /** Ends the waiting of other threads, and the poll that the loop's thread is in. */
    void wakeAll() {
        metadata.close();
        client.wakeup();
    }

    @Override
    public void close() {
        metadata.close();
        try {
            client.close();
        } finally {
            metrics.close();
        }
    }
}
