package io.sluice.connector.kafka;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;

/** Sends records, without key and headers and to the given partition, by a {@link KafkaProducer}. */
final class KafkaMessageProducer implements MessageProducer {
    private final Producer<byte[], byte[]> kafka;
    private final int maxValueBytes;

    /** Takes over {@code kafka} and closes it in the end. */
    KafkaMessageProducer(Producer<byte[], byte[]> kafka, int maxValueBytes) {
        this.kafka = kafka;
        this.maxValueBytes = maxValueBytes;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void send(String topic, int partition, byte[] value, DeliveryCallback callback) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, partition, null, value);
        try {
            kafka.send(message, (metadata, failure) -> {
                if (failure == null) {
                    callback.delivered();
                } else {
                    callback.failed(failure, KafkaErrors.isRetriable(failure));
                }
            });
        } catch (RuntimeException e) { // thrown instead of the callback, never besides it
            callback.failed(e, KafkaErrors.isRetriable(e));
        }
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }

    @Override
    public void flush() throws InterruptedException {
        try {
            kafka.flush();
        } catch (InterruptException e) {
            throw asInterrupted(e);
        }
    }

    /** Kafka sets the thread's flag besides its exception; ours stands for both. */
    private static InterruptedException asInterrupted(InterruptException e) {
        boolean unused = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    @Override
    public void close(Duration longest) {
        kafka.close(longest);
    }
}
