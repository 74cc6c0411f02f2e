package io.sluice.server.destination;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.ha.MemoryCluster;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pull.PullClients;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A destination of a server without others, whose source cannot be reached. */
@Timeout(300)
class DestinationRunnerTest {
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

    @Test
    void aFailureDuringTheWaitForTheNextTryAddsNone() {
        shop.startInVain(runner);

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
        InstanceConfig config = shop.config("others", "canal.instance.restart = never");
        DestinationRunner lost = shop.runner(config);
        DestinationRegistry registry = new DestinationRegistry();
        AtomicInteger ends = new AtomicInteger();
        DelayedStarts starts = new DelayedStarts(
                registry,
                new DestinationStates(0, shop.pools().timer(), Runnable::run, Time.SYSTEM),
                false,
                new PooledTimer(shop.pools().timer(), Runnable::run, failure -> {}),
                Time.SYSTEM,
                ends::incrementAndGet);
        starts.instancesRemoved();
        assertThat(ends).as("a server may have none").hasValue(0);

        registry.add(lost);
        registry.add(runner);
        shop.beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(lost::start).hasMessage("no broker");
        starts.instancesRemoved();
        assertThat(ends).as("another one has not failed").hasValue(0);

        registry.remove(runner);
        shop.beforeMaking = starts::instancesRemoved;
        assertThat(lost.restart(lost.config(), LIMIT, LIMIT)).isTrue();
        assertThat(ends).as("it is being started").hasValue(0);
        shop.beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(() -> lost.restart(lost.config(), LIMIT, LIMIT)).hasMessage("no broker");
        starts.instancesRemoved();
        assertThat(ends).hasValue(1);
    }

    /** Has each try fail, and be followed by the next one after a rest. */
    private AtomicInteger tryInVain(ScheduledThreadPoolExecutor timer) {
        DestinationRegistry registry = new DestinationRegistry();
        registry.add(runner);
        DelayedStarts starts = new DelayedStarts(
                registry,
                new DestinationStates(0, shop.pools().timer(), Runnable::run, Time.SYSTEM),
                false,
                new PooledTimer(timer, Runnable::run, failure -> {}),
                Time.SYSTEM,
                () -> {});
        shop.onFailure = starts::instanceNotMade;
        AtomicInteger tries = new AtomicInteger();
        shop.beforeMaking = () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("no broker");
        };
        return tries;
    }

    @Test
    void howLongItMayTakeToCloseIsAskedWhenTheChangeThatIsUnderWayIsOver() throws Exception {
        runner.start();
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        AtomicLong changesBefore = new AtomicLong(-1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change = threads.submit(
                    () -> runner.whileStopped(() -> UnreachableShop.waitFor(isChanged, isChanging), LIMIT, LIMIT));
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

    @Test
    void aStopThatCannotWriteTheCursorsSaysSoOnceAndStopsAllTheSame() throws Exception {
        Path inTheWay = shop.startOnAFullDisk(runner);

        assertThatThrownBy(() -> runner.stop(LIMIT))
                .isInstanceOf(CommandRejectedException.class)
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
        shop.beforeMaking = () -> UnreachableShop.waitFor(mayMake, isMaking);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Boolean> restart = threads.submit(() -> runner.restart(runner.config(), LIMIT, LIMIT));
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

    @Test
    void aCommandThatMayNotWaitForAnotherChangeIsRefusedAndNotCarriedOutLater() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        InstanceConfig next = shop.config("cursors", "canal.instance.memory.buffer.size = 1024");
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change = threads.submit(
                    () -> runner.whileStopped(() -> UnreachableShop.waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();

            for (ThrowingCallable command : List.<ThrowingCallable>of(
                    () -> runner.start(next, Duration.ZERO, 0),
                    () -> runner.restart(next, LIMIT, Duration.ZERO),
                    () -> runner.release(LIMIT, Duration.ZERO),
                    () -> runner.whileStopped(() -> {}, LIMIT, Duration.ZERO))) {
                assertThatThrownBy(command)
                        .isInstanceOf(CommandRejectedException.class)
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
                .isInstanceOf(CommandRejectedException.class)
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
        shop.producer = new UnbufferedProducer() {
            @Override
            public void send(Message message, DeliveryCallback callback) {
                callback.delivered();
            }

            @Override
            public void close(Duration longest) {
                UnreachableShop.waitFor(mayEnd, isStopping);
            }
        };
        DestinationRunner stopped =
                shop.runner(shop.config("shared"), isShared ? new MemoryCluster(new HandTime()) : null);
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
                    .isInstanceOf(CommandRejectedException.class)
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

    /** What the former one has sent may still arrive, so the next owner of the destination must wait for that. */
    @Test
    void theDoubtOfAnInstanceLastsUntilTheEndOfItsTermThoughItsSuccessorEndsWithoutAny() throws Exception {
        AtomicBoolean isClosable = new AtomicBoolean();
        shop.producer = new UnbufferedProducer() {
            @Override
            public void send(Message message, DeliveryCallback callback) {
                callback.delivered();
            }

            @Override
            public void close(Duration longest) {
                if (!isClosable.get()) {
                    throw new IllegalStateException("a connection cannot be closed");
                }
            }
        };
        InstanceSlot slot = shop.runner(shop.config("shared")).slot();
        slot.start(OwnershipTerm.sole());
        boolean isRestarted = slot.restart(LIMIT, () -> {
            isClosable.set(true); // for the next one
            return true;
        });
        assertThat(isRestarted).isTrue();

        assertThat(slot.abandon()).isFalse();

        slot.start(OwnershipTerm.sole());
        assertThat(slot.abandon()).as("in the next term").isTrue();
    }

    /** The stop waits for another change, and its caller was told nothing yet. */
    @Test
    void aStartThatCameBeforeAStopThatWaitsIsNotCarriedOut() throws Exception {
        CountDownLatch isChanging = new CountDownLatch(1);
        CountDownLatch isChanged = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> change = threads.submit(
                    () -> runner.whileStopped(() -> UnreachableShop.waitFor(isChanged, isChanging), LIMIT, LIMIT));
            isChanging.await();
            long before = runner.stops();
            Future<Boolean> stop = threads.submit(() -> runner.stop(LIMIT));
            await().until(() -> runner.stops() > before);
            Future<Boolean> start = threads.submit(() -> runner.start(runner.config(), LIMIT, before));
            isChanged.countDown();

            assertThatThrownBy(start::get)
                    .hasCauseInstanceOf(CommandRejectedException.class)
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
                .isInstanceOf(CommandRejectedException.class)
                .hasMessage("shop is not started, since it was removed, or the server is stopping");
    }

    @Test
    void aRegistryThatIsClosedRejectsDestinationsAndKeepsThoseThatAreThere() throws Exception {
        DestinationRegistry registry = new DestinationRegistry();
        assertThat(registry.add(runner)).isTrue();

        assertThat(registry.close()).containsExactly(runner);

        assertThat(registry.add(shop.runner(shop.config("others")))).isFalse();
        assertThat(registry.runners()).containsExactly(runner);
    }
}
