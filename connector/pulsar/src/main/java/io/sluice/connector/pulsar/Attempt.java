package io.sluice.connector.pulsar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The producers of all partitions, from a start to the first failure.
 *
 * <p>There is one for each partition, made at its first message, and Pulsar's client keeps their order through lost
 * connections. But after a message that fails it continues. So the failure is noted under the same lock under which the client
 * fails messages, its producer's monitor, and a message is handed over under that lock, too, and only while nothing has
 * failed. The client never waits inside it, since it has no limits of its own.
 *
 * <p>Safe for use by several threads.
 */
final class Attempt {
    private final Function<String, CompletableFuture<Producer<byte[]>>> connect;
    private final Executor closer;

    /** Oldest first; the answered ones go when they are the oldest. */
    private final Queue<PendingMessage> pending = new ConcurrentLinkedQueue<>();

    private final Object changing = new Object();

    /** By the partition's name. */
    @GuardedBy("changing") private final Map<String, CompletableFuture<Producer<byte[]>>> producers = new HashMap<>();

    @GuardedBy("changing") private boolean abandoned;

    private volatile @Nullable Exception failure;

    /**
     * An attempt without producers.
     *
     * @param connect makes the producer of a partition, whose name it is given
     * @param closer runs what must not be done by the client's threads
     */
    Attempt(Function<String, CompletableFuture<Producer<byte[]>>> connect, Executor closer) {
        this.connect = connect;
        this.closer = closer;
    }

    /** Why nothing more is taken; null while all is well. */
    @Nullable Exception failure() {
        return failure;
    }

    /** The producer of a partition; waits for its making no longer than {@code millis}. */
    Producer<byte[]> producer(String partition, long millis)
            throws PulsarClientException, TimeoutException, InterruptedException {
        CompletableFuture<Producer<byte[]>> made;
        synchronized (changing) {
            if (abandoned) {
                throw new PulsarClientException.AlreadyClosedException("the producer was given up");
            }
            made = producers.computeIfAbsent(partition, connect);
        }
        try {
            return made.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            synchronized (changing) {
                producers.remove(partition, made);
            }
            close(made);
            if (e instanceof TimeoutException) {
                throw new TimeoutException(
                        "the broker gave no producer for %s within %d ms".formatted(partition, millis));
            }
            throw PulsarClientException.unwrap(e.getCause());
        }
    }

    /** What becomes of a message: null stands for a broker that has it. */
    interface Answer {
        void of(PendingMessage message, @Nullable Throwable failure, boolean atOnce);
    }

    /**
     * Hands a message over, unless something has failed.
     *
     * @param answer is told what became of it, by the client's thread or, at once, by this one
     * @return whether it was handed over
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the answer is told the same
    boolean send(
            Producer<byte[]> producer, TypedMessageBuilder<byte[]> message, PendingMessage waiting, Answer answer) {
        synchronized (producer) {
            if (failure != null) {
                return false;
            }
            pending.add(waiting);
            CompletableFuture<MessageId> sent = sendAsync(message);
            boolean atOnce = sent.isCompletedExceptionally();
            sent.whenComplete((id, cause) -> {
                answer.of(waiting, cause, atOnce);
                dropAnswered();
            });
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

    private void dropAnswered() {
        PendingMessage oldest = pending.peek();
        while (oldest != null && oldest.isAnswered()) {
            pending.remove(oldest);
            oldest = pending.peek();
        }
    }

    /** The message that has waited longest for its answer; null if none waits. */
    @Nullable PendingMessage oldest() {
        return pending.peek();
    }

    /** Takes nothing more, but what was taken before continues. */
    void halt(Exception cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Takes messages again, if the attempt only was halted; returns whether it does. */
    boolean resume() {
        synchronized (changing) {
            if (!abandoned) {
                failure = null;
            }
            return !abandoned;
        }
    }

    /**
     * Takes nothing more, and soon fails what is not answered for. What is on its way may still arrive, and nothing else.
     *
     * @param fail is given each message that waits for an answer
     */
    void abandon(Exception cause, Answer fail) {
        halt(cause);
        List<CompletableFuture<Producer<byte[]>>> open;
        synchronized (changing) {
            if (abandoned) {
                return;
            }
            abandoned = true;
            open = new ArrayList<>(producers.values());
        }
        // Not here: this thread may hold one producer's monitor, and another thread that of the next.
        closer.execute(() -> {
            open.forEach(Attempt::close);
            pending.forEach(message -> fail.of(message, cause, false));
            dropAnswered();
        });
    }

    @SuppressWarnings(
            "FutureReturnValueIgnored") // the broker frees the name when it learns of it, or the connection ends
    private static void close(CompletableFuture<Producer<byte[]>> made) {
        made.thenAccept(producer -> {
            synchronized (producer) { // a hand-over in progress has ended then
                producer.closeAsync();
            }
        });
    }

    /** Sends what waits for more, and returns the messages that are not answered for. */
    @SuppressWarnings("FutureReturnValueIgnored") // each message is answered for
    List<PendingMessage> flush() {
        List<CompletableFuture<Producer<byte[]>>> open;
        synchronized (changing) {
            open = List.copyOf(producers.values());
        }
        List<PendingMessage> waiting = List.copyOf(pending);
        open.forEach(made -> made.thenAccept(Producer::flushAsync));
        return waiting;
    }
}
