package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.broker.Broker;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What must hold with every broker; each has a class that names it. What its connector's own tests do to it, too, is thorough here, but for
 * Kafka.
 *
 * <p>{@code -Dsluice.outage=30} keeps the broker stopped for so many seconds, where it else comes back as soon as an attempt
 * has failed. {@code -Dsluice.kills=3} kills the server so often; where {@link CrashIT} kills it more often, once is enough here.
 * {@code -Dsluice.seed} chooses other changes.
 */
@Timeout(1200)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrokerScenarios {
    private static final long SEED = Long.getLong("sluice.seed", 113);
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("sluice.outage", 0));
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String FAILURE = "delivery failed";
    private static final int CHANGES = 6_000;
    private static final int CUTS = 3;
    private static final int KILLS = Integer.getInteger("sluice.kills", 1);
    private static final int CHANGES_PER_ROUND = 1_500;
    private static final int MAX_BYTES = 120_000;

    private final Broker broker;
    private final MySqlServer mysql;

    /** Takes a broker that runs; it is closed at the end. */
    BrokerScenarios(Broker broker) {
        this.broker = broker;
        this.mysql = MySqlServer.start();
    }

    /** What carries them. */
    final Broker broker() {
        return broker;
    }

    /** Whose changes are carried. */
    final MySqlServer mysql() {
        return mysql;
    }

    @BeforeAll
    final void allow() {
        Pipeline.allow(mysql);
    }

    @AfterAll
    final void stopServers() {
        broker.close();
        mysql.close();
    }

    @ParameterizedTest
    @EnumSource
    final void everyChangeArrivesOnceAndInOrder(Pipeline.Mode mode) throws Exception {
        String name = name("all_" + mode.name().toLowerCase(Locale.ROOT));
        try (Pipeline pipeline = new Pipeline(mysql, broker, mode, name, Map.of())) {
            pipeline.server().start();
            CompletableFuture<RandomWorkload.Counts> changes = pipeline.change(SEED, name, CHANGES);

            StateModel model = pipeline.requireDelivered(Duplicates.FORBIDDEN, name);

            assertThat(model.distinctChanges()).isGreaterThan(changes.join().total());
            pipeline.server().stop();
        }
    }

    @Tag("thorough")
    @Test
    void losesNothingWhileTheBrokerIsRestarted() throws Exception {
        survive("restarted", Pipeline.Mode.FLAT, broker::stop, broker::restart);
    }

    /** It takes what was on its way to it when it wakes up, perhaps after what was sent again. */
    @Tag("thorough")
    @Test
    final void losesNothingWhileTheBrokerIsPaused() throws Exception {
        survive("paused", Pipeline.Mode.RAW, broker::pause, broker::resume);
    }

    /** Its own limits are longer, so that the sender gives up what it was given: what the broker has of that comes first. */
    @Tag("thorough")
    @Test
    void losesNothingWhileTheBrokerIsPausedForLongerThanTheTimeout() throws Exception {
        String name = name("silent");
        Map<String, String> settings =
                Map.of("canal.mq.answer.timeout", "1500", "canal.mq.retry.pause.longest", "1000");
        try (Pipeline pipeline = new Pipeline(mysql, broker, Pipeline.Mode.FLAT, name, settings)) {
            PackagedServer server = pipeline.server();
            server.start();
            pipeline.change(SEED, name + "_before", 500).join();
            await(server, () -> pipeline.delivered() > 0);
            CompletableFuture<?> changes = pipeline.change(SEED + 1, name + "_during", CHANGES);
            broker.pause();
            try {
                changes.join();
                await(server, () -> server.logLinesWith("the broker did not answer in time") > 0);
                await(server, () -> server.logLinesWith(FAILURE) > 0);
            } finally {
                broker.resume();
            }
            pipeline.change(SEED + 2, name + "_after", 500).join();

            pipeline.requireDelivered(Duplicates.ALLOWED, name + "_before", name + "_during", name + "_after");

            assertThat(server.isRunning()).isTrue();
        }
    }

    private void survive(String fault, Pipeline.Mode mode, Runnable strike, Runnable heal) throws Exception {
        String name = name(fault);
        Map<String, String> settings = new HashMap<>(broker.shortTimeouts());
        settings.put("canal.health.stall.timeout", "1000");
        settings.put("canal.mq.retry.pause.longest", "1000"); // else it waits for as long as the broker was away
        try (Pipeline pipeline = new Pipeline(mysql, broker, mode, name, settings)) {
            PackagedServer server = pipeline.server();
            server.start();
            pipeline.change(SEED, name + "_before", 500).join();
            await(server, () -> pipeline.delivered() > 0);
            CompletableFuture<?> changes = pipeline.change(SEED + 1, name + "_during", CHANGES);
            strike.run();
            long struck = System.nanoTime();
            try {
                changes.join();
                pipeline.change(SEED + 3, name + "_away", 100).join(); // while it stops it may have taken all others
                await(server, () -> server.logLinesWith(FAILURE) > 0);
                await(server, () -> server.health().contains("\"stage\":\"broker\""));
                await(server, () -> System.nanoTime() - struck > OUTAGE.toNanos());
            } finally {
                heal.run();
            }
            pipeline.change(SEED + 2, name + "_after", 500).join();

            pipeline.requireDelivered(
                    Duplicates.ALLOWED, name + "_before", name + "_during", name + "_away", name + "_after");
            await(server, () -> server.health().startsWith("{\"status\":\"up\""));

            assertThat(server.isRunning()).isTrue();
        }
    }

    @Tag("thorough")
    @Test
    void losesNothingWhileConnectionsAreCutAtRandom() throws Exception {
        String name = name("cut");
        Random random = new Random(SEED);
        List<String> schemas = new ArrayList<>();
        try (Pipeline pipeline = new Pipeline(mysql, broker, Pipeline.Mode.FLAT, name, broker.shortTimeouts())) {
            pipeline.server().start();
            for (int round = 0; round < CUTS; round++) {
                int before = broker.gate().cuts();
                broker.gate().cutAfter(1 + random.nextInt(MAX_BYTES));
                CompletableFuture<?> changes = change(pipeline, schemas, name, round);
                await(pipeline.server(), () -> broker.gate().cuts() > before);
                changes.join();
            }

            pipeline.requireDelivered(Duplicates.ALLOWED, schemas.toArray(String[]::new));

            assertThat(pipeline.server().isRunning()).isTrue();
        }
    }

    @Test
    final void losesNothingWhileTheServerIsKilled() throws Exception {
        String name = name("killed");
        Random random = new Random(SEED);
        List<String> schemas = new ArrayList<>();
        try (Pipeline pipeline = new Pipeline(mysql, broker, Pipeline.Mode.RAW, name, Map.of())) {
            for (int round = 0; round < KILLS; round++) {
                long before = pipeline.delivered();
                pipeline.server().start();
                CompletableFuture<?> changes = change(pipeline, schemas, name, round);
                long more = 1L + random.nextInt(6);
                await(pipeline.server(), () -> pipeline.delivered() >= before + more);
                pipeline.server().kill();
                changes.join();
            }
            pipeline.server().start();

            pipeline.requireDelivered(Duplicates.ALLOWED, schemas.toArray(String[]::new));
        }
    }

    private static CompletableFuture<?> change(Pipeline pipeline, List<String> schemas, String name, int round) {
        String schema = name + "_" + round;
        schemas.add(schema);
        return pipeline.change(SEED + round, schema, CHANGES_PER_ROUND);
    }

    private static void await(PackagedServer server, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(PATIENCE.plus(OUTAGE))
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("it does not come about\n" + server.logs(), e);
        }
    }

    /** The broker's name in front, since several classes may use one MySQL's names. */
    private String name(String scenario) {
        return broker.name() + "_" + scenario;
    }
}
