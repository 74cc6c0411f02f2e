package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.FailureKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Tries whether a producer could connect, and whether the exchange and the queues exist: by passive declarations, which declare
 * nothing. For one thread.
 */
final class RabbitProbe {
    private static final String CONNECTION = "connection";

    private final RabbitSettings settings;
    private final Topology topology;
    private final Findings findings;

    RabbitProbe(RabbitSettings settings, Findings findings) {
        this.settings = settings;
        this.topology = settings.topology();
        this.findings = findings;
    }

    /** A passive declaration. */
    private interface Question {
        void ask(Channel channel) throws IOException;
    }

    /** Tries everything; without a connection, that alone. */
    void run(List<TopicNeed> topics) {
        Address address = settings.address();
        try (Connection connection = settings.factory(socket -> {}).newConnection("sluice-check")) {
            findings.ok(
                    CONNECTION,
                    "%s as %s, virtual host %s, %s"
                            .formatted(
                                    address.hostAndPort(),
                                    address.username(),
                                    address.virtualHost(),
                                    settings.tls() == null ? "without TLS" : "over TLS"));
            tryTopology(connection);
            if (topology.exchange().isEmpty()) {
                topics.forEach(need -> tryQueueOf(connection, need.topic()));
            }
            findings.unknown("right to write", "the broker reports it only for a message, and none was sent", "");
        } catch (SendException e) {
            findings.failed(CONNECTION, String.valueOf(e.getMessage()), "check the files of rabbitmq.tls.*");
        } catch (IOException | TimeoutException | RuntimeException e) {
            SendException failure = RabbitErrors.connecting(e, address);
            boolean isPassing = failure.kind() == FailureKind.PASSING;
            findings.failed(
                    isPassing ? CONNECTION : "login",
                    String.valueOf(failure.getMessage()),
                    isPassing
                            ? "check rabbitmq.host, the network, and rabbitmq.tls.*"
                            : "change the key that the message names, or the user's rights at the broker");
        }
    }

    private void tryTopology(Connection connection) {
        String queue = topology.queue();
        if (!queue.isEmpty()) {
            judgeDeclared("queue " + queue, ask(connection, channel -> channel.queueDeclarePassive(queue)));
        }
        String exchange = topology.exchange();
        if (!exchange.isEmpty()) {
            String subject = "exchange " + exchange;
            Answer answer = ask(connection, channel -> channel.exchangeDeclarePassive(exchange));
            if (topology.declaresExchange()) {
                judgeDeclared(subject, answer);
            } else if (answer.code() == AMQP.NOT_FOUND) {
                findings.failed(
                        subject,
                        "it does not exist, and is not declared: " + answer.text(),
                        "create it, or set rabbitmq.queue, .deliveryMode and .routingKey, with which it is declared");
            } else {
                judge(subject, answer);
            }
        }
    }

    /** Something that the producer declares when it connects. */
    private void judgeDeclared(String subject, Answer answer) {
        if (answer.code() == AMQP.NOT_FOUND) {
            findings.warning(
                    subject,
                    "it does not exist; it is declared with the first message, if the user may configure it",
                    "create it, or let the user configure it");
        } else {
            judge(subject, answer);
        }
    }

    /** Without an exchange each topic is the name of a queue. */
    private void tryQueueOf(Connection connection, String topic) {
        String subject = "queue " + topic;
        Answer answer = ask(connection, channel -> channel.queueDeclarePassive(topic));
        boolean isDeclared = topic.equals(topology.queue());
        if (answer.code() != AMQP.NOT_FOUND || isDeclared) {
            if (!isDeclared) {
                judge(subject, answer);
            }
        } else if (settings.mandatory()) {
            findings.failed(
                    subject,
                    "it does not exist, so messages for the topic are rejected",
                    "create it, or set rabbitmq.exchange");
        } else {
            findings.failed(
                    subject,
                    "it does not exist, so messages for the topic are dropped (rabbitmq.mandatory=false)",
                    "create it, or set rabbitmq.exchange");
        }
    }

    private void judge(String subject, Answer answer) {
        switch (answer.code()) {
            case AMQP.REPLY_SUCCESS -> findings.ok(subject, "it exists");
            case AMQP.ACCESS_REFUSED ->
                findings.failed(
                        subject,
                        answer.text(),
                        "let the user " + settings.address().username() + " use it");
            default -> findings.unknown(subject, answer.text(), "");
        }
    }

    /**
     * What the broker answered.
     *
     * @param code its reply code
     * @param text its words, if it is not a success
     */
    private record Answer(int code, String text) {}

    /** On a channel of its own, since the broker closes it when it rejects. */
    private static Answer ask(Connection connection, Question question) {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return new Answer(0, "the broker allows no more channels");
            }
            question.ask(channel);
            channel.abort();
            return new Answer(AMQP.REPLY_SUCCESS, "");
        } catch (IOException | RuntimeException e) {
            return new Answer(RabbitErrors.codeOf(e), RabbitErrors.textOf(e));
        }
    }
}
