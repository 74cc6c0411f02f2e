package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.kafka.batch.RecordBatch;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.kafka.common.Uuid;

/** A record batch on its way to a partition, and the callbacks of its messages. For the loop's thread once it was submitted. */
final class OutgoingBatch {
    private static final int NONE = -1;

    private final RecordBatch records;
    private final List<? extends DeliveryCallback> callbacks;
    private final long submittedNanos;

    private int baseSequence = NONE;
    private int attempts;
    private long sentNanos;
    private boolean isPossiblyStored;

    /** The number of records, from the first one on, that have their answer. */
    private int answered;

    private Uuid topicId = Uuid.ZERO_UUID;
    private int broker = NONE;

    /**
     * Takes a batch that was not sent.
     *
     * @param callbacks those of all messages that were prepared together
     * @param submittedNanos from when on it was to be sent
     */
    OutgoingBatch(RecordBatch records, List<? extends DeliveryCallback> callbacks, long submittedNanos) {
        this.records = records;
        this.callbacks = callbacks;
        this.submittedNanos = submittedNanos;
    }

    RecordBatch records() {
        return records;
    }

    long submittedNanos() {
        return submittedNanos;
    }

    /** Whether it has been sent, and so has sequence numbers, which it keeps. */
    boolean hasSequence() {
        return baseSequence != NONE;
    }

    int baseSequence() {
        return baseSequence;
    }

    /** Gives it its sequence numbers, and makes it ready to be sent. */
    void seal(ProducerIdAndEpoch producer, int sequence) {
        baseSequence = sequence;
        records.seal(producer.id(), producer.epoch(), sequence);
    }

    /** How often it was sent. */
    int attempts() {
        return attempts;
    }

    void addAttempt(long now) {
        attempts++;
        sentNanos = now;
    }

    /** When it was sent the last time. */
    long sentNanos() {
        return sentNanos;
    }

    /** Notes to which topic of its name it is sent; if that is another one than before, it is not stored there. */
    void sentTo(Uuid topic) {
        if (!topic.equals(topicId)) {
            isPossiblyStored = false;
        }
        topicId = topic;
    }

    /** The id of the topic to which it was sent the last time; zero if brokers have no ids of topics. */
    Uuid topicId() {
        return topicId;
    }

    /** Notes to which broker it is sent. */
    void sentToBroker(int id) {
        broker = id;
    }

    /** The id of the broker to which it was sent the last time. */
    int broker() {
        return broker;
    }

    /** Whether it was sent, and its fate is not known: there was no answer, or one that does not state it. */
    boolean isPossiblyStored() {
        return isPossiblyStored;
    }

    void setPossiblyStored(boolean value) {
        isPossiblyStored = value;
    }

    DeliveryCallback callback(int record) {
        return callbacks.get(records.messageIndex(record));
    }

    /** Answers all messages that a broker has them. */
    void acknowledge() {
        records.release();
        answer(record -> callback(record).delivered());
    }

    /** Has each record answered that is not. If that throws, the next call begins with the record at which it did. */
    void answer(IntConsumer action) {
        for (; answered < records.count(); answered++) {
            action.accept(answered);
        }
    }
}
