package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.rabbitmq.RabbitMqBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends to a broker that answers several messages at once, as one does that has much to answer. */
@Timeout(600)
class MergedConfirmsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static RabbitMqBroker broker;

    private FrameProxy proxy;
    private MessageProducer producer;

    @BeforeAll
    static void startBroker() {
        broker = RabbitMqBroker.start();
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @BeforeEach
    void start() {
        int port = broker.server().port();
        proxy = new FrameProxy(() -> port, Map.of());
        Map<String, String> settings = new HashMap<>(broker.settings());
        settings.put("rabbitmq.host", "127.0.0.1:" + proxy.port());
        settings.put("rabbitmq.channels", "1");
        producer = new RabbitConnector().configure(settings).create(new ProducerContext("merged", Ownership.SOLE));
    }

    @AfterEach
    void stop() {
        producer.close(TIMEOUT);
        proxy.close();
    }

    @Test
    void oneAnswerConfirmsEachMessageButOneThatWasReturnedBefore() throws Exception {
        broker.createTopic("range", 1);
        assertThat(Answers.send(producer, "range", 0, 0).await()).containsExactly("delivered");
        proxy.merge();
        Answers answers = Answers.send(producer, "range", 1, 1);
        answers.send(producer, "range.nowhere", "2");
        answers.send(producer, "range", "3");
        awaitAnswered(4);

        proxy.answerAtOnce(FrameProxy.ACK);

        assertThat(answers.await()).hasSize(3).startsWith("delivered").endsWith("delivered");
        assertThat(answers.await().get(1)).isIn("TOPIC_UNAVAILABLE", "PASSING"); // with RabbitMQ 4 it is sent once more
        assertThat(answers.causes()).contains("312 NO_ROUTE", "range.nowhere");
        assertThat(texts("range", 3)).containsExactly("0", "1", "3");
    }

    @Test
    void oneRejectionOfSeveralMessagesConfirmsNone() throws Exception {
        broker.createTopic("nacked", 1);
        assertThat(Answers.send(producer, "nacked", 0, 0).await()).containsExactly("delivered");
        proxy.merge();
        Answers answers = Answers.send(producer, "nacked", 1, 3);
        awaitAnswered(4);

        proxy.answerAtOnce(FrameProxy.NACK);

        assertThat(answers.await()).containsExactly("PASSING", "PASSING", "PASSING");
        assertThat(answers.causes()).contains("nack");
        assertThat(answers.again(producer).await()).containsOnly("delivered");
    }

    /** Its queue is bound between them. */
    @Test
    void oneOfTwoMessagesWithTheSameContentIsReturned() throws Exception {
        broker.createTopic("connected", 1);
        assertThat(Answers.send(producer, "connected", 0, 0).await()).containsExactly("delivered");
        proxy.merge();
        Answers answers = Answers.send(producer, "twin", 1, 1);
        Awaitility.await().atMost(TIMEOUT).until(() -> proxy.returned() == 1);
        broker.createTopic("twin", 1);
        answers.send(producer, "twin", "1");
        awaitAnswered(3);

        proxy.answerAtOnce(FrameProxy.ACK);

        assertThat(answers.await()).hasSize(2).endsWith("delivered");
        assertThat(answers.await().get(0)).isNotEqualTo("delivered");
        assertThat(answers.causes()).contains("312 NO_ROUTE");
        assertThat(texts("twin", 1)).containsExactly("1");
    }

    private void awaitAnswered(long tag) {
        Awaitility.await().atMost(TIMEOUT).until(() -> proxy.answered() == tag);
    }

    private static List<String> texts(String topic, int count) {
        List<String> texts = new ArrayList<>();
        broker.read(
                topic,
                message -> texts.add(new String(message.value(), StandardCharsets.UTF_8)),
                () -> texts.size() >= count,
                TIMEOUT);
        return texts;
    }
}
