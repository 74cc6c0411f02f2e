package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.FailureKind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Tries whether a producer could connect to each node, and whether the exchange and the queues exist: by passive declarations, which declare
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

    /** Tries to connect to each node, and everything else over the first connection; without one, that alone. */
    void run(List<TopicNeed> topics) {
        Map<Address, Exception> failures = new LinkedHashMap<>();
        boolean isConnected = false;
        for (Address address : settings.addresses()) {
            try (Connection connection = settings.factory(address, socket -> {}).newConnection("sluice-check")) {
                findings.ok(subjectOf(CONNECTION, address), described(address));
                if (!isConnected) {
                    isConnected = true;
                    tryAll(connection, topics);
                }
            } catch (SendException e) {
                findings.failed(CONNECTION, String.valueOf(e.getMessage()), "check the files of rabbitmq.tls.*");
                return;
            } catch (IOException | TimeoutException | RuntimeException e) {
                failures.put(address, e);
            }
        }
        for (Map.Entry<Address, Exception> failure : failures.entrySet()) {
            judgeFailure(failure.getKey(), failure.getValue(), isConnected);
        }
    }

    /** One address needs no name. */
    private String subjectOf(String what, Address address) {
        return settings.addresses().size() == 1 ? what : what + " " + address.hostAndPort();
    }

    private static String described(Address address) {
        return "%s as %s, virtual host %s, %s"
                .formatted(
                        address.hostAndPort(),
                        address.username(),
                        address.virtualHost(),
                        address.tls() ? "over TLS" : "without TLS");
    }

    /** A node that is down is no failure while another one is up. */
    private void judgeFailure(Address address, Exception cause, boolean isConnected) {
        SendException failure = RabbitErrors.connecting(cause, address);
        String evidence = String.valueOf(failure.getMessage());
        if (failure.kind() != FailureKind.PASSING) {
            findings.failed(
                    subjectOf("login", address),
                    evidence,
                    "change the key that the message names, or the user's rights at the broker");
        } else if (isConnected) {
            findings.warning(
                    subjectOf(CONNECTION, address),
                    evidence,
                    remedy(
                            cause,
                            address,
                            "start the node; remove it from rabbitmq.host only if it has left the cluster for good"));
        } else {
            findings.failed(
                    subjectOf(CONNECTION, address),
                    evidence,
                    remedy(cause, address, "check rabbitmq.host, the network, and rabbitmq.tls.*"));
        }
    }

    /** A node that is up is not to be removed: without it its queues would count as missing. */
    private static String remedy(Exception cause, Address address, String otherwise) {
        return switch (BrokerAnswer.ofConnecting(cause, address).kind()) {
            case LIMIT -> "raise the limit, or wait until earlier connections are closed";
            case NOT_READY ->
                "wait until the node is ready, or start the virtual host there (rabbitmqctl restart_vhost)";
            case REJECTED ->
                "check rabbitmq.tls.*, the port of rabbitmq.host, and the TLS options of the node: it is up";
            case NONE -> "look at the log of the node, which does not answer; check rabbitmq.host and the network";
            default -> otherwise;
        };
    }

    private void tryAll(Connection connection, List<TopicNeed> topics) {
        tryTopology(connection);
        if (topology.exchange().isEmpty()) {
            topics.forEach(need -> tryQueueOf(connection, need.topic()));
        }
        findings.unknown("right to write", "the broker reports it only for a message, and none was sent", "");
    }

    private void tryTopology(Connection connection) {
        String queue = topology.queue();
        if (!queue.isEmpty()) {
            judgeDeclared("queue " + queue, BrokerAnswer.to(connection, channel -> channel.queueDeclarePassive(queue)));
        }
        String exchange = topology.exchange();
        if (!exchange.isEmpty()) {
            String subject = "exchange " + exchange;
            BrokerAnswer answer = BrokerAnswer.to(connection, channel -> channel.exchangeDeclarePassive(exchange));
            if (topology.declaresExchange()) {
                judgeDeclared(subject, answer);
            } else if (answer.isMissing()) {
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
    private void judgeDeclared(String subject, BrokerAnswer answer) {
        if (answer.isMissing()) {
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
        BrokerAnswer answer = BrokerAnswer.to(connection, channel -> channel.queueDeclarePassive(topic));
        boolean isDeclared = topic.equals(topology.queue());
        if (!answer.isMissing() || isDeclared) {
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

    private void judge(String subject, BrokerAnswer answer) {
        switch (answer.kind()) {
            case DONE -> findings.ok(subject, "it exists");
            case FORBIDDEN -> // to ask, which is no right that sending needs
                findings.unknown(
                        subject,
                        answer.text(),
                        "grant the user %s configure on it, then it can be asked for"
                                .formatted(settings.addresses().get(0).username()));
            case UNUSABLE ->
                findings.failed(
                        subject, answer.text(), "start the node of the queue; its messages are not confirmed before");
            default -> findings.unknown(subject, answer.text(), "");
        }
    }
}
