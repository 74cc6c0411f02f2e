package io.sluice.server.destination;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.log.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of all destinations when the server ends. */
@Timeout(300)
class ClosingRunnersTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private UnreachableShop shop;
    private DestinationRunner runner;

    @BeforeEach
    void make() throws Exception {
        shop = new UnreachableShop(home);
        runner = shop.runner(shop.config("cursors"));
    }

    @AfterEach
    void close() {
        runner.close(Duration.ZERO);
        shop.close();
    }

    /** Such as the limit of a restart, which an instance needs whose broker does not answer. */
    @Test
    void oneThatIsBeingChangedTakesNoneOfTheTimeOfOthersWhenAllAreClosed() throws Exception {
        DestinationRunner other = shop.runner(shop.config("others"));
        other.start();
        runner.start();
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change = threads.submit(
                    () -> runner.whileStopped(() -> UnreachableShop.waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();

            Future<?> closing = threads.submit(new ClosingRunners(List.of(runner, other), LIMIT, Time.SYSTEM)::run);
            await().until(() -> other.instance().isEmpty());
            assertThat(closing.isDone()).isFalse();
            isChanged.countDown();
            change.get();
            closing.get();

            assertThat(runner.instance()).as("started after the change").isEmpty();
        } finally {
            threads.shutdownNow();
            other.close(Duration.ZERO);
        }
    }

    @Test
    void oneThatCannotWriteItsCursorsIsNamedWhenAllAreClosed() throws Exception {
        Path inTheWay = shop.startOnAFullDisk(runner);
        List<ILoggingEvent> lines;
        try (LogLines log = LogLines.of("io.sluice")) {
            assertThat(new ClosingRunners(List.of(runner), LIMIT, Time.SYSTEM).run())
                    .singleElement()
                    .asString()
                    .startsWith("shop did not end in good order: cursor file ")
                    .contains("meta.dat cannot be written");
            lines = log.events();
        }
        assertThat(lines)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN)
                        && !line.getLoggerName().startsWith("io.sluice.stream")) // which cannot reach the source
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getLevel()).isEqualTo(Level.WARN);
                    assertThat(line.getThrowableProxy()).isNull();
                });

        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertThat(new ClosingRunners(List.of(runner), LIMIT, Time.SYSTEM).run())
                .isEmpty();
    }

    @Test
    void aDefectOfAnEndIsNamedBesideCursorsThatCannotBeWritten() throws Exception {
        runner.start();
        Path file = home.resolve("cursors/shop/meta.dat");
        runner.instance().orElseThrow().pullClients().orElseThrow().subscribe(1001, "");
        await().until(() -> Files.exists(file));
        Files.move(home.resolve("cursors"), home.resolve("away"));
        Files.createSymbolicLink(home.resolve("cursors"), home.resolve("nowhere"));
        runner.stop(LIMIT);
        AtomicInteger asked = new AtomicInteger();
        Time defective = new Time() {
            @Override
            public long nanos() {
                if (asked.incrementAndGet() > 2) { // after the begin of the end
                    throw new IllegalStateException("a defect");
                }
                return 0;
            }

            @Override
            public long millis() {
                return 0;
            }

            @Override
            public void sleep(Duration length) {}
        };

        assertThat(new ClosingRunners(List.of(runner), LIMIT, defective).run())
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("shop did not end in good order: a defect"),
                        second -> assertThat(second).contains("cursors/shop"));
    }
}
