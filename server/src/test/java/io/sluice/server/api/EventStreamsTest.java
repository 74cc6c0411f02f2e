package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.server.HandWorkers;
import io.sluice.server.instance.DeliveryTap;
import io.sluice.testkit.time.HandTime;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of the state of all instances. */
@Timeout(60)
class EventStreamsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService states = Executors.newCachedThreadPool();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final AtomicInteger made = new AtomicInteger();
    private final EventStreams streams = new EventStreams(timer, states, workers, new HandTime());
    private final List<Closeable> open = new ArrayList<>();

    private static final class Caller implements ApiAnswer.Sink {
        private final AtomicInteger events = new AtomicInteger();
        private final Queue<StreamedEvent> received = new ConcurrentLinkedQueue<>();

        @Override
        public boolean send(StreamedEvent event) {
            received.add(event);
            events.incrementAndGet();
            return true;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void end() {
            events.incrementAndGet();
        }
    }

    @AfterEach
    void close() {
        timer.shutdownNow();
        states.shutdownNow();
        workers.shutdownNow();
    }

    @Test
    void fiftyStreamsShareOneState() throws InterruptedException {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Caller caller = new Caller();
            callers.add(caller);
            open.add(begin("caller" + i % 5, caller));
            if (i == 0) {
                await().until(() -> caller.events.get() > 0);
            }
        }
        await().until(() -> callers.stream().allMatch(caller -> caller.events.get() >= 3));

        timer.shutdownNow();
        assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        states.shutdown();
        assertThat(states.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThat(made)
                .as("the first caller got one at each tick")
                .hasValue(callers.get(0).events.get());
    }

    @Test
    void thereAreSoManyOfACallerAndSoManyInAll() throws IOException {
        for (int i = 0; i < EventStreams.MAX_STREAMS_OF_A_CALLER; i++) {
            open.add(begin("one", new Caller()));
        }
        assertThatThrownBy(() -> begin("one", new Caller())).isInstanceOf(ApiException.class);
        for (int i = EventStreams.MAX_STREAMS_OF_A_CALLER; i < EventStreams.MAX_STREAMS; i++) {
            open.add(begin("other" + i, new Caller()));
        }
        assertThatThrownBy(() -> begin("last", new Caller()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("64 may, and 16 of one caller");

        open.get(0).close();
        open.get(0).close();
        open.add(begin("last", new Caller()));
        assertThatThrownBy(() -> begin("last", new Caller())).isInstanceOf(ApiException.class);
    }

    @Test
    void withoutCallersNothingIsMadeAndACallerThatReturnsIsServed() throws IOException {
        Caller first = new Caller();
        Closeable stream = begin("a", first);
        await().until(() -> first.events.get() > 0);
        stream.close();
        Caller second = new Caller();
        open.add(begin("a", second));

        await().until(() -> second.events.get() > 1);
    }

    /** A caller that gets no events takes the server for dead. */
    @Test
    void theStateIsSentWhileAllWorkersAreBusy() {
        workers.shutdown(); // takes nothing, as when all are
        Caller caller = new Caller();
        open.add(begin("a", caller));

        await().until(() -> caller.events.get() > 1);
    }

    @Test
    void aStateThatTakesLongIsNotMadeForEachTick() {
        HandWorkers slow = new HandWorkers();
        List<Runnable> ticks = new ArrayList<>();
        ScheduledExecutorService never = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable tick, long first, long delay, TimeUnit unit) {
                ticks.add(tick);
                return super.scheduleWithFixedDelay(tick, 1000, 1000, TimeUnit.DAYS);
            }
        };
        try {
            Caller caller = new Caller();
            open.add(new EventStreams(never, slow, workers, new HandTime())
                    .instances("a", JSON::createArrayNode, 1)
                    .begin(caller));
            Runnable tick = ticks.get(0);

            tick.run();
            tick.run();
            slow.runAll();
            assertThat(caller.events).hasValue(1);

            tick.run();
            slow.runAll();
            assertThat(caller.events).hasValue(2);
        } finally {
            never.shutdownNow();
        }
    }

    @Test
    void theStreamsOfATickShareTheBytesOfItsEvent() {
        Caller first = new Caller();
        Caller second = new Caller();
        open.add(begin("a", first));
        open.add(begin("b", second));

        await().untilAsserted(() -> assertThat(first.received)
                .extracting(StreamedEvent::text)
                .anySatisfy(text -> assertThat(second.received)
                        .extracting(StreamedEvent::text)
                        .anyMatch(other -> other == text)));
    }

    @Test
    void aTailForWhichNoThreadCanBeStartedEndsAndLeavesItsPlace() {
        ExecutorService threadless = Executors.newCachedThreadPool(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        EventStreams tails = new EventStreams(timer, states, threadless, new HandTime());
        DeliveryTap tap = new DeliveryTap();
        Caller caller = new Caller();
        for (int i = 0; i <= EventStreams.MAX_TAILS; i++) {
            tails.changes("an.operator", () -> new ChangeTail(tap, "", false), 1)
                    .begin(caller);
        }

        assertThat(caller.events).as("ends").hasValue(EventStreams.MAX_TAILS + 1);
    }

    @Test
    void theLastTailIsForACallerThatHasNone() {
        DeliveryTap tap = new DeliveryTap();
        for (int i = 1; i < EventStreams.MAX_TAILS; i++) {
            streams.changes("greedy", () -> new ChangeTail(tap, "", false), 1);
        }
        assertThatThrownBy(() -> streams.changes("greedy", () -> new ChangeTail(tap, "", false), 1))
                .isInstanceOf(ApiException.class);

        streams.changes("other", () -> new ChangeTail(tap, "", false), 1);

        assertThatThrownBy(() -> streams.changes("third", () -> new ChangeTail(tap, "", false), 1))
                .isInstanceOf(ApiException.class);
    }

    private Closeable begin(String caller, ApiAnswer.Sink sink) {
        return streams.instances(
                        caller,
                        () -> {
                            made.incrementAndGet();
                            return JSON.createArrayNode();
                        },
                        1)
                .begin(sink);
    }
}
