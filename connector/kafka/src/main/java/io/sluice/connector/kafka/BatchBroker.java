package io.sluice.connector.kafka;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.PreparedBatch;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.connector.kafka.client.RecordMaker;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.produce.BatchSplitter;
import io.sluice.connector.kafka.produce.Cluster;
import io.sluice.connector.kafka.produce.FormerIdentity;
import io.sluice.connector.kafka.produce.ProduceOptions;
import io.sluice.connector.kafka.produce.ProducerIdAndEpoch;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.topic.Topics;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.apache.kafka.common.compress.Compression;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's brokers, by record batches that converters have written and compressed. Each connection continues the producer id of the
 * one before, be it of a broker that was closed or is still closing, so that nothing is stored after its repetition.
 */
final class BatchBroker implements Broker {
    /** Batches of so many bytes of entries are written together: the cost of a request is spread over some thousand rows. */
    private static final int MIN_PREPARED_BYTES = 1024 * 1024;

    /** The number for messages to many partitions. */
    private static final int MAX_PREPARED_BYTES = 8 * MIN_PREPARED_BYTES;

    /** The number while the brokers' answers limit what is sent: then the last batch of records, which is rarely full, is one of more. */
    private static final int BACKLOG_PREPARED_BYTES = 3 * MIN_PREPARED_BYTES;

    /** More partitions have smaller batches, each of which a broker has to append, so more entries are prepared together. */
    private static final int PARTITIONS_OF_MIN = 32;

    private final Supplier<Cluster> open;
    private final ProduceOptions options;
    private final int maxValueBytes;
    private final String destination;
    private final Ownership ownership;
    private final Time time;
    private final RecordBatchWriter writer;
    private final BatchLimits limits;
    private final FormerIdentity.Turn<ProducerIdAndEpoch> turn;
    private final BatchSplitter splitter;
    private final Topics topics;

    private volatile int preparedBytes = MIN_PREPARED_BYTES;

    private volatile @Nullable BatchConnection newest;

    /**
     * Does not connect yet.
     *
     * @param open prepares connections to the brokers, which are closed with a {@link BatchConnection}
     * @param buffers shared by all producers
     * @param former of the destination, whose brokers before this one connect no more
     */
    BatchBroker(
            Supplier<Cluster> open,
            KafkaSettings settings,
            Compression compression,
            BatchBuffers buffers,
            FormerIdentity<ProducerIdAndEpoch> former,
            ProducerContext context,
            Time time) {
        this.open = open;
        this.options = settings.produceOptions();
        this.maxValueBytes = settings.maxValueBytes();
        this.destination = context.destination();
        this.ownership = context.ownership();
        this.time = time;
        this.turn = former.next();
        this.topics = new Topics(time);
        this.writer = new RecordBatchWriter(compression, RecordMaker.ownHeaders(ownership), buffers, time);
        this.limits = new BatchLimits(settings.maxBatchBytes());
        this.splitter = new BatchSplitter(writer, limits);
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        BatchConnection before = newest;
        if (before != null) {
            before.awaitEnd();
        }
        Cluster cluster = open.get();
        BatchConnection made = new BatchConnection(attempt, this, cluster, turn.identity());
        try {
            turn.connect(made::producer);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        newest = made;
        made.start();
        return made;
    }

    @Override
    public SendFailure classify(Exception failure) {
        return KafkaErrors.classify(failure);
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        BatchConnection asked = newest;
        if (asked == null) {
            throw new PartitionsUnknownException(topic, "no connection could be made yet");
        }
        return OptionalInt.of(topics.partitionsOf(asked.metadata(), topic));
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }

    @Override
    public int preparedBytes() {
        BatchConnection asked = newest;
        boolean isBacklogged = asked != null && asked.isBacklogged();
        return isBacklogged ? Math.max(preparedBytes, BACKLOG_PREPARED_BYTES) : preparedBytes;
    }

    @Override
    public PreparedBatch prepare(List<Message> messages) {
        PreparedRecords records = write(messages);
        preparedBytes = preparedBytesFor(records.batches().size());
        return records;
    }

    /** How many bytes of entries are worth preparing together if they come to so many batches of records. */
    static int preparedBytesFor(int batches) {
        long bytes = (long) batches * MIN_PREPARED_BYTES / PARTITIONS_OF_MIN;
        return (int) Math.max(MIN_PREPARED_BYTES, Math.min(MAX_PREPARED_BYTES, bytes));
    }

    PreparedRecords write(List<Message> messages) {
        return writer.write(messages, limits::limitOf);
    }

    @Override
    public void close(Duration limit) throws InterruptedException {
        BatchConnection last = newest;
        if (last != null) {
            try {
                last.awaitEnd(limit);
            } finally {
                turn.close();
            }
        }
    }

    ProduceOptions options() {
        return options;
    }

    ThreadFactory threads() {
        return loop -> new Thread(loop, "kafka-" + destination);
    }

    BatchSplitter splitter() {
        return splitter;
    }

    Ownership ownership() {
        return ownership;
    }

    Time time() {
        return time;
    }

    Topics topics() {
        return topics;
    }
}
