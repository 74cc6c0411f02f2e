package io.sluice.server.destination;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.control.ControlRefusedException;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.ha.MemoryCluster;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.pull.PullClients;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A destination of a server without others, whose source cannot be reached. */
@Timeout(300)
class DestinationRunnerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private SharedPools pools;
    private DestinationRunner runner;

    /** What is done before an instance is made. */
    private Runnable beforeMaking = () -> {};

    private FailureListener onFailure = (name, cause) -> {};

    /** Sends what instances read; null if clients pull. */
    private MessageProducer producer;

    private MqConfig mq;

    @BeforeEach
    void make() throws Exception {
        Configuration configuration = configuration("cursors");
        mq = configuration.server().mq();
        pools = new SharedPools(configuration, Time.SYSTEM);
        runner = runner(configuration.instances().get(0));
    }

    @AfterEach
    void close() {
        runner.close(Duration.ZERO);
        pools.close();
    }

    private Configuration configuration(String cursors) throws Exception {
        return configuration(cursors, "canal.instance.restart = backoff");
    }

    private Configuration configuration(String cursors, String line) throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                %s
                """.formatted(line));
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.file.data.dir = %s
                """.formatted(home.resolve(cursors)));
        return ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
    }

    /** As each process makes it. */
    private DestinationRunner runner(InstanceConfig config) {
        return runner(config, null);
    }

    private DestinationRunner runner(InstanceConfig config, Candidacies cluster) {
        DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);
        PaceHome pace = new PaceHome(state.pace(), Runnable::run);
        pace.begin(config);
        state.cursors().begin(config.cursor());
        return new DestinationRunner(
                new InstanceSlot(config, (made, term) -> instance(made, term, state, pace)),
                state.pace(),
                pace,
                state.cursors(),
                cluster,
                (name, cause) -> onFailure.failed(name, cause),
                new SplittableRandom(1));
    }

    private Instance instance(InstanceConfig config, OwnershipTerm term, DestinationState state, PaceHome pace) {
        beforeMaking.run();
        pace.keep(config, term);
        if (producer != null) {
            return new InstanceWiring(pools).sending(config, mq, term, state, producer, (name, cause) -> {});
        }
        return new InstanceWiring(pools).pulled(config, 1, term, state, (name, cause) -> {});
    }

    private void startInVain() {
        beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(runner::start).hasMessage("no broker");
        beforeMaking = () -> {};
    }

    @Test
    void oneThatCouldNotBeMadeIsStartedAfterSomethingWasDoneWithItsCursor() {
        startInVain();

        assertThat(runner.whileStopped(() -> {}, LIMIT, LIMIT)).isNull();

        assertThat(runner.slot().instance()).isPresent();
        assertThat(runner.slot().hasFailed()).isFalse();
    }

    @Test
    void oneThatIsStoppedStaysSoAfterSomethingWasDoneWithItsCursor() {
        startInVain();
        runner.stop(LIMIT);

        assertThat(runner.whileStopped(() -> {}, LIMIT, LIMIT)).isNull();

        assertThat(runner.slot().instance()).isEmpty();
    }

    @Test
    void oneThatFailsAtOnceAfterAReloadIsTriedAgain() throws Exception {
        runner.start();
        beforeMaking = () -> runner.failed(1_000_000);

        assertThat(runner.reload(configuration("cursors").instances().get(0), LIMIT))
                .isNull();

        assertThat(runner.retryAt()).isNotNull();
    }

    @Test
    void aReloadEndsTheWaitForTheNextTry() throws Exception {
        runner.start();
        runner.failed(1_000_000);

        assertThat(runner.reload(configuration("cursors").instances().get(0), LIMIT))
                .isNull();

        assertThat(runner.retryAt()).isNull();
    }

    @Test
    void aFailureDuringTheWaitForTheNextTryAddsNone() {
        startInVain();

        assertThat(runner.failed(1_000_000)).isNotNull();
        assertThat(runner.failed(1_000_001)).isNull();
    }

    /** A lazy instance is tried at each packet of a client, and by its timer. */
    @Test
    void oneThatCannotBeMadeHasOneTimerHoweverOftenClientsAskForIt() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
        try {
            AtomicInteger tries = tryInVain(timer);

            runner.awaken();
            runner.awaken();
            runner.awaken();

            assertThat(timer.getQueue()).hasSize(1);
            assertThat(tries).hasValue(3);
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void theTimersOfFormerFailuresEndAfterAStartByAnOperator() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
        try {
            AtomicInteger tries = tryInVain(timer);
            for (int start = 0; start < 3; start++) {
                assertThatThrownBy(runner::start).hasMessage("no broker");
            }

            List.copyOf(timer.getQueue()).forEach(Runnable::run);

            assertThat(tries).as("by three starts and one timer").hasValue(4);
        } finally {
            timer.shutdownNow();
        }
    }

    /** Those that ran have kept the server up so far. */
    @Test
    void theServerEndsIfAllThatAreLeftHaveFailedForGood() throws Exception {
        InstanceConfig config = configuration("others", "canal.instance.restart = never")
                .instances()
                .get(0);
        DestinationRunner lost = runner(config);
        DestinationRegistry registry = new DestinationRegistry();
        AtomicInteger ends = new AtomicInteger();
        DelayedStarts starts = new DelayedStarts(
                registry,
                new DestinationStates(0, pools.timer(), Runnable::run, Time.SYSTEM),
                false,
                new PooledTimer(pools.timer(), Runnable::run, failure -> {}),
                Time.SYSTEM,
                ends::incrementAndGet);
        starts.instancesRemoved();
        assertThat(ends).as("a server may have none").hasValue(0);

        registry.add(lost);
        registry.add(runner);
        beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(lost::start).hasMessage("no broker");
        starts.instancesRemoved();
        assertThat(ends).as("another one has not failed").hasValue(0);

        registry.remove(runner);
        beforeMaking = starts::instancesRemoved;
        assertThat(lost.restart(LIMIT)).isTrue();
        assertThat(ends).as("it is being started").hasValue(0);
        beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(() -> lost.restart(LIMIT)).hasMessage("no broker");
        starts.instancesRemoved();
        assertThat(ends).hasValue(1);
    }

    /** Has each try fail, and be followed by the next one after a rest. */
    private AtomicInteger tryInVain(ScheduledThreadPoolExecutor timer) {
        DestinationRegistry registry = new DestinationRegistry();
        registry.add(runner);
        DelayedStarts starts = new DelayedStarts(
                registry,
                new DestinationStates(0, pools.timer(), Runnable::run, Time.SYSTEM),
                false,
                new PooledTimer(timer, Runnable::run, failure -> {}),
                Time.SYSTEM,
                () -> {});
        onFailure = starts::instanceNotMade;
        AtomicInteger tries = new AtomicInteger();
        beforeMaking = () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("no broker");
        };
        return tries;
    }

    /** Without a thread, the candidacy cannot begin. */
    @Test
    void oneThatIsAddedDuringAShortageOfThreadsBecomesACandidateLater() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        DestinationRunner added = runner(configuration("shared").instances().get(0), (destination, service) -> {
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
                    new DestinationStates(0, pools.timer(), Runnable::run, Time.SYSTEM),
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

    /** Such as the limit of a restart, which an instance needs whose broker does not answer. */
    @Test
    void oneThatIsBeingChangedTakesNoneOfTheTimeOfOthersWhenAllAreClosed() throws Exception {
        DestinationRunner other = runner(configuration("others").instances().get(0));
        other.start();
        runner.start();
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change =
                    threads.submit(() -> runner.whileStopped(() -> waitFor(isChanged, isChanging), LIMIT, LIMIT));
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
    void howLongItMayTakeToCloseIsAskedWhenTheChangeThatIsUnderWayIsOver() throws Exception {
        runner.start();
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        AtomicLong changesBefore = new AtomicLong(-1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change =
                    threads.submit(() -> runner.whileStopped(() -> waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();

            Thread closing = new Thread(() -> runner.close(() -> {
                changesBefore.set(1 - isChanged.getCount());
                return LIMIT;
            }));
            closing.start();
            await().until(() -> closing.getState() == Thread.State.WAITING);
            isChanged.countDown();
            change.get();
            closing.join();

            assertThat(changesBefore).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Starts it with a cursor that cannot be written; returns what is in the way of the file. */
    private Path startOnAFullDisk() throws IOException {
        runner.start();
        Path inTheWay = home.resolve("cursors/shop/meta.dat.tmp/in its place");
        Files.createDirectories(inTheWay);
        assertThatThrownBy(() -> runner.instance()
                        .orElseThrow()
                        .pullClients()
                        .orElseThrow()
                        .subscribe(1001, ""))
                .hasMessageContaining("cannot be written");
        return inTheWay;
    }

    @Test
    void oneThatCannotWriteItsCursorsIsNamedWhenAllAreClosed() throws Exception {
        Path inTheWay = startOnAFullDisk();
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
    void aStopThatCannotWriteTheCursorsSaysSoOnceAndStopsAllTheSame() throws Exception {
        Path inTheWay = startOnAFullDisk();

        assertThatThrownBy(() -> runner.stop(LIMIT))
                .isInstanceOf(ControlRefusedException.class)
                .hasMessageContaining("shop was stopped, but did not end in good order")
                .hasMessageContaining("meta.dat cannot be written");

        assertThat(runner.isStopped()).isTrue();
        assertThat(runner.instance()).isEmpty();
        assertThat(runner.stop(LIMIT)).isFalse();
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
    }

    /** Nothing of it runs, so that there is no reason to restart the server; that its cursor was not written, the stop has told. */
    @Test
    void oneThatWasStoppedOnAFullDiskIsRemovedInGoodOrderWhateverItsFileHasSince() throws Exception {
        runner.start();
        Path file = home.resolve("cursors/shop/meta.dat");
        PullClients clients = runner.instance().orElseThrow().pullClients().orElseThrow();
        clients.subscribe(1001, "");
        await().until(() -> Files.exists(file));
        Path inTheWay = home.resolve("cursors/shop/meta.dat.tmp/in its place");
        Files.createDirectories(inTheWay);
        assertThatThrownBy(() -> clients.subscribe(1001, "other[.]orders")).hasMessageContaining("cannot be written");
        assertThatThrownBy(() -> runner.stop(LIMIT)).hasMessageContaining("meta.dat cannot be written");
        Files.writeString(file, "as an operator is about to edit it");

        runner.close(LIMIT);

        assertThat(file).hasContent("as an operator is about to edit it");
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
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

    private static void waitFor(CountDownLatch end, CountDownLatch begun) {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aRestartStartsNothingIfTheServerEndsMeanwhile() {
        runner.start();

        assertThat(runner.slot().restart(LIMIT, () -> false)).isFalse();

        assertThat(runner.instance()).isEmpty();
    }

    /** As when a server looks at a failure that an operator has dealt with. */
    @Test
    void oneThatIsStartedAgainIsNotStoppedForTheFailureBefore() throws Exception {
        runner.start();
        runner.instance().orElseThrow().failDelivery(new IllegalStateException("the port is taken"));
        CountDownLatch isMaking = new CountDownLatch(1);
        CountDownLatch mayMake = new CountDownLatch(1);
        beforeMaking = () -> waitFor(mayMake, isMaking);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Boolean> restart = threads.submit(() -> runner.restart(LIMIT));
            isMaking.await();
            FutureTask<Optional<Boolean>> stop = new FutureTask<>(runner.slot()::stopIfFailed);
            Thread stopping = new Thread(stop);
            stopping.start();
            await().until(() -> stopping.getState() == Thread.State.WAITING);
            mayMake.countDown();

            assertThat(restart.get()).isTrue();
            assertThat(stop.get()).isEmpty();
            assertThat(runner.instance()).isPresent();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Its dump would have the same id of a replica as that of the next owner. */
    @Test
    void oneThatIsNotOwnedAnyMoreIsNotMadeAgain() throws Exception {
        HandTime time = new HandTime();
        MemoryCluster cluster = new MemoryCluster(time);
        DestinationRunner shared = runner(configuration("shared").instances().get(0), cluster);
        try {
            shared.start();
            shared.enterCandidacy();
            await().until(() -> shared.instance().isPresent());
            AtomicInteger made = new AtomicInteger();
            beforeMaking = made::incrementAndGet;
            Ownership ownership = shared.slot().term().ownership();
            cluster.setDown("shop");
            time.pass(Duration.ofMinutes(1));

            assertThat(shared.restart(LIMIT)).isFalse();

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
        DestinationRunner shared = runner(configuration("shared").instances().get(0), cluster);
        InstanceConfig next = configuration("shared", "canal.instance.memory.buffer.size = 1024")
                .instances()
                .get(0);
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
        DestinationRunner shared =
                runner(configuration("shared").instances().get(0), new MemoryCluster(new HandTime()));
        InstanceConfig next = configuration("shared", "canal.instance.memory.buffer.size = 1024")
                .instances()
                .get(0);
        try {
            shared.stop(LIMIT);

            assertThat(shared.start(next, LIMIT, shared.stops())).isTrue();

            await().until(() -> shared.instance().isPresent());
            assertThat(shared.config()).isSameAs(next);
        } finally {
            shared.close(Duration.ZERO);
        }
    }

    @Test
    void aCommandThatMayNotWaitForAnotherChangeIsRefusedAndNotCarriedOutLater() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        InstanceConfig next = configuration("cursors", "canal.instance.memory.buffer.size = 1024")
                .instances()
                .get(0);
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change =
                    threads.submit(() -> runner.whileStopped(() -> waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();

            for (ThrowingCallable command : List.<ThrowingCallable>of(
                    () -> runner.start(next, Duration.ZERO, 0),
                    () -> runner.restart(next, LIMIT, Duration.ZERO),
                    () -> runner.release(LIMIT, Duration.ZERO),
                    () -> runner.whileStopped(() -> {}, LIMIT, Duration.ZERO))) {
                assertThatThrownBy(command)
                        .isInstanceOf(ControlRefusedException.class)
                        .hasMessageContaining("shop is being started, stopped or restarted");
            }
            isChanged.countDown();
            change.get();
        } finally {
            threads.shutdownNow();
        }

        assertThat(runner.instance()).isPresent();
        assertThat(runner.config()).isSameAs(before);
    }

    /** As of a caller that has given the start up, and stops it. */
    @Test
    void aStartIsNotCarriedOutAfterAStopThatCameLater() {
        long stops = runner.stops();
        runner.stop(LIMIT);

        assertThatThrownBy(() -> runner.start(runner.config(), LIMIT, stops))
                .isInstanceOf(ControlRefusedException.class)
                .hasMessageContaining("shop was stopped since this command was given");
        assertThat(runner.instance()).isEmpty();

        assertThat(runner.start(runner.config(), LIMIT, runner.stops())).isTrue();
        assertThat(runner.instance()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStartThatComesWhileItIsBeingStoppedIsCarriedOutAfterThat(boolean isShared) throws Exception {
        CountDownLatch isStopping = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        producer = new UnbufferedProducer() {
            @Override
            public void send(Message message, DeliveryCallback callback) {
                callback.delivered();
            }

            @Override
            public void close(Duration longest) {
                waitFor(mayEnd, isStopping);
            }
        };
        DestinationRunner stopped =
                runner(configuration("shared").instances().get(0), isShared ? new MemoryCluster(new HandTime()) : null);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            stopped.start();
            await().until(() -> stopped.instance().isPresent());
            assertThat(stopped.runsUnchanged()).isTrue();
            Future<Boolean> stop = threads.submit(() -> stopped.stop(LIMIT));
            isStopping.await();
            long stops = stopped.stops();

            assertThat(stopped.runsUnchanged()).isFalse();
            assertThatThrownBy(() -> stopped.start(stopped.config(), Duration.ZERO, stops))
                    .isInstanceOf(ControlRefusedException.class)
                    .hasMessageContaining("is being started, stopped or restarted");

            Future<Boolean> start = threads.submit(() -> stopped.start(stopped.config(), LIMIT, stops));
            mayEnd.countDown();
            assertThat(start.get()).isTrue();
            Throwable unused = catchThrowable(stop::get); // its producer may have taken too long
            await().until(() -> stopped.instance().isPresent());
            assertThat(stopped.isStopped()).isFalse();
        } finally {
            mayEnd.countDown();
            threads.shutdownNow();
            stopped.close(Duration.ZERO);
        }
    }

    /** The stop waits for another change, and its caller was told nothing yet. */
    @Test
    void aStartThatCameBeforeAStopThatWaitsIsNotCarriedOut() throws Exception {
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change =
                    threads.submit(() -> runner.whileStopped(() -> waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();
            long before = runner.stops();
            Future<Boolean> stop = threads.submit(() -> runner.stop(LIMIT));
            await().until(() -> runner.stops() > before);
            Future<Boolean> start = threads.submit(() -> runner.start(runner.config(), LIMIT, before));
            isChanged.countDown();

            assertThatThrownBy(start::get)
                    .hasCauseInstanceOf(ControlRefusedException.class)
                    .hasMessageContaining("shop was stopped since this command was given");
            change.get();
            assertThat(stop.get()).isTrue();
            assertThat(runner.instance()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void oneThatIsEndedForGoodRejectsAStart() {
        runner.close(Duration.ZERO);

        assertThatThrownBy(() -> runner.start(runner.config(), LIMIT, runner.stops()))
                .isInstanceOf(ControlRefusedException.class)
                .hasMessage("shop is not started, since it was removed, or the server is stopping");
    }

    @Test
    void oneThatWasStoppedIsNotRestartedWithItsNewConfiguration() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        runner.stop(LIMIT);

        assertThat(runner.restart(configuration("others").instances().get(0), LIMIT, LIMIT))
                .isFalse();

        assertThat(runner.instance()).isEmpty();
        assertThat(runner.config()).isSameAs(before);
    }

    /** The state of the delivery that another process would take over. */
    private PaceStatus nextProcess(InstanceConfig config) {
        Pace pace = new Pace("shop", pools.timer(), Time.SYSTEM, entries -> {});
        new PaceHome(pace, Runnable::run).begin(config);
        return pace.status();
    }

    @Test
    void aPauseFollowsTheCursorsThatAreMovedWhileItIsStopped() throws Exception {
        InstanceConfig before = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        runner.stop(LIMIT);
        InstanceConfig next = configuration("elsewhere").instances().get(0);

        assertThat(runner.reload(next, LIMIT)).isNull();

        assertThat(nextProcess(next).reason()).isEqualTo("maintenance");
        assertThat(nextProcess(before).paused())
                .as("with the former configuration")
                .isFalse();
        runner.pace().change(Pace::resume);
        assertThat(nextProcess(next).paused()).as("resumed").isFalse();
    }

    @Test
    void aPauseThatWasLeftInADirectoryEndsWhenTheCursorsAreMovedThere() throws Exception {
        InstanceConfig before = runner.slot().config();
        InstanceConfig next = configuration("elsewhere").instances().get(0);
        Pace left = new Pace("shop", pools.timer(), Time.SYSTEM, entries -> {});
        new PaceHome(left, Runnable::run).begin(next);
        left.pause("long ago");
        runner.stop(LIMIT);

        assertThat(runner.reload(next, LIMIT)).isNull();

        assertThat(nextProcess(next).paused()).isFalse();
        assertThat(nextProcess(before).paused()).isFalse();
    }

    @Test
    void aPauseFollowsTheCursorsThatAreMovedByARestart() throws Exception {
        InstanceConfig before = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        InstanceConfig next = configuration("elsewhere").instances().get(0);

        assertThat(runner.reload(next, LIMIT)).isNull();

        assertThat(runner.pace().status().paused()).isTrue();
        assertThat(nextProcess(next).paused()).isTrue();
        assertThat(nextProcess(before).paused()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "canal.instance.filter.transaction.entry = true, true",
        "canal.instance.filter.transaction.entry = true, false",
        "canal.instance.position.gtid = off, true"
    })
    void aPointThatAReloadMakesImpossibleToFindIsAPauseAtOnce(String line, boolean isGtid) throws Exception {
        PauseTarget target = isGtid
                ? new PauseTarget.Transactions(GtidSet.parse("24bc7850-2c16-11e6-a073-0242ac110002:1-7"))
                : new PauseTarget.Position(new BinlogPosition("mysql-bin.000007", 1042));
        runner.start();
        runner.pace().change(pace -> pace.pauseAt(target));
        InstanceConfig next = configuration("cursors", line).instances().get(0);

        assertThat(runner.reload(next, LIMIT)).isNull();

        assertThat(runner.pace().status().reason())
                .startsWith(target.text() + " cannot be found: ")
                .contains(line.substring(0, line.indexOf(' ')));
        assertThat(nextProcess(next).paused()).isTrue();
    }

    @Test
    void aPointThatCanBeFoundAfterAReloadStays() throws Exception {
        PauseTarget target = new PauseTarget.Position(new BinlogPosition("mysql-bin.000007", 1042));
        runner.start();
        runner.pace().change(pace -> pace.pauseAt(target));

        InstanceConfig next = configuration("cursors", "canal.instance.position.gtid = off")
                .instances()
                .get(0);
        assertThat(runner.reload(next, LIMIT)).isNull();

        assertThat(runner.pace().status().paused()).isFalse();
        assertThat(runner.pace().status().pauseTarget()).isEqualTo(target.text());
    }

    /** As when the folder of the instance is restored from a copy without it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseWhoseFileIsGoneIsKeptAgain(boolean isPausedAgain) throws Exception {
        InstanceConfig config = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        Files.delete(config.cursor().directory().resolve("pace"));

        if (isPausedAgain) {
            runner.pace().change(pace -> pace.pause("maintenance"));
        } else {
            assertThat(runner.restart(LIMIT)).isTrue();
        }

        assertThat(nextProcess(config).reason()).isEqualTo("maintenance");
    }

    /** It has what an operator had set, which is in force again once the text or its rights are corrected. */
    @Test
    void aFileOfAPauseThatCannotBeReadStaysUntilAnOperatorSetsSomething() throws Exception {
        InstanceConfig config = configuration("corrupt").instances().get(0);
        Path file = config.cursor().directory().resolve("pace");
        Files.createDirectories(file.getParent());
        String text = "limit.rows=many\nlimit.bytes=0\n";
        Files.writeString(file, text);
        DestinationRunner other = runner(config);
        try {
            other.start();

            assertThat(other.pace().status().reason()).contains("cannot be read");
            assertThat(file).hasContent(text);
            other.pace().change(Pace::resume);
            assertThat(nextProcess(config).paused()).isFalse();
        } finally {
            other.close(Duration.ZERO);
        }
    }

    /** As when the instance was paused on another server, and its folder is copied back, or is restored from a copy. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseInAFileThatWasReplacedStays(boolean isAddedAgain) throws Exception {
        InstanceConfig config = runner.slot().config();
        DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);
        PaceHome kept = new PaceHome(state.pace(), Runnable::run);
        kept.begin(config);
        Pace elsewhere = new Pace("shop", pools.timer(), Time.SYSTEM, entries -> {});
        new PaceHome(elsewhere, Runnable::run).begin(config);
        elsewhere.pause("on another server");

        if (isAddedAgain) {
            kept.begin(config);
        } else {
            kept.keep(config, OwnershipTerm.sole());
        }

        assertThat(nextProcess(config).reason()).isEqualTo("on another server");
        state.pace().limit(new RateLimits(7, 0));
        assertThat(nextProcess(config)).isEqualTo(state.pace().status());
    }

    @Test
    void oneThatCannotBeStartedAfterSomethingWasDoneWithItsCursorSaysWhy() {
        runner.start();

        assertThat(runner.whileStopped(
                        () -> beforeMaking = () -> {
                            throw new IllegalStateException("no broker");
                        },
                        LIMIT,
                        LIMIT))
                .isEqualTo("no broker");

        assertThat(runner.isObstructed()).isTrue();
    }

    @Test
    void oneThatCannotBeStartedAfterWhatWasRefusedForItsCursorSaysBoth() {
        runner.start();
        beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };

        assertThatThrownBy(() -> runner.whileStopped(
                        () -> {
                            throw new ControlRefusedException("the cursor is locked");
                        },
                        LIMIT,
                        LIMIT))
                .isInstanceOf(ControlRefusedException.class)
                .hasMessage("the cursor is locked; nor could the instance be started again: no broker");

        assertThat(runner.isObstructed()).isTrue();
    }

    @Test
    void aRegistryThatIsClosedRejectsDestinationsAndKeepsThoseThatAreThere() throws Exception {
        DestinationRegistry registry = new DestinationRegistry();
        assertThat(registry.add(runner)).isTrue();

        assertThat(registry.close()).containsExactly(runner);

        assertThat(registry.add(runner(configuration("others").instances().get(0))))
                .isFalse();
        assertThat(registry.runners()).containsExactly(runner);
    }
}
