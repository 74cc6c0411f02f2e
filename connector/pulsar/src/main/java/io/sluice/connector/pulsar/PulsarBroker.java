package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BoundedClose;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.attempt.SingleMessageMode;
import io.sluice.connector.api.attempt.Watch;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;

/**
 * Pulsar's brokers.
 *
 * <p>The producers of all connections have the same name, also over a restart and a fail-over, and a broker lets no two of one name write to
 * a partition: so nothing that was still on its way by an earlier connection comes after what a later one sends.
 */
final class PulsarBroker implements Broker {
    private static final Duration REFRESH = Duration.ofSeconds(60);

    private final PulsarClient client;
    private final PulsarSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final PulsarTopics topics;
    private final SendBuffer buffer;
    private final ProducerNames names;
    private final ExclusivePartitions exclusive;
    private final UncheckedRights rights;
    private final SingleMessageMode singleMessages = new SingleMessageMode();

    /** Also closes what the client's own threads must not. */
    private final Watch watch = new Watch("pulsar-watch");

    private volatile @Nullable PulsarConnection newest;

    /**
     * Does not connect yet.
     *
     * @param client its own, which it closes
     */
    PulsarBroker(PulsarClient client, PulsarSettings settings, ProducerContext context, Time time) {
        this.client = client;
        this.settings = settings;
        this.ownership = context.ownership();
        this.time = time;
        this.topics = new PulsarTopics(client, settings);
        this.buffer = new SendBuffer(settings.bufferBytes());
        this.names = names(settings, context, time);
        this.exclusive = new ExclusivePartitions(time);
        this.rights = new UncheckedRights(time);
        long periodMillis = Math.max(20, Math.min(500, settings.sendTimeout().toMillis() / 10));
        watch.every(Duration.ofMillis(periodMillis), this::checkAnswers);
        watch.every(REFRESH, this::refresh);
    }

    private static ProducerNames names(PulsarSettings settings, ProducerContext context, Time time) {
        String chosen = settings.producerName(context.destination());
        return chosen.isEmpty()
                ? new ProducerNames(
                        "sluice-" + context.identity(), settings.accessMode() == ProducerAccessMode.Shared, time)
                : new ProducerNames(chosen, false, time);
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        topics.forget();
        PulsarConnection made = new PulsarConnection(
                attempt, settings, ownership, time, topics, buffer, singleMessages, this::makeProducer, watch::execute);
        newest = made;
        return made;
    }

    /** The client waits for nothing: neither for room, for which there is the buffer of the connection, nor for an answer. */
    private CompletableFuture<Producer<byte[]>> makeProducer(String partition) {
        ProducerBuilder<byte[]> builder = client.newProducer()
                .topic(partition)
                .producerName(names.of(partition))
                .accessMode(settings.accessMode())
                .compressionType(settings.compression())
                .sendTimeout(0, TimeUnit.SECONDS)
                .blockIfQueueFull(false)
                .maxPendingMessages(0)
                .enableBatching(!settings.chunking())
                .enableChunking(settings.chunking());
        if (!settings.chunking()) {
            builder.batchingMaxPublishDelay(settings.batchingDelay().toMillis(), TimeUnit.MILLISECONDS)
                    .batchingMaxBytes(settings.maxBatchBytes())
                    .batchingMaxMessages(settings.maxBatchMessages());
        }
        return builder.createAsync().handle((made, cause) -> {
            if (cause == null) {
                names.made(partition);
                exclusive.made(partition);
                rights.admitted();
                return made;
            }
            throw new CompletionException(noted(partition, withoutWrapper(cause)));
        });
    }

    private static Throwable withoutWrapper(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Notes that another producer has the partition, if it does; returns why there is none of this connection. */
    private Throwable noted(String partition, Throwable cause) {
        if (PulsarErrors.isNameTaken(cause)) {
            names.busy(partition);
        } else if (cause instanceof PulsarClientException.ProducerFencedException fenced
                && settings.accessMode() == ProducerAccessMode.Exclusive) {
            return exclusive.refused(partition, fenced);
        }
        return cause;
    }

    private void refresh() {
        PulsarConnection current = newest;
        if (current != null) {
            current.closeIdle();
        }
        topics.refresh();
    }

    private void checkAnswers() {
        PulsarConnection checked = newest;
        if (checked != null) {
            checked.checkAnswers();
        }
    }

    @Override
    public SendFailure classify(Exception failure) {
        SendFailure told = PulsarErrors.classify(failure, settings.accessMode());
        if (!PulsarErrors.isUnchecked(failure)) {
            rights.otherFailure();
            return told;
        }
        return rights.isFinal() ? new SendFailure(told.cause(), FailureKind.TOPIC_UNAVAILABLE) : told;
    }

    /** With {@code pulsarmq.adminServerUrl}, the topic is made at its first use. */
    @Override
    public void announce(String topic, int partitions) {
        topics.announce(topic, partitions);
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return OptionalInt.of(topics.count(topic));
    }

    @Override
    public int maxValueBytes() {
        return settings.maxValueBytes();
    }

    @Override
    public void close(Duration limit) throws InterruptedException {
        watch.stop(); // after the producers were closed
        BoundedClose.run(limit, "pulsar-close", this::closeClient);
    }

    /** Takes some seconds, in which the client's threads end. */
    private void closeClient() {
        try {
            client.shutdown();
        } catch (PulsarClientException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
