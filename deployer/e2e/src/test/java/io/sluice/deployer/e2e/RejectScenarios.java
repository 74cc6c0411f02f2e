package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.broker.Broker;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/**
 * A row among others that the broker never takes; each broker has a class that names it.
 *
 * <p>{@code -Dsluice.seed} chooses other changes.
 */
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RejectScenarios {
    private static final long SEED = Long.getLong("sluice.seed", 127);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CHANGES = 1_500;

    private final Broker broker;
    private final int tooLargeBytes;
    private final MySqlServer mysql;

    /**
     * Takes a broker that runs; it is closed at the end.
     *
     * @param tooLargeBytes what it does not take
     */
    RejectScenarios(Broker broker, int tooLargeBytes) {
        this.broker = broker;
        this.tooLargeBytes = tooLargeBytes;
        this.mysql = MySqlServer.start();
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

    @Test
    final void stopsWithTheReasonAndContinuesWhenTheMessageIsSkipped() throws Exception {
        String name = broker.name() + "_skipped";
        try (Pipeline pipeline = new Pipeline(mysql, broker, Pipeline.Mode.FLAT, name, Map.of())) {
            PackagedServer server = pipeline.server();
            server.start();
            change(pipeline, name);
            await(server, () -> !server.isRunning());
            assertThat(server.wholeLogs())
                    .contains("broker rejected a message of instance " + name)
                    .contains("TOO_LARGE of " + name + "_large.big at ")
                    .contains("canal.mq.onReject");

            server.configure("canal.mq.onReject", "skip");
            long before = pipeline.delivered();
            server.start();
            killWhenItHasSentMore(pipeline, before);
            server.start();

            pipeline.requireDelivered(Duplicates.ALLOWED, name + "_before", name + "_after");

            assertThat(server.logLinesWith("for good, SKIPPED: instance=" + name))
                    .isPositive();
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Tag("thorough")
    @Test
    final void sendsItAsADeadLetter() throws Exception {
        String name = broker.name() + "_dead";
        String dead = name + "_dead";
        broker.createTopic(dead, 1);
        try (Pipeline pipeline =
                new Pipeline(mysql, broker, Pipeline.Mode.RAW, name, Map.of("canal.mq.onReject", "deadLetter"))) {
            PackagedServer server = pipeline.server();
            change(pipeline, name);
            server.start();
            killWhenItHasSentMore(pipeline, 0);
            server.start();

            pipeline.requireDelivered(Duplicates.ALLOWED, name + "_before", name + "_after");

            List<BrokerRecord> letters = new ArrayList<>();
            broker.read(dead, letters::add, () -> !letters.isEmpty(), PATIENCE);
            assertThat(letters).allSatisfy(letter -> {
                assertThat(letter.value()).asString(StandardCharsets.UTF_8).endsWith(" are left out");
                assertThat(letter.headers())
                        .containsEntry("sluice-dead-table", name + "_large.big")
                        .containsEntry("sluice-dead-topic", name)
                        .containsEntry("sluice-dead-kind", "TOO_LARGE")
                        .containsEntry("sluice-dead-value", "left out")
                        .containsKey("sluice-dead-position")
                        .containsKey("sluice-dead-reason");
                assertThat(Integer.parseInt(letter.headers().get("sluice-dead-bytes")))
                        .isGreaterThanOrEqualTo(tooLargeBytes);
            });
            assertThat(server.isRunning()).isTrue();
        }
    }

    /** Changes, then the row, then more changes. */
    private void change(Pipeline pipeline, String name) throws SQLException {
        pipeline.change(SEED, name + "_before", CHANGES).join();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + name + "_large");
            statement.execute("create table " + name + "_large.big (id int primary key, note longtext)");
            statement.execute("insert into " + name + "_large.big values (1, repeat('x', " + tooLargeBytes + "))");
        }
        CompletableFuture<?> after = pipeline.change(SEED + 1, name + "_after", CHANGES);
        after.join();
    }

    private static void killWhenItHasSentMore(Pipeline pipeline, long before) {
        long more = 1L + new Random(SEED).nextInt(6);
        await(pipeline.server(), () -> pipeline.delivered() >= before + more);
        pipeline.server().kill();
    }

    private static void await(PackagedServer server, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(PATIENCE)
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("it does not come about\n" + server.logs(), e);
        }
    }
}
