package io.sluice.server.destination;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.MemoryCluster;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A destination that is shared with other servers, and whose source cannot be reached. */
@Timeout(300)
class SharedDestinationTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private UnreachableShop shop;

    @BeforeEach
    void make() throws Exception {
        shop = new UnreachableShop(home);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** Without a thread, the candidacy cannot begin. */
    @Test
    void oneThatIsAddedDuringAShortageOfThreadsBecomesACandidateLater() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        DestinationRunner added = shop.runner(shop.config("shared"), (destination, service) -> {
            tries.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        });
        ScheduledThreadPoolExecutor atOnce = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                return super.schedule(task, 0, unit);
            }
        };
        try {
            DelayedStarts starts = new DelayedStarts(
                    new DestinationRegistry(),
                    new DestinationStates(0, shop.pools().timer(), Runnable::run, Time.SYSTEM),
                    true,
                    new PooledTimer(atOnce, Runnable::run, failure -> {}),
                    Time.SYSTEM,
                    () -> {});

            starts.enterCandidacy(added);

            await().until(() -> tries.get() > 2);
        } finally {
            atOnce.shutdownNow();
            added.close(Duration.ZERO);
        }
    }

    /** Its dump would have the same id of a replica as that of the next owner. */
    @Test
    void oneThatIsNotOwnedAnyMoreIsNotMadeAgain() throws Exception {
        HandTime time = new HandTime();
        MemoryCluster cluster = new MemoryCluster(time);
        DestinationRunner shared = shop.runner(shop.config("shared"), cluster);
        try {
            shared.start();
            shared.enterCandidacy();
            await().until(() -> shared.instance().isPresent());
            AtomicInteger made = new AtomicInteger();
            shop.beforeMaking = made::incrementAndGet;
            Ownership ownership = shared.slot().term().ownership();
            cluster.setDown("shop");
            time.pass(Duration.ofMinutes(1));

            assertThat(shared.restart(shared.config(), LIMIT, LIMIT)).isFalse();

            assertThat(made).hasValue(0);
            assertThat(shared.instance()).isEmpty();
            assertThat(shared.hasFailed()).isFalse();
            time.pass(Duration.ofMinutes(-1)); // as by an answer of ZooKeeper that comes late
            assertThat(ownership.isHeld()).as("by a term without an instance").isFalse();
        } finally {
            shared.close(Duration.ZERO);
        }
    }

    @Test
    void oneThatIsNotOwnedAnyMoreIsNotRestartedWithItsNewConfigurationWhichCountsLater() throws Exception {
        HandTime time = new HandTime();
        MemoryCluster cluster = new MemoryCluster(time);
        DestinationRunner shared = shop.runner(shop.config("shared"), cluster);
        InstanceConfig next = shop.config("shared", "canal.instance.memory.buffer.size = 1024");
        try {
            shared.start();
            await().until(() -> shared.instance().isPresent());
            cluster.setDown("shop");
            time.pass(Duration.ofMinutes(1));

            assertThat(shared.restart(next, LIMIT, LIMIT)).isFalse();

            assertThat(shared.instance()).isEmpty();
            assertThat(shared.config()).isSameAs(next);
        } finally {
            shared.close(Duration.ZERO);
        }
    }

    @Test
    void oneThatIsSharedRunsWithItsNewConfigurationAfterAStart() throws Exception {
        DestinationRunner shared = shop.runner(shop.config("shared"), new MemoryCluster(new HandTime()));
        InstanceConfig next = shop.config("shared", "canal.instance.memory.buffer.size = 1024");
        try {
            shared.stop(LIMIT);

            assertThat(shared.start(next, LIMIT, shared.stops())).isTrue();

            await().until(() -> shared.instance().isPresent());
            assertThat(shared.config()).isSameAs(next);
        } finally {
            shared.close(Duration.ZERO);
        }
    }
}
