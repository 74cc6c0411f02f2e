package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.attempt.SingleMessageMode;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the given partitions by Pulsar's client, and awaits that the broker has stored them.
 *
 * <p>As canal does, a message has its partition in the property {@code partitionNum}. Those of an owner that has an epoch
 * carry it in the property {@code sluice-epoch}; headers are properties, too.
 *
 * <p>There is one producer for each partition ({@link PartitionProducers}), and Pulsar's client keeps their order through lost
 * connections. But after a message that fails it continues. So the failure is noted under the same lock under which the client
 * fails messages, its producer's monitor, and a message is handed over under that lock, too, and only while nothing has
 * failed. The client never waits inside it, since it has no limits of its own.
 *
 * <p>The client gathers messages in batches. A broker that finds a batch too large does not state which message is at fault, and perhaps
 * none is: so all of them fail as passing, and are sent one by one when they are sent again.
 */
final class PulsarConnection implements BrokerConnection {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarConnection.class);
    private static final String PARTITION_PROPERTY = "partitionNum";
    private static final String EPOCH_PROPERTY = "sluice-epoch";

    /**
     * A producer that has had no message for so long is closed. A default broker deletes a topic without producers, subscriptions and backlog after a
     * minute, so those of tables that change daily must keep theirs.
     */
    static final Duration IDLE = Duration.ofHours(25);

    private final Attempt attempt;
    private final PulsarSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final PulsarTopics topics;
    private final SendBuffer buffer;
    private final SingleMessageMode singleMessages;
    private final PartitionProducers producers;
    private final Executor closer;

    /** Oldest first; the answered ones go when they are the oldest. */
    private final Queue<PendingMessage> pending = new ConcurrentLinkedQueue<>();

    /** Whether a message has failed: those of a batch fail by the same exception, but only the first is the first. */
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    /**
     * A connection without producers.
     *
     * @param singleMessages whether batches have one message; kept over the attempts
     * @param makeProducer makes the producer of a partition, whose name it is given
     * @param closer runs what must not be done by the client's threads
     */
    PulsarConnection(
            Attempt attempt,
            PulsarSettings settings,
            Ownership ownership,
            Time time,
            PulsarTopics topics,
            SendBuffer buffer,
            SingleMessageMode singleMessages,
            Function<String, CompletableFuture<Producer<byte[]>>> makeProducer,
            Executor closer) {
        this.attempt = attempt;
        this.settings = settings;
        this.ownership = ownership;
        this.time = time;
        this.topics = topics;
        this.buffer = buffer;
        this.singleMessages = singleMessages;
        this.producers = new PartitionProducers(makeProducer, time);
        this.closer = closer;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) throws Exception {
        requireSize(message);
        String partition = topics.partition(message.topic(), message.partition());
        Producer<byte[]> producer = producer(message, partition);
        TypedMessageBuilder<byte[]> built = toPulsar(producer, message);
        int permits = buffer.acquire(message, settings.sendTimeout());
        if (!ownership.isHeld()) { // all that may have taken long
            buffer.release(permits);
            throw NotSentException.notOwned();
        }
        if (!handOver(producer, built, partition, callback, permits)) {
            buffer.release(permits);
            Exception before = attempt.failure();
            throw before == null ? NotSentException.abandoned() : NotSentException.after(before);
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

    /** The producer of a message's partition; waits for its making, for a bounded time. */
    private Producer<byte[]> producer(Message message, String partition) throws Exception {
        CompletableFuture<Producer<byte[]>> made = producers.of(message.topic(), partition);
        long millis = settings.clientLimit().toMillis();
        try {
            return made.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            topics.forget(message.topic());
            producers.drop(partition, made);
            if (e instanceof TimeoutException) {
                throw new TimeoutException(
                        "the broker gave no producer for %s within %d ms".formatted(partition, millis));
            }
            PulsarClientException failure = PulsarClientException.unwrap(e.getCause());
            requirePartition(message, partition, failure);
            throw PulsarErrors.at(partition, failure);
        }
    }

    /**
     * Fails as passing if the message is for another partition by now: that the topic was created again with fewer of them is seen by the failure of
     * one that it had.
     */
    private void requirePartition(Message message, String partition, PulsarClientException failure) throws Exception {
        if (PulsarErrors.kindOf(failure, settings.accessMode()) != FailureKind.TOPIC_UNAVAILABLE) {
            return;
        }
        String now = topics.partition(message.topic(), message.partition());
        topics.forget(message.topic());
        if (!now.equals(partition)) {
            throw new SendException(
                    FailureKind.PASSING,
                    "topic %s has other partitions than before: %s".formatted(message.topic(), failure.getMessage()),
                    failure);
        }
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

    /** Gives a message to the client, unless something has failed; returns whether it did. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same
    private boolean handOver(
            Producer<byte[]> producer,
            TypedMessageBuilder<byte[]> message,
            String partition,
            DeliveryCallback callback,
            int permits) {
        synchronized (producer) {
            boolean flushes = singleMessages.isOn(); // before the check: it begins after a failure
            if (attempt.failure() != null) {
                return false;
            }
            PendingMessage waiting =
                    new PendingMessage(partition, callback, permits, time.nanos(), flushes || settings.chunking());
            pending.add(waiting);
            CompletableFuture<MessageId> sent = sendAsync(message);
            boolean atOnce = sent.isCompletedExceptionally();
            sent.handle((id, cause) -> { // other than after whenComplete, a failure is not wrapped for another future
                answer(waiting, cause, atOnce);
                dropAnswered();
                return id;
            });
            if (flushes) {
                producer.flushAsync(); // while no other message can join it
            }
            return true;
        }
    }

    private static CompletableFuture<MessageId> sendAsync(TypedMessageBuilder<byte[]> message) {
        try {
            return message.sendAsync();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e); // so that there is one answer, whatever goes wrong
        }
    }

    /** By the client's thread, which holds the producer's monitor if messages fail. */
    private void answer(PendingMessage waiting, @Nullable Throwable cause, boolean atOnce) {
        if (cause == null) {
            if (!ownership.isHeld()) {
                attempt.end(NotSentException.notOwned());
            }
            singleMessages.passed();
            if (waiting.delivered()) {
                buffer.release(waiting.permits());
            }
            return;
        }
        Exception before = attempt.failure();
        if (before != null && !atOnce) {
            failAfter(before, waiting);
            return;
        }
        SendFailure told =
                PulsarErrors.classify(PulsarErrors.at(waiting.partition(), exceptionOf(cause)), settings.accessMode());
        boolean isFirst = attempt.halt(told.cause()) && !hasFailed.getAndSet(true);
        boolean isOfBatch = told.kind() == FailureKind.TOO_LARGE && !atOnce && !waiting.isAlone();
        if (isFirst && isOfBatch) {
            beginSingleMessages(told.cause());
        }
        boolean isUnanswered = waiting.claim(); // before the end of the attempt, which fails what is not answered
        boolean isOfMessage = atOnce && told.kind() == FailureKind.TOO_LARGE;
        if (!isOfMessage) { // a producer that fails others at once takes no more messages
            attempt.end(told.cause());
        }
        if (isUnanswered) {
            waiting.callFailed(
                    isFirst ? told.cause() : afterFirst(told.cause()),
                    isFirst && !isOfBatch ? told.kind() : FailureKind.PASSING);
            buffer.release(waiting.permits());
        }
    }

    /** Without a look at its own cause: all messages of a producer fail at once, in the client's only thread. */
    private void failAfter(Exception before, PendingMessage waiting) {
        boolean isUnanswered = waiting.claim(); // before the end of the attempt, which fails what is not answered
        attempt.end(before);
        if (isUnanswered) {
            waiting.callFailed(NotSentException.after(before), FailureKind.PASSING);
            buffer.release(waiting.permits());
        }
    }

    /** What an operator is to see: a producer that is closed after a failure fails its messages for having been closed. */
    private Exception afterFirst(Exception cause) {
        Exception first = attempt.failure();
        return first == null || first == cause ? cause : NotSentException.after(first);
    }

    private void beginSingleMessages(Exception cause) {
        int unanswered =
                (int) pending.stream().filter(waiting -> !waiting.isAnswered()).count();
        LOG.info(
                "a batch is too large for the broker, its messages are sent one by one: messages={} cause={}",
                unanswered,
                cause.getMessage());
        singleMessages.begin(unanswered);
    }

    /** The client's own helper throws unchecked exceptions again, and the message would not be answered. */
    private static Exception exceptionOf(Throwable cause) {
        return cause instanceof RuntimeException unchecked ? unchecked : PulsarClientException.unwrap(cause);
    }

    private void fail(PendingMessage waiting, Exception cause, FailureKind kind) {
        if (waiting.failed(cause, kind)) {
            buffer.release(waiting.permits());
        }
    }

    private void dropAnswered() {
        PendingMessage oldest = pending.peek();
        while (oldest != null && oldest.isAnswered()) {
            pending.remove(oldest);
            oldest = pending.peek();
        }
    }

    /**
     * To be called periodically: ends the attempt if the broker has not answered in time, or the ownership is lost, since the client sends
     * what is not answered again by itself when it has connected again.
     */
    void checkAnswers() {
        PendingMessage oldest = pending.peek();
        if (oldest == null) {
            return;
        }
        if (!ownership.isHeld()) {
            attempt.end(NotSentException.notOwned());
            return;
        }
        long limitMillis = settings.sendTimeout().toMillis();
        if (time.nanos() - oldest.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(limitMillis)) {
            attempt.end(new PulsarClientException.TimeoutException(
                    "the broker has not confirmed a message for %s within %d ms"
                            .formatted(oldest.partition(), limitMillis)));
        }
    }

    /**
     * To be called periodically: closes producers that have had no message for long. Exclusive ones stay, since another client could take
     * their partitions.
     */
    void closeIdle() {
        if (settings.accessMode() == ProducerAccessMode.Shared) {
            Duration answered =
                    settings.sendTimeout().multipliedBy(4); // made, room in the buffer, the answer, and a check of that
            producers.closeIdle(answered.compareTo(IDLE) > 0 ? answered : IDLE).forEach(topics::forget);
        }
    }

    @Override
    public void prepareRestart() {
        hasFailed.set(false);
    }

    @Override
    @SuppressWarnings(
            "FutureReturnValueIgnored") // the broker frees the name when it learns of it, or the connection ends
    public void cut(Exception cause) {
        List<CompletableFuture<Producer<byte[]>>> open = producers.cut();
        // Not here: this thread may hold one producer's monitor, and another thread that of the next.
        closer.execute(() -> {
            open.forEach(PartitionProducers::close);
            pending.forEach(waiting -> fail(waiting, NotSentException.after(cause), FailureKind.PASSING));
            dropAnswered();
        });
    }

    @Override
    public void flush() throws InterruptedException {
        for (PendingMessage next : sendBuffered()) {
            next.awaitAnswer();
        }
    }

    @Override
    public void settle(Duration limit) throws InterruptedException {
        long deadline = time.nanos() + limit.toNanos();
        for (PendingMessage next : sendBuffered()) {
            if (!next.awaitAnswer(deadline - time.nanos())) {
                return;
            }
        }
    }

    /** Sends what waits for more, and returns the messages that are not answered. */
    @SuppressWarnings("FutureReturnValueIgnored") // each message is answered
    private List<PendingMessage> sendBuffered() {
        List<CompletableFuture<Producer<byte[]>>> open = producers.all();
        List<PendingMessage> waiting = List.copyOf(pending);
        open.forEach(made -> made.thenAccept(Producer::flushAsync));
        return waiting;
    }
}
