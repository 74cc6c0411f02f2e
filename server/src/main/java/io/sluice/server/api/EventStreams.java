package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the events of the API: the state of all instances regularly, and samples of what is delivered. Safe for use by several threads. */
final class EventStreams {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Each has a thread while it is open. */
    private static final int MAX_TAILS = 4;

    private static final long KEEP_ALIVE_MILLIS = 10_000;

    private final ScheduledExecutorService timer;
    private final ExecutorService workers;
    private final Semaphore tails = new Semaphore(MAX_TAILS);

    /**
     * Makes it.
     *
     * @param timer starts what comes regularly
     * @param workers run what waits
     */
    EventStreams(ScheduledExecutorService timer, ExecutorService workers) {
        this.timer = timer;
        this.workers = workers;
    }

    /** The state of all instances, at once and then regularly. */
    ApiAnswer.Source instances(Supplier<? extends JsonNode> state, int seconds) {
        return sink -> {
            Future<?> ticks = timer.scheduleWithFixedDelay(() -> tick(sink, state), 0, seconds, TimeUnit.SECONDS);
            return () -> ticks.cancel(false);
        };
    }

    private void tick(ApiAnswer.Sink sink, Supplier<? extends JsonNode> state) {
        try {
            if (sink.isReady()) {
                workers.execute(() -> send(sink, state));
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("an event is left out, since all workers are busy", e);
        }
    }

    private static void send(ApiAnswer.Sink sink, Supplier<? extends JsonNode> state) {
        try {
            sink.send("instances", state.get());
        } catch (RuntimeException e) {
            LOG.warn("an event cannot be made", e);
        }
    }

    /**
     * What is delivered, as far as the caller reads it.
     *
     * @param limit after how many changes the stream ends
     */
    ApiAnswer.Source changes(Supplier<ChangeTail> tail, int limit) {
        if (!tails.tryAcquire()) {
            throw new ApiException(429, "too many callers look at what is delivered: %d may".formatted(MAX_TAILS));
        }
        ChangeTail opened;
        try {
            opened = tail.get();
        } catch (RuntimeException e) {
            tails.release();
            throw e;
        }
        AtomicBoolean hasEnded = new AtomicBoolean();
        Runnable end = () -> {
            if (hasEnded.compareAndSet(false, true)) {
                opened.close();
                tails.release();
            }
        };
        return sink -> {
            Future<?> work;
            try {
                work = workers.submit(() -> {
                    try {
                        follow(opened, sink, limit);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // the caller has gone
                    } finally {
                        end.run();
                    }
                });
            } catch (RejectedExecutionException e) {
                end.run();
                sink.send("end", JSON.createObjectNode());
                return () -> {};
            }
            return () -> {
                work.cancel(true);
                end.run(); // it may not have begun
            };
        };
    }

    private static void follow(ChangeTail tail, ApiAnswer.Sink sink, int limit) throws InterruptedException {
        long notRead = 0;
        for (int sent = 0; sent < limit; ) {
            ObjectNode change = tail.next(KEEP_ALIVE_MILLIS);
            long leftOut = tail.takeLeftOut() + notRead;
            notRead = 0;
            if (leftOut > 0 && !sink.send("leftOut", JSON.createObjectNode().put("changes", leftOut))) {
                notRead = leftOut;
            }
            if (change == null) {
                sink.send("idle", JSON.createObjectNode());
            } else if (sink.send("change", change)) {
                sent++;
            } else {
                notRead++;
            }
        }
        sink.send("end", JSON.createObjectNode());
    }
}
