package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks of a real source by a process that cannot start threads for a while, for which the JVM does not end. */
@Timeout(120)
class SourceWatchIT {
    private static MySqlServer server;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService lookers = Executors.newCachedThreadPool();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicInteger switches = new AtomicInteger();
    private final HandTime time = new HandTime();
    private volatile boolean isShort;
    private SourceWatch watch;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void stop() {
        watch.close();
        timer.shutdownNow();
        lookers.shutdownNow();
    }

    @Test
    void whatIsKnownAgesUntilChecksCanBeStartedAgain() {
        start();
        await().until(() -> watch.extent() != null);
        isShort = true;
        await().until(() -> refused.get() > 0);
        assertThat(watch.extent()).isNotNull();

        time.pass(Duration.ofMinutes(10));
        assertThat(watch.extent()).isNull();

        isShort = false;
        await().until(() -> watch.extent() != null);
    }

    @Test
    void theFirstCheckIsMadeWhenAThreadCanBeStarted() {
        isShort = true;
        start();
        assertThat(refused).hasValue(1);
        isShort = false;

        await().until(() -> watch.extent() != null);
    }

    /** Its binlog was switched off, while what was read of it before is delivered. */
    @Test
    void aHostWithoutABinlogAnswersAllTheSame() {
        try (MySqlServer without = MySqlServer.start(MySqlOptions.defaults().with("disable-log-bin", "1"))) {
            start(without, 0);

            await().until(() -> checks.get() >= 3);

            assertThat(switches).hasValue(0);
            assertThat(watch.extent()).isNull();
            watch.close();
        }
    }

    private void start() {
        start(server, 3);
    }

    private void start(MySqlServer of, int threshold) {
        SourceHost host = Sources.host(of, new StartPosition.Newest());
        watch = new SourceWatch(
                "shop",
                new ProbeOptions("select 1", Duration.ofMillis(20), threshold, true),
                () -> host,
                new Idle(),
                new WatchPools(timer, this::execute),
                time);
        watch.start();
    }

    private void execute(Runnable check) {
        if (isShort) {
            refused.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        }
        lookers.execute(() -> {
            check.run();
            checks.incrementAndGet();
        });
    }

    /** Has read nothing yet. */
    private final class Idle implements SourceWatch.Watched {
        @Override
        public Lag lag(BinlogExtent binlog) {
            return Lag.UNKNOWN;
        }

        @Override
        public BinlogPosition readTo() {
            return null;
        }

        @Override
        public String identity() {
            return null;
        }

        @Override
        public void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {}

        @Override
        public boolean switchHost(SourceHost from, String why) {
            switches.incrementAndGet();
            return false;
        }
    }
}
