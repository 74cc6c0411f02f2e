package io.sluice.connector.kafka.client;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.produce.FormerIdentity;
import io.sluice.connector.kafka.settings.BatchSizing;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.topic.TopicMetadata;
import io.sluice.connector.kafka.topic.Topics;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's brokers, without transactions. Each connection continues the {@link KeptProducerId} of the one before, be it of a
 * broker that was closed or is still closing, so that nothing is stored after its repetition.
 */
public final class KafkaBroker implements Broker {
    private final LongFunction<Producer<byte[], byte[]>> connect;
    private final BatchSizing sizing;
    private final int maxValueBytes;
    private final Duration maxBlock;
    private final Duration silence;
    private final FormerIdentity.Turn<KeptProducerId> turn;
    private final Ownership ownership;
    private final Time time;
    private final RecordMaker records;
    private final Topics topics;

    private volatile @Nullable KafkaConnection newest;

    /**
     * Does not connect yet.
     *
     * @param connect makes a producer with batches of so many bytes, which is closed with its connection
     * @param former of the destination, whose brokers before this one connect no more
     */
    public KafkaBroker(
            LongFunction<Producer<byte[], byte[]>> connect,
            KafkaSettings settings,
            FormerIdentity<KeptProducerId> former,
            Ownership ownership,
            Time time) {
        this.connect = connect;
        this.sizing = settings.batchSizing();
        this.maxValueBytes = settings.maxValueBytes();
        this.maxBlock = settings.maxBlock();
        this.silence = settings.silence();
        this.turn = former.next();
        this.ownership = ownership;
        this.time = time;
        this.records = new RecordMaker(ownership);
        this.topics = new Topics(time);
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        KafkaConnection before = newest;
        if (before != null) {
            before.awaitEnd();
        }
        Producer<byte[], byte[]> kafka = newProducer();
        KafkaConnection made = new KafkaConnection(attempt, kafka, turn.identity(), this);
        try {
            turn.connect(made::identity);
        } catch (RuntimeException e) {
            kafka.close(Duration.ZERO);
            throw e;
        }
        newest = made;
        return made;
    }

    @Override
    public SendFailure classify(Exception failure) {
        return KafkaErrors.classify(failure);
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        KafkaConnection asked = newest;
        if (asked == null) {
            throw new PartitionsUnknownException(topic, "no connection could be made yet");
        }
        return OptionalInt.of(topics.partitionsOf(metadataOf(asked.kafka()), topic));
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }

    @Override
    public void close(Duration limit) {
        turn.close();
    }

    /** What a producer knows of topics. */
    TopicMetadata metadataOf(Producer<byte[], byte[]> kafka) {
        return TopicMetadata.of(kafka, this::newProducer, silence);
    }

    /** Makes a producer whose batches fit the partitions that are used by now. */
    Producer<byte[], byte[]> newProducer() {
        return connect.apply(sizing.nextBatchBytes());
    }

    BatchSizing sizing() {
        return sizing;
    }

    /** How long a connection may take to continue an identity. */
    Duration maxBlock() {
        return maxBlock;
    }

    Ownership ownership() {
        return ownership;
    }

    Time time() {
        return time;
    }

    RecordMaker records() {
        return records;
    }

    Topics topics() {
        return topics;
    }
}
