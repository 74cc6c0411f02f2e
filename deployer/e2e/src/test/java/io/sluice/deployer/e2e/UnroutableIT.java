package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.rabbitmq.RabbitMqBroker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of one table go to a topic that no queue of RabbitMQ takes, under each policy. */
@Tag("thorough")
@Timeout(900)
class UnroutableIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = 127;
    private static final String KEY = "canal.mq.onTopicUnavailable";

    private static RabbitMqBroker broker;
    private static MySqlServer mysql;

    @BeforeAll
    static void startServers() {
        broker = RabbitMqBroker.start();
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
    }

    @AfterAll
    static void stopServers() {
        if (mysql != null) {
            mysql.close();
        }
        if (broker != null) {
            broker.close();
        }
    }

    /** Not even if messages that are refused for themselves are. */
    @Test
    void nothingIsDiscardedUntilThereIsAQueue() throws Exception {
        try (Pipeline pipeline = pipeline("unroutable_retry", Map.of("canal.mq.onReject", "skip"))) {
            PackagedServer server = pipeline.server();
            server.start();
            change(pipeline, "unroutable_retry");

            await().atMost(PATIENCE)
                    .until(() -> server.logLinesWith("broker takes no messages for a topic, retrying until") > 1
                            && server.logLinesWith("with routing key 'unroutable_retry_lost'") > 1);
            broker.createTopic("unroutable_retry_lost", 1);

            await().atMost(PATIENCE).until(() -> broker.delivered("unroutable_retry_lost") >= 3);
            requireTheRest(pipeline, "unroutable_retry");
        }
    }

    @Test
    void theInstanceStopsAndContinuesWhenThereIsAQueue() throws Exception {
        try (Pipeline pipeline = pipeline("unroutable_stop", Map.of(KEY, "stop"))) {
            PackagedServer server = pipeline.server();
            server.start();
            change(pipeline, "unroutable_stop");

            await().atMost(PATIENCE)
                    .until(() -> server.logLinesWith("with routing key 'unroutable_stop_lost'") > 0
                            && server.logLinesWith("remove the cause, or let canal.mq.onTopicUnavailable") > 0);
            server.stop();
            broker.createTopic("unroutable_stop_lost", 1);
            server.start();

            await().atMost(PATIENCE).until(() -> broker.delivered("unroutable_stop_lost") >= 3);
            requireTheRest(pipeline, "unroutable_stop");
        }
    }

    @Test
    void theMessagesAreSkipped() throws Exception {
        try (Pipeline pipeline = pipeline("unroutable_skip", Map.of(KEY, "skip"))) {
            pipeline.server().start();
            change(pipeline, "unroutable_skip");

            requireTheRest(pipeline, "unroutable_skip");
        }
    }

    @Test
    void theMessagesBecomeDeadLetters() throws Exception {
        broker.createTopic("unroutable_dead_dead", 1);
        try (Pipeline pipeline = pipeline("unroutable_dead", Map.of(KEY, "deadLetter"))) {
            pipeline.server().start();
            change(pipeline, "unroutable_dead");

            requireTheRest(pipeline, "unroutable_dead");
            List<BrokerRecord> letters = new ArrayList<>();
            broker.read("unroutable_dead_dead", letters::add, () -> !letters.isEmpty(), PATIENCE);
            assertThat(letters.get(0).headers().values())
                    .anyMatch(text -> text.contains("with routing key 'unroutable_dead_lost'"));
        }
    }

    private static Pipeline pipeline(String name, Map<String, String> policy) {
        Map<String, String> settings = new HashMap<>(policy);
        settings.put("canal.mq.dynamicTopic", name + "_lost:" + name + "_lost\\\\..*");
        return new Pipeline(mysql, broker, Pipeline.Mode.FLAT, name, settings);
    }

    private static void change(Pipeline pipeline, String name) throws Exception {
        pipeline.change(SEED, name + "_before", 200).join();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name + "_lost");
            statement.execute("create table " + name + "_lost.t (id int primary key)");
            statement.execute("insert into " + name + "_lost.t values (1)");
            statement.execute("insert into " + name + "_lost.t values (2)");
        }
        pipeline.change(SEED + 1, name + "_after", 200).join();
    }

    private static void requireTheRest(Pipeline pipeline, String name) throws Exception {
        pipeline.requireDelivered(Duplicates.ALLOWED, name + "_before", name + "_after");
    }
}
