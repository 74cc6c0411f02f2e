package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.WatchPools;
import io.sluice.testkit.process.FreePorts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BinlogSourceTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService watches = Executors.newCachedThreadPool();
    private final List<SourceState> states = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        timer.shutdownNow();
        watches.shutdownNow();
    }

    /** Else its instance would be shown as running, without a reader. */
    @Test
    void aThreadThatEndsByWhatNoStateHandlesHasFailed() {
        SourceHost unreachable = new SourceHost(Sources.login(FreePorts.next()), new ConfiguredStart.Newest());
        Error cause = new OutOfMemoryError("unable to create native thread");
        SourceListener failing = new SourceListener() {
            @Override
            public void onStart(Cursor first) {}

            @Override
            public void onState(SourceState state) {
                states.add(state);
                if (state instanceof SourceState.BackingOff) {
                    throw cause;
                }
            }
        };
        try (BinlogSource source = new BinlogSource(
                "shop",
                Sources.options(PositionOptions.DEFAULT, unreachable),
                Sources.stream(StreamOptions.DEFAULT),
                new EntryRing(new RingConfig(64, 64, false)),
                null,
                null,
                new WatchPools(timer, watches),
                Time.SYSTEM,
                failing)) {
            source.start();

            await().until(() -> states.stream().anyMatch(SourceState.Failed.class::isInstance));
            assertThat(states).last().isInstanceOfSatisfying(SourceState.Failed.class, failed -> {
                assertThat(failed.failure()).isEqualTo(SourceFailure.INTERNAL);
                assertThat(failed.cause()).isSameAs(cause);
            });
        }
        assertThat(states).noneMatch(SourceState.Stopped.class::isInstance);
    }
}
