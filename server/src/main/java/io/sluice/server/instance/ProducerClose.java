package io.sluice.server.instance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Closes the producer of an instance on a daemon thread, which is left if the producer does not keep to its limit: a connector's defect, or a
 * client that waits for its broker without a limit, must not keep the instance from ending. If no thread can be started, it is closed by the caller.
 * Thread-safe.
 */
public final class ProducerClose {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerClose.class);

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
        close(destination, producer, limit, grace, close -> new Thread(close, "close-" + destination));
    }

    static void close(
            String destination, MessageProducer producer, Duration limit, Duration grace, ThreadFactory threads) {
        Close task = new Close(destination, producer, limit);
        Thread closing = threads.newThread(task);
        closing.setDaemon(true);
        try {
            closing.start();
        } catch (
                OutOfMemoryError
                        e) { // the process has as many threads as it may: those of the producer are to end all the same
            closeHere(destination, producer, limit, e);
            return;
        }
        boolean hasEnded = hasEnded(closing, limit.plus(grace));
        if (!hasEnded && task.leave()) {
            throw new IllegalStateException(
                    "the producer of %s (%s) has not closed within %d seconds, so that a part of it may run until the server is restarted"
                            .formatted(
                                    destination,
                                    producer.getClass().getName(),
                                    limit.plus(grace).toSeconds()));
        }
        task.rethrow();
    }

    private static void closeHere(
            String destination, MessageProducer producer, Duration limit, OutOfMemoryError cause) {
        try {
            LOG.warn(
                    "no thread can be started to close a producer, which is waited for without a limit: destination={} cause={}",
                    destination,
                    String.valueOf(cause.getMessage()));
        } finally { // also if there is no memory for the line
            producer.close(limit);
        }
    }

    /** Closes a producer, and logs how that has ended if it is not waited for any more. */
    private static final class Close implements Runnable {
        private final String destination;
        private final MessageProducer producer;
        private final Duration limit;
        private final @Nullable Map<String, String> context = MDC.getCopyOfContextMap();

        @GuardedBy("this") private boolean hasEnded;

        @GuardedBy("this") private boolean isLeft;

        @GuardedBy("this") private @Nullable Throwable failure;

        Close(String destination, MessageProducer producer, Duration limit) {
            this.destination = destination;
            this.producer = producer;
            this.limit = limit;
        }

        @Override
        public void run() {
            if (context != null) {
                MDC.setContextMap(context);
            }
            Throwable thrown = null;
            try {
                producer.close(limit);
            } catch (Throwable e) { // the top of the thread; it is thrown where it is waited for, or logged
                thrown = e;
            }
            if (!end(thrown)) {
                return;
            }
            if (thrown == null) {
                LOG.info("a producer that had not closed in time has closed: destination={}", destination);
            } else {
                LOG.warn(
                        "a producer that had not closed in time failed while it was closed: destination={}",
                        destination,
                        thrown);
            }
        }

        /** Returns whether it is not waited for any more. */
        private synchronized boolean end(@Nullable Throwable thrown) {
            hasEnded = true;
            failure = thrown;
            return isLeft;
        }

        /** Returns false if it has ended by now. */
        synchronized boolean leave() {
            isLeft = !hasEnded;
            return isLeft;
        }

        /** Throws what the producer has thrown. */
        synchronized void rethrow() {
            Throwable thrown = failure;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException known) {
                throw known;
            }
            if (thrown != null) {
                throw new IllegalStateException(String.valueOf(thrown), thrown);
            }
        }
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
}
