package io.sluice.server.instance;

import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Closes the producer of an instance on a daemon thread, which is left if the producer does not keep to its limit: a connector's defect, or a
 * client that waits for its broker without a limit, must not keep the instance from ending. Thread-safe.
 */
public final class ProducerClose {
    /** How much longer than it may a producer is waited for. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private ProducerClose() {}

    /**
     * Closes a producer. If this thread is interrupted, so is the one that closes, which waits no longer then; this one stays interrupted.
     *
     * @param limit how long the producer may wait for what was taken
     * @throws IllegalStateException if the producer has not closed in time; the thread that closes it continues
     */
    public static void close(String destination, MessageProducer producer, Duration limit) {
        close(destination, producer, limit, GRACE);
    }

    static void close(String destination, MessageProducer producer, Duration limit, Duration grace) {
        Map<String, String> context = MDC.getCopyOfContextMap();
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> close(producer, limit, context), null);
        Thread closing = new Thread(task, "close-" + destination);
        closing.setDaemon(true);
        closing.start();
        boolean hasEnded = hasEnded(closing, limit.plus(grace));
        if (!hasEnded) {
            throw new IllegalStateException(
                    "the producer of %s (%s) has not closed within %d seconds, so that a part of it may run until the server is restarted"
                            .formatted(
                                    destination,
                                    producer.getClass().getName(),
                                    limit.plus(grace).toSeconds()));
        }
        rethrow(task);
    }

    private static void close(MessageProducer producer, Duration limit, @Nullable Map<String, String> context) {
        if (context != null) {
            MDC.setContextMap(context);
        }
        producer.close(limit);
    }

    private static boolean hasEnded(Thread closing, Duration limit) {
        try {
            closing.join(limit.toMillis());
        } catch (InterruptedException e) {
            closing.interrupt();
            joinInterrupted(closing, limit);
            Thread.currentThread().interrupt();
        }
        return !closing.isAlive();
    }

    private static void joinInterrupted(Thread closing, Duration limit) {
        try {
            closing.join(limit.toMillis());
        } catch (InterruptedException e) {
            closing.interrupt(); // which was interrupted before
        }
    }

    private static void rethrow(FutureTask<?> ended) {
        try {
            Object unused = ended.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(String.valueOf(e.getCause()), e.getCause());
        } catch (InterruptedException e) { // it has ended, and the one before it waits no more
            Thread.currentThread().interrupt();
        }
    }
}
