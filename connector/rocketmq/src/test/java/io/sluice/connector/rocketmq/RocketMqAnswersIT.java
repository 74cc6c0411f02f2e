package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rocketmq.Numbers.Outcome;
import io.sluice.testkit.rocketmq.RocketMqCluster;
import io.sluice.testkit.rocketmq.RocketMqOptions;
import io.sluice.testkit.rocketmq.RocketMqReader;
import io.sluice.testkit.rocketmq.RocketMqServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real broker answers that is set up otherwise. */
@Timeout(600)
class RocketMqAnswersIT {
    /** That RocketMQ's client asks for. */
    private static final int QUEUES_OF_NEW_TOPICS = 4;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource({"brokerRole, SYNC_MASTER, FLUSH_SLAVE_TIMEOUT", "flushDiskType, SYNC_FLUSH, FLUSH_DISK_TIMEOUT"})
    void whatIsNotStoredSafelyIsNotDelivered(String setting, String value, String answer) throws InterruptedException {
        try (RocketMqServer broker = RocketMqServer.start(RocketMqOptions.defaults()
                .with("syncFlushTimeout", "-1000")
                .with("slaveTimeout", "300")
                .with("inSyncReplicas", "2")
                .with(setting, value))) {
            broker.createTopic("orders", 1);
            List<Message> messages =
                    List.of(new Message("orders", 0, Numbers.bytes("0")), new Message("orders", 0, Numbers.bytes("1")));
            try (MessageProducer producer = producer(broker)) {
                List<Outcome> outcomes = Numbers.send(producer, messages);
                while (outcomes.get(1).equals(Outcome.DELIVERED)) { // the broker's disk may be faster than its timeout
                    outcomes = Numbers.send(producer, messages);
                }

                assertThat(outcomes)
                        .filteredOn(outcome -> !outcome.equals(Outcome.DELIVERED))
                        .isNotEmpty()
                        .allSatisfy(outcome -> {
                            assertThat(outcome.kind()).isEqualTo(FailureKind.PASSING);
                            assertThat(outcome.cause()).hasMessageContaining(answer);
                        });
            }
            try (MessageProducer lenient = producer(broker, "rocketmq.accept.status", answer);
                    RocketMqReader reader = broker.reader()) {
                assertThat(Numbers.send(lenient, messages)).containsOnly(Outcome.DELIVERED);
                assertThat(Numbers.byQueue(reader.readToEnd("orders", TIMEOUT)).get(0))
                        .endsWith(0, 1);
            }
        }
    }

    @Test
    void aBrokerWithAuthenticationAcceptsOnlyTheRightKeys() throws InterruptedException {
        try (RocketMqServer broker = RocketMqServer.start(
                RocketMqOptions.defaults().withAcl("admin", "12345678").with("autoCreateTopicEnable", "true"))) {
            List<Message> messages = List.of(new Message("orders", 0, Numbers.bytes("0")));
            try (MessageProducer right =
                    producer(broker, "canal.aliyun.accessKey", "admin", "canal.aliyun.secretKey", "12345678")) {
                assertThat(right.partitionsOf("orders")).as("before it is made").hasValue(QUEUES_OF_NEW_TOPICS);
                new Numbers(right, "orders", 3).sendAll(0, 300); // makes the topic
            }
            try (MessageProducer right =
                    producer(broker, "canal.aliyun.accessKey", "admin", "canal.aliyun.secretKey", "12345678")) {
                assertThat(right.partitionsOf("orders")).as("as it was made").hasValue(QUEUES_OF_NEW_TOPICS);
            }
            try (RocketMqReader reader = broker.reader()) {
                Numbers.requireInOrder(reader.readToEnd("orders", TIMEOUT), 300, 3);
            }
            for (String user : List.of("", "admin", "nobody")) {
                try (MessageProducer wrong = user.isEmpty()
                        ? producer(broker)
                        : producer(broker, "canal.aliyun.accessKey", user, "canal.aliyun.secretKey", "hush hush")) {
                    Outcome outcome = Numbers.send(wrong, messages).get(0);

                    assertThat(outcome.kind()).as(outcome.cause().toString()).isEqualTo(FailureKind.BROKEN);
                    assertThat(outcome.cause())
                            .isInstanceOfSatisfying(
                                    NotAdmittedException.class,
                                    refused -> assertThat(refused.mayPass()).isTrue())
                            .hasMessageStartingWith("authentication failed,"
                                    + " check canal.aliyun.accessKey and canal.aliyun.secretKey")
                            .hasMessageNotContaining("hush");
                }
            }
        }
    }

    /** Such as a user that the broker does not have yet, or cannot look up now. */
    @Test
    void aLoginThatIsRejectedAtTheStartMayPass() throws InterruptedException {
        List<Message> messages = List.of(new Message("logins", 0, Numbers.bytes("0")));
        try (RocketMqServer broker =
                        RocketMqServer.start(RocketMqOptions.defaults().withAcl("admin", "12345678"));
                MessageProducer late =
                        producer(broker, "canal.aliyun.accessKey", "late", "canal.aliyun.secretKey", "87654321")) {
            broker.createTopic("logins", 1);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(Numbers.send(late, messages).get(0).cause())
                        .isInstanceOfSatisfying(
                                NotAdmittedException.class,
                                refused -> assertThat(refused.mayPass()).isTrue());
                late.restart();
            }

            broker.createUser("late", "87654321");

            assertThat(Numbers.send(late, messages)).containsOnly(Outcome.DELIVERED);
        }
    }

    /** The name of the topic is a part of one answer, and the user's of the other. */
    @Test
    void aTopicThatTheUserMayNotWriteToIsToldFromAUserThatIsDisabled() throws InterruptedException {
        List<Message> messages = List.of(new Message("shop_user_credential", 0, Numbers.bytes("0")));
        try (RocketMqServer broker =
                        RocketMqServer.start(RocketMqOptions.defaults().withAcl("admin", "12345678"));
                MessageProducer producer =
                        producer(broker, "canal.aliyun.accessKey", "app", "canal.aliyun.secretKey", "87654321")) {
            broker.createTopic("shop_user_credential", 1);
            broker.createUserWithoutRights("app", "87654321");

            Outcome withoutRight = Numbers.send(producer, messages).get(0);

            assertThat(withoutRight.kind())
                    .as(withoutRight.cause().toString())
                    .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            producer.restart();
            broker.disableUser("app");

            Outcome disabled = Numbers.send(producer, messages).get(0);

            assertThat(disabled.kind()).as(disabled.cause().toString()).isEqualTo(FailureKind.BROKEN);
            assertThat(disabled.cause())
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("User:app is disabled");
        }
    }

    @Tag("thorough")
    @Test
    void severalBrokersWithAuthenticationAreAskedAndSentToWithTheKeys() throws InterruptedException {
        try (RocketMqCluster cluster =
                RocketMqCluster.start(RocketMqOptions.defaults().withAcl("admin", "12345678"), 2)) {
            cluster.createTopic("orders", 2);
            try (MessageProducer right = producer(
                    cluster.broker(1), "canal.aliyun.accessKey", "admin", "canal.aliyun.secretKey", "12345678")) {
                new Numbers(right, "orders", 4).sendAll(0, 400);
            }
            try (RocketMqReader reader = cluster.reader()) {
                List<MessageExt> messages = reader.readToEnd("orders", TIMEOUT);
                Numbers.requireFirstCopiesInOrder(messages, 400, 4);
                assertThat(Numbers.byPlace(messages)).hasSize(4);
            }
            for (int partition : List.of(0, 2)) {
                try (MessageProducer wrong = producer(
                        cluster.broker(1), "canal.aliyun.accessKey", "admin", "canal.aliyun.secretKey", "wrong")) {
                    assertThat(Numbers.send(wrong, List.of(new Message("orders", partition, Numbers.bytes("0"))))
                                    .get(0)
                                    .kind())
                            .isEqualTo(FailureKind.BROKEN);
                }
            }
        }
    }

    private static MessageProducer producer(RocketMqServer broker, String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        properties.put("rocketmq.namesrv.addr", broker.nameServer());
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new RocketMqConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE));
    }
}
