package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the given partitions by Pulsar's client, and awaits that the broker has stored them.
 *
 * <p>As canal does, a message says its partition in the property {@code partitionNum}. Those of an owner that has an epoch
 * carry it in the property {@code sluice-epoch}; headers are properties, too.
 *
 * <p>The first failure ends an {@link Attempt}, and all its producers; {@link #restart} begins another one. Its producers have
 * the same names, and the broker lets no two of one name write to a partition: so nothing that was still on its way by an old
 * connection comes after what the new ones send.
 */
final class PulsarMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarMessageProducer.class);

    private static final String PARTITION_PROPERTY = "partitionNum";
    private static final String EPOCH_PROPERTY = "sluice-epoch";

    private static final Duration REFRESH = Duration.ofSeconds(60);
    private static final int BYTES_PER_PERMIT = 256;

    /** What a message takes in the buffer besides its value. */
    private static final int MESSAGE_BYTES = 512;

    private final PulsarClient client;
    private final PulsarSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final PulsarTopics topics;
    private final int bufferPermits;
    private final Semaphore buffer;

    /** Watches for messages without an answer, and closes what the client's own threads must not. */
    private final ScheduledExecutorService watch;

    private final Object restarting = new Object();

    private volatile boolean closed;
    private volatile Attempt attempt;

    /**
     * Makes one that has not connected yet.
     *
     * @param client its own, which it closes
     * @param ownership nothing is sent once it is not held
     */
    PulsarMessageProducer(PulsarClient client, PulsarSettings settings, Ownership ownership, Time time) {
        this.client = client;
        this.settings = settings;
        this.ownership = ownership;
        this.time = time;
        this.topics = new PulsarTopics(client, settings);
        this.bufferPermits = settings.bufferBytes() / BYTES_PER_PERMIT;
        this.buffer = new Semaphore(bufferPermits);
        this.watch = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "pulsar-watch");
            thread.setDaemon(true);
            return thread;
        });
        this.attempt = newAttempt();
        long period = Math.max(20, Math.min(500, settings.sendTimeout().toMillis() / 10));
        schedule(this::giveUpOnTheSilent, period);
        schedule(topics::refresh, REFRESH.toMillis());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    private void schedule(Runnable task, long periodMillis) {
        watch.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.error("could not look after messages on their way", e);
                    }
                },
                periodMillis,
                periodMillis,
                TimeUnit.MILLISECONDS);
    }

    private Attempt newAttempt() {
        return new Attempt(this::connect, task -> {
            try {
                watch.execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("nothing is left to be closed");
            }
        });
    }

    /** The client waits for nothing: neither for room, which is our buffer's matter, nor for an answer. */
    private CompletableFuture<Producer<byte[]>> connect(String partition) {
        ProducerBuilder<byte[]> builder = client.newProducer()
                .topic(partition)
                .producerName(settings.producerName())
                .accessMode(settings.accessMode())
                .compressionType(settings.compression())
                .sendTimeout(0, TimeUnit.SECONDS)
                .blockIfQueueFull(false)
                .maxPendingMessages(0)
                .enableBatching(!settings.chunking())
                .enableChunking(settings.chunking());
        if (!settings.chunking()) {
            builder.batchingMaxPublishDelay(settings.batchingDelay().toMillis(), TimeUnit.MILLISECONDS);
        }
        return builder.createAsync();
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        Attempt current = attempt;
        Exception before = current.failure();
        if (before != null) {
            callback.failed(following(before), closed ? FailureKind.BROKEN : FailureKind.PASSING);
            return;
        }
        if (!ownership.isHeld()) {
            current.halt(notOurs());
            callback.failed(notOurs(), FailureKind.PASSING);
            return;
        }
        try {
            requireSize(message);
            String partition = topics.partition(message.topic(), message.partition());
            Producer<byte[]> producer =
                    current.producer(partition, settings.sendTimeout().toMillis());
            TypedMessageBuilder<byte[]> toSend = toPulsar(producer, message);
            PendingMessage pending = new PendingMessage(callback, takeRoom(message), time.nanos());
            if (!current.send(
                    producer, toSend, pending, (next, cause, atOnce) -> answer(current, next, cause, atOnce))) {
                fail(pending, following(current.failure()), FailureKind.PASSING);
            }
        } catch (PulsarClientException | TimeoutException | RuntimeException e) {
            Exception told = explained(e);
            current.halt(told);
            callback.failed(told, PulsarErrors.kindOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            current.halt(e);
            callback.failed(e, FailureKind.PASSING);
        }
    }

    private void requireSize(Message message) throws PulsarClientException {
        int bytes = message.value().length;
        if (!settings.mayFit(bytes)) {
            throw new PulsarClientException.InvalidMessageException(
                    "a message of %d bytes is larger than pulsarmq.maxMessageSize, %d"
                            .formatted(bytes, settings.maxMessageBytes()));
        }
    }

    /** Waits for room in the buffer; a message that is larger than it waits for all of it. */
    private int takeRoom(Message message) throws TimeoutException, InterruptedException {
        int permits = (int) Math.min(bufferPermits, ((long) message.value().length + MESSAGE_BYTES) / BYTES_PER_PERMIT);
        if (!buffer.tryAcquire(permits, settings.sendTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("no room for another message within %d ms"
                    .formatted(settings.sendTimeout().toMillis()));
        }
        return permits;
    }

    private TypedMessageBuilder<byte[]> toPulsar(Producer<byte[]> producer, Message message) {
        TypedMessageBuilder<byte[]> builder = producer.newMessage()
                .value(message.value())
                .property(PARTITION_PROPERTY, Integer.toString(message.partition()));
        if (ownership.epoch() != 0) {
            builder.property(EPOCH_PROPERTY, Long.toString(ownership.epoch()));
        }
        for (MessageHeader header : message.headers()) {
            builder.property(header.name(), header.value());
        }
        byte[] key = message.key();
        return key == null ? builder : builder.key(new String(key, StandardCharsets.UTF_8));
    }

    /** By the client's thread, which holds the producer's monitor if messages fail. */
    private void answer(Attempt of, PendingMessage pending, @Nullable Throwable cause, boolean atOnce) {
        if (cause == null) {
            if (!ownership.isHeld()) {
                abandon(of, notOurs());
            }
            if (pending.delivered()) {
                buffer.release(pending.permits());
            }
            return;
        }
        Exception failure = explained(PulsarClientException.unwrap(cause));
        FailureKind kind = of.failure() == null ? PulsarErrors.kindOf(cause) : FailureKind.PASSING;
        if (atOnce) {
            of.halt(failure);
        } else {
            abandon(of, failure);
        }
        fail(pending, failure, kind);
    }

    private void abandon(Attempt which, Exception cause) {
        which.abandon(cause, (pending, why, atOnce) -> fail(pending, following(cause), FailureKind.PASSING));
    }

    private void fail(PendingMessage pending, Exception cause, FailureKind kind) {
        if (pending.failed(cause, kind)) {
            buffer.release(pending.permits());
        }
    }

    private void giveUpOnTheSilent() {
        Attempt current = attempt;
        PendingMessage oldest = current.oldest();
        long limitMillis = settings.sendTimeout().toMillis();
        if (oldest != null && time.nanos() - oldest.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(limitMillis)) {
            abandon(
                    current,
                    new PulsarClientException.TimeoutException(
                            "the broker has not confirmed a message within %d ms".formatted(limitMillis)));
        }
    }

    /** What the operator must change, beside what the client says. */
    private static Exception explained(Exception failure) {
        if (!PulsarErrors.isOfCredentials(failure)) {
            return failure;
        }
        Exception explained =
                new PulsarClientException("the broker does not accept pulsarmq.roleToken: " + failure.getMessage());
        explained.initCause(failure);
        return explained;
    }

    private static PulsarClientException following(@Nullable Exception before) {
        return new PulsarClientException("not sent, since a message before it failed: " + before);
    }

    private static PulsarClientException notOurs() {
        return new PulsarClientException("not sent, since this server is not sure to own the destination any more");
    }

    /** With {@code pulsarmq.adminServerUrl}, the topic is made at its first use. */
    @Override
    public void announce(String topic, int partitions) {
        topics.announce(topic, partitions);
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return topics.count(topic);
    }

    @Override
    public int maxValueBytes() {
        return settings.maxValueBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        for (PendingMessage next : attempt.flush()) {
            next.awaitAnswer();
        }
    }

    @Override
    public void restart() {
        synchronized (restarting) {
            if (!closed && attempt.failure() != null && !attempt.resume()) {
                topics.forget();
                attempt = newAttempt();
            }
        }
    }

    @Override
    public void abandon() {
        abandon(attempt, new PulsarClientException.TimeoutException("given up, since the broker does not answer"));
    }

    @Override
    public void close(Duration longest) {
        long deadline = time.nanos() + longest.toNanos();
        synchronized (restarting) {
            if (closed) {
                return;
            }
            closed = true;
        }
        Attempt last = attempt;
        last.halt(new PulsarClientException.AlreadyClosedException("the producer was closed"));
        boolean interrupted = false;
        try {
            for (PendingMessage next : last.flush()) {
                if (!next.awaitAnswer(deadline - time.nanos())) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        abandon(last, new PulsarClientException.AlreadyClosedException("the producer was closed"));
        watch.shutdown(); // after the abandonment
        Thread end = new Thread(this::endClient, "pulsar-close");
        end.setDaemon(true);
        end.start();
        try {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - time.nanos());
            if (millis > 0 && !interrupted) {
                end.join(millis);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes some seconds, in which its threads look whether something is left for them. */
    private void endClient() {
        try {
            client.shutdown();
        } catch (PulsarClientException | RuntimeException e) {
            LOG.warn("the client did not close well: cause={}", String.valueOf(e.getMessage()));
        }
    }
}
