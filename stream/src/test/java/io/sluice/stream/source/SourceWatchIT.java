package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.StartPosition;
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

    private void start() {
        SourceHost host = Sources.host(server, new StartPosition.Newest());
        watch = new SourceWatch(
                "shop",
                new ProbeOptions("select 1", Duration.ofMillis(20), 3, true),
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
        lookers.execute(check);
    }

    /** Has read nothing yet. */
    private static final class Idle implements SourceWatch.Watched {
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
            return false;
        }
    }
}
