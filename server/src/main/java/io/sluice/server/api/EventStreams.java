package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the events of the API: the state of all instances regularly, and samples of what is delivered. Thread-safe. */
final class EventStreams {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Each has a thread while it is open. The last one is for a caller that has none. */
    static final int MAX_TAILS = 4;

    /** The event of the state of all instances. */
    static final String STATE = "instances";

    private static final long KEEP_ALIVE_MILLIS = 10_000;

    static final int MAX_STREAMS = 64;
    static final int MAX_STREAMS_OF_A_CALLER = 16;

    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** By their interval in seconds. Also guards what belongs to them, and the counts. */
    private final Map<Integer, Feed> feeds = new HashMap<>();

    @GuardedBy("feeds") private final Map<String, Integer> streamsOf = new HashMap<>();

    @GuardedBy("feeds") private int streams;

    @GuardedBy("feeds") private final Map<String, Integer> tailsOf = new HashMap<>();

    @GuardedBy("feeds") private int tails;

    private volatile @Nullable Newest newest;

    private final ScheduledExecutorService timer;
    private final ExecutorService states;
    private final ExecutorService workers;
    private final Time time;

    private record Newest(JsonNode state, long nanos) {}

    /**
     * Makes it.
     *
     * @param timer starts what comes regularly
     * @param states make the state of all instances: none but this uses them, since callers that get no events take the server for dead
     * @param workers run what waits for changes
     * @param time measures how old a state is
     */
    EventStreams(ScheduledExecutorService timer, ExecutorService states, ExecutorService workers, Time time) {
        this.time = time;
        this.timer = timer;
        this.states = states;
        this.workers = workers;
    }

    /**
     * The state of all instances, at once and then regularly. All callers that request it at the same interval get it at the same time, and
     * it is made once for all of them.
     *
     * @param caller the name of the caller
     * @param state makes it
     * @throws ApiException if the caller, or all together, have too many streams
     */
    ApiAnswer.Source instances(String caller, Supplier<? extends JsonNode> state, int seconds) {
        synchronized (feeds) {
            if (streams >= MAX_STREAMS || streamsOf.getOrDefault(caller, 0) >= MAX_STREAMS_OF_A_CALLER) {
                throw new ApiException(
                        429,
                        "too many streams of events are open: %d may, and %d of one caller"
                                .formatted(MAX_STREAMS, MAX_STREAMS_OF_A_CALLER));
            }
            streams++;
            streamsOf.merge(caller, 1, Integer::sum);
        }
        return sink -> {
            AtomicBoolean hasEnded = new AtomicBoolean();
            Feed feed = join(sink, state, seconds);
            return () -> {
                if (hasEnded.compareAndSet(false, true)) {
                    leave(caller, sink, feed);
                }
            };
        };
    }

    /** What callers get at one interval. */
    private static final class Feed {
        private final int seconds;
        private final List<ApiAnswer.Sink> sinks = new CopyOnWriteArrayList<>();
        private @Nullable Future<?> ticks;

        /** Whether the event of a tick has not been made yet. */
        private final AtomicBoolean isDue = new AtomicBoolean();

        Feed(int seconds) {
            this.seconds = seconds;
        }
    }

    private Feed join(ApiAnswer.Sink sink, Supplier<? extends JsonNode> state, int seconds) {
        synchronized (feeds) {
            Feed feed = feeds.computeIfAbsent(seconds, Feed::new);
            feed.sinks.add(sink);
            if (feed.ticks == null) {
                feed.ticks = timer.scheduleWithFixedDelay(() -> tick(feed, state), 0, seconds, TimeUnit.SECONDS);
            } else {
                timer.execute(() -> make(List.of(sink), () -> recent(state), () -> {}));
            }
            return feed;
        }
    }

    private void leave(String caller, ApiAnswer.Sink sink, Feed feed) {
        synchronized (feeds) {
            streams--;
            streamsOf.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
            feed.sinks.remove(sink);
            Future<?> ticks = feed.ticks;
            if (feed.sinks.isEmpty() && ticks != null) {
                ticks.cancel(false);
                feeds.remove(feed.seconds);
            }
        }
    }

    private void tick(Feed feed, Supplier<? extends JsonNode> state) {
        if (feed.isDue.compareAndSet(false, true)) {
            make(feed.sinks, state, () -> feed.isDue.set(false));
        }
    }

    private void make(List<ApiAnswer.Sink> sinks, Supplier<? extends JsonNode> state, Runnable end) {
        boolean isStarted = false;
        try {
            List<ApiAnswer.Sink> ready =
                    sinks.stream().filter(ApiAnswer.Sink::isReady).toList();
            if (!ready.isEmpty()) {
                states.execute(() -> {
                    try {
                        send(ready, state);
                    } finally {
                        end.run();
                    }
                });
                isStarted = true;
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("an event is left out, since others have not been made yet", e);
        } catch (Throwable e) { // the top of the task: one that got out would end the stream in silence
            LOG.warn("an event cannot be made", e);
        } finally {
            if (!isStarted) {
                end.run();
            }
        }
    }

    private void send(List<ApiAnswer.Sink> sinks, Supplier<? extends JsonNode> state) {
        try {
            JsonNode made = state.get();
            newest = new Newest(made, time.nanos());
            StreamedEvent event = StreamedEvent.of(STATE, made);
            sinks.forEach(sink -> sink.send(event));
        } catch (RuntimeException | Error e) { // the next one may be made
            LOG.warn("an event cannot be made", e);
        }
    }

    /** The state for a stream that is opened between two ticks: that of the last tick. */
    private JsonNode recent(Supplier<? extends JsonNode> state) {
        Newest known = newest;
        return known != null && time.nanos() - known.nanos < RECENT_NANOS ? known.state : state.get();
    }

    /**
     * What is delivered, as far as the caller reads it.
     *
     * @param caller the name of the caller
     * @param limit after how many changes the stream ends
     * @throws ApiException if the caller, or all together, have too many of these streams
     */
    ApiAnswer.Source changes(String caller, Supplier<ChangeTail> tail, int limit) {
        takeTail(caller);
        ChangeTail opened;
        try {
            opened = tail.get();
        } catch (RuntimeException | Error e) {
            returnTail(caller);
            throw e;
        }
        AtomicBoolean hasEnded = new AtomicBoolean();
        Runnable end = () -> {
            if (hasEnded.compareAndSet(false, true)) {
                opened.close();
                returnTail(caller);
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
            } catch (RejectedExecutionException | OutOfMemoryError e) { // all are busy, or no thread can be started
                LOG.warn("what is delivered cannot be shown: cause={}", e.toString());
                end.run();
                sink.end();
                return () -> {};
            }
            return () -> {
                work.cancel(true);
                end.run(); // it may not have begun
            };
        };
    }

    private void takeTail(String caller) {
        synchronized (feeds) {
            int left = MAX_TAILS - tails;
            if (left == 0 || left == 1 && tailsOf.containsKey(caller)) {
                throw new ApiException(
                        429,
                        "too many streams of changes are open: %d may, the last one for a caller that has none"
                                .formatted(MAX_TAILS));
            }
            tails++;
            tailsOf.merge(caller, 1, Integer::sum);
        }
    }

    private void returnTail(String caller) {
        synchronized (feeds) {
            tails--;
            tailsOf.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
        }
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
        sink.end();
    }
}
