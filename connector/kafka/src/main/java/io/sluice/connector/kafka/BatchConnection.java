package io.sluice.connector.kafka;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PreparedBatch;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import io.sluice.connector.kafka.produce.Cluster;
import io.sluice.connector.kafka.produce.ProduceListener;
import io.sluice.connector.kafka.produce.ProduceLoop;
import io.sluice.connector.kafka.produce.ProducerIdAndEpoch;
import io.sluice.connector.kafka.topic.TopicMetadata;
import io.sluice.connector.kafka.topic.Topics;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Sends the record batches of one attempt by a {@link ProduceLoop}, which ends with the attempt. */
final class BatchConnection implements BrokerConnection {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final BatchBroker broker;
    private final Cluster cluster;
    private final ProduceLoop loop;
    private final TopicMetadata metadata;

    /**
     * Does not connect yet.
     *
     * @param cluster closed with this
     * @param former the identity to continue; null if there is none
     */
    BatchConnection(Attempt attempt, BatchBroker broker, Cluster cluster, @Nullable ProducerIdAndEpoch former) {
        this.broker = broker;
        this.cluster = cluster;
        this.loop = new ProduceLoop(
                broker.threads(),
                cluster,
                broker.options(),
                former,
                broker.splitter(),
                new EndOf(attempt, broker),
                broker.time());
        this.metadata = new TopicMetadata() {
            @Override
            public int partitionsOf(String topic) {
                return cluster.partitionsOf(topic);
            }

            @Override
            public int newestPartitionsOf(String topic) {
                return cluster.newestPartitionsOf(topic);
            }

            @Override
            public int partitionsOfMissing(String topic) {
                return cluster.partitionsOfMissing(topic);
            }
        };
    }

    /** Ends the attempt with the first failure. */
    private static final class EndOf implements ProduceListener {
        private final Attempt attempt;
        private final BatchBroker broker;

        /** Made once, and not for each message: there may be many. */
        private volatile @Nullable After after;

        private record After(Exception cause, SendFailure told) {}

        EndOf(Attempt attempt, BatchBroker broker) {
            this.attempt = attempt;
            this.broker = broker;
        }

        @Override
        public @Nullable Exception reasonToEnd() {
            return broker.ownership().isHeld() ? null : NotSentException.notOwned();
        }

        /** Whether a partition is missing for good is decided by {@link Topics}, when its messages are sent again. */
        @Override
        public void fail(Exception cause, DeliveryCallback callback) {
            SendFailure told = KafkaErrors.classify(cause);
            callback.failed(
                    told.cause(), cause instanceof NoSuchPartitionException ? FailureKind.PASSING : told.kind());
        }

        @Override
        public void failAfter(Exception cause, DeliveryCallback callback) {
            After known = after;
            if (known == null || known.cause() != cause) {
                known = new After(cause, toldAfter(cause));
                after = known;
            }
            callback.failed(known.told().cause(), known.told().kind());
        }

        /** A rejected login is that of each message that was to be sent: there may be no other that tells it. */
        private static SendFailure toldAfter(Exception cause) {
            SendFailure own = KafkaErrors.classify(cause);
            return own.cause() instanceof NotAdmittedException
                    ? own
                    : SendFailure.passing(NotSentException.after(cause));
        }

        @Override
        public void ended(Exception cause, @Nullable String topic) {
            if (topic != null && cause instanceof TopicAuthorizationException denied) {
                broker.topics().noteRejection(topic, denied);
            } else if (topic != null) {
                broker.topics().noteFailure(topic, cause);
            }
            Exception told = KafkaErrors.classify(cause).cause();
            attempt.end(told instanceof NotAdmittedException ? told : cause);
        }
    }

    void start() {
        loop.start();
    }

    TopicMetadata metadata() {
        return metadata;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        requirePartition(message.topic(), message.partition());
        PreparedRecords records = broker.write(List.of(message));
        RecordBatch batch = records.batches().get(0);
        if (isTooLarge(batch)) {
            throw new RecordTooLargeException(
                    "the message has %d bytes as a record batch, more than kafka.max.request.size, which is %d"
                            .formatted(
                                    batch.uncompressedBytes(), broker.options().maxRequestBytes()));
        }
        loop.submit(records, List.of(callback));
    }

    /** Without a partition that does not exist, and a batch that is too large: which of its messages is at fault is found one by one. */
    @Override
    public boolean send(PreparedBatch batch, List<? extends DeliveryCallback> callbacks) {
        if (!(batch instanceof PreparedRecords records)) {
            return false;
        }
        boolean isAnyAsked = false;
        for (RecordBatch next : records.batches()) {
            if (isTooLarge(next)) {
                return false;
            }
            if (broker.topics().isKnown(next.topic(), next.partition())) {
                continue;
            }
            if (!isAnyAsked) {
                isAnyAsked = true;
                keepUnknown(records);
            }
            try {
                requirePartition(next.topic(), next.partition());
            } catch (RuntimeException e) {
                return false;
            }
        }
        loop.submit(records, callbacks);
        return true;
    }

    /** Requests all topics that are not known in one question to the brokers, before the first is waited for. */
    private void keepUnknown(PreparedRecords records) {
        for (RecordBatch next : records.batches()) {
            if (!broker.topics().isKnown(next.topic(), next.partition()) && Topics.isName(next.topic())) {
                cluster.keep(next.topic());
            }
        }
    }

    private boolean isTooLarge(RecordBatch batch) {
        return batch.count() == 1
                && batch.uncompressedBytes() > broker.options().maxRequestBytes();
    }

    private void requirePartition(String topic, int partition) {
        if (broker.topics().isKnown(topic, partition)) {
            return;
        }
        broker.topics().requirePartition(metadata, topic, partition);
        if (!broker.ownership().isHeld()) { // to ask may have taken long
            throw NotSentException.notOwned();
        }
    }

    @Override
    public void flush() throws InterruptedException {
        loop.awaitAnswers(FOR_EVER);
    }

    @Override
    public void settle(Duration limit) throws InterruptedException {
        loop.awaitAnswers(limit);
    }

    @Override
    public void cut(Exception cause) {
        loop.stop(cause);
    }

    /** Waits until the loop has ended, after {@link #cut}. */
    void awaitEnd() {
        try {
            loop.awaitEnd();
        } catch (InterruptedException e) {
            throw new InterruptException(e); // sets the thread's flag
        }
    }

    void awaitEnd(Duration limit) throws InterruptedException {
        loop.awaitEnd(limit);
    }

    /** See {@link ProduceLoop#isBacklogged}. */
    boolean isBacklogged() {
        return loop.isBacklogged();
    }

    /** What the next connection continues. */
    @Nullable ProducerIdAndEpoch producer() {
        return loop.producer();
    }
}
