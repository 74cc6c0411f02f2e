package io.sluice.server;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.InstanceProblems;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.destination.DestinationStates;
import io.sluice.server.destination.RunnerFactory;
import io.sluice.server.destination.ThroughputMeters;
import io.sluice.server.ha.MemoryCluster;
import io.sluice.server.health.HealthWatch;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The only server of a cluster, on which an instance cannot be made. Its clock does not advance, so that no rest ends by itself. */
@Timeout(60)
class ServerStatusTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private final HandTime time = new HandTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final DestinationStates states = new DestinationStates(0, timer, Runnable::run, Time.SYSTEM);
    private final DestinationRegistry registry = new DestinationRegistry();
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final HealthWatch watch = HealthWatch.start(registry::instances, LIMIT, timer, time);
    private final ServerStatus status = new ServerStatus(
            registry,
            states,
            new ThroughputMeters(registry, states, time),
            watch,
            new ConfigurationProblems(),
            Optional::empty,
            LIMIT,
            time);
    private final AtomicInteger attempts = new AtomicInteger();
    private DestinationRunner runner;
    private InstanceConfig config;

    @BeforeEach
    void make() throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, "canal.instance.master.address = 127.0.0.1:9\n");
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                """);
        config = ConfigLoader.load(
                        server,
                        Files.createDirectories(home.resolve("bin")),
                        Environment.ofThisProcess(),
                        ProducerCheck.NONE)
                .instances()
                .get(0);
        runner = runnerIn(cluster, config);
        registry.add(runner);
    }

    private DestinationRunner runnerIn(MemoryCluster candidates, InstanceConfig instance) {
        return new RunnerFactory(
                        states,
                        (config, term) -> {
                            attempts.incrementAndGet();
                            throw new IllegalStateException("no broker");
                        },
                        candidates,
                        (name, cause) -> states.of(name).errors().addOfStart(cause))
                .make(instance);
    }

    @AfterEach
    void close() {
        runner.close(Duration.ZERO);
        watch.close();
        timer.shutdownNow();
    }

    private void enterAndFail() {
        runner.enterCandidacy();
        await().until(() -> attempts.get() == 1 && runner.absence().isPresent());
        await().until(() -> runner.retryAt() != null);
    }

    @Test
    void anInstanceThatRunsOnNoServerSinceItsStartFailsHasFailed() {
        enterAndFail();

        assertThat(status.health()).containsExactly(new InstanceHealth("shop", InstanceState.FAILED, null, null));
        InstanceSnapshot shown = status.snapshot(runner);
        assertThat(shown.errors()).extracting(ErrorLog.Item::message).containsExactly("no broker");
        assertThat(shown.retryAt()).isAfter(Instant.ofEpochMilli(time.millis()));
        InstanceProblems standing = InstanceProblems.of(shown);
        assertThat(standing.calm()).isNull();
        assertThat(standing.problems()).singleElement().asString().contains("kind=FAILED", "wait for the next attempt");
    }

    /** Else a defect of one instance would silence the alarms of all. */
    @Test
    void anInstanceWhoseStateCannotBeReadDoesNotHideTheOthers() throws Exception {
        TimeThatFails failing = new TimeThatFails(time);
        MemoryCluster other = new MemoryCluster(failing);
        other.setDown("shop");
        DestinationRunner defective = runnerIn(other, config);
        registry.add(defective);
        registry.remove(runner);
        registry.add(runner);
        defective.enterCandidacy();
        await().until(() -> !states.of("shop").errors().newest().isEmpty());
        enterAndFail();

        failing.failsFor = Thread.currentThread();
        List<InstanceProblems> standings = status.standings();
        failing.failsFor = null;

        defective.close(Duration.ZERO);
        assertThat(standings).hasSize(3);
        assertThat(standings.get(1)).isEqualTo(InstanceProblems.unknown("shop"));
        assertThat(standings.get(2)).isEqualTo(InstanceProblems.of(status.snapshot(runner)));
        assertThat(standings.get(2).problems()).isNotEmpty();
    }

    /** The clock of an instance with a defect. */
    private static final class TimeThatFails implements Time {
        private final Time time;
        private volatile @Nullable Thread failsFor;

        TimeThatFails(Time time) {
            this.time = time;
        }

        private void check() {
            if (Thread.currentThread().equals(failsFor)) {
                throw new StackOverflowError();
            }
        }

        @Override
        public long nanos() {
            check();
            return time.nanos();
        }

        @Override
        public long millis() {
            check();
            return time.millis();
        }

        @Override
        public void sleep(Duration length) throws InterruptedException {
            time.sleep(length);
        }
    }

    @Test
    void anOperatorHasItTriedAtOnce() {
        enterAndFail();

        assertThat(runner.start()).isTrue();

        await().until(() -> attempts.get() == 2);
    }

    @Test
    void anInstanceThatAnOperatorHasStoppedIsNotMissed() {
        enterAndFail();

        runner.stop(Duration.ZERO);

        assertThat(status.health()).isEmpty();
    }

    @Test
    void anInstanceThatNoServerRunsForLongSinceZooKeeperDoesNotAnswerHasFailed() {
        cluster.setDown("shop");
        runner.enterCandidacy();
        await().until(() -> !states.of("shop").errors().newest().isEmpty());
        assertThat(states.of("shop").errors().newest())
                .extracting(ErrorLog.Item::kind)
                .containsExactly("zookeeper");
        assertThat(status.health()).isEmpty();

        time.pass(LIMIT);

        assertThat(status.health()).containsExactly(new InstanceHealth("shop", InstanceState.FAILED, null, null));
    }
}
