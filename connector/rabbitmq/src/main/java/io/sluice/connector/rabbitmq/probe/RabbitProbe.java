package io.sluice.connector.rabbitmq.probe;

import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.settings.Topology;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Tries whether a producer could connect to each node, and whether the exchange and the queues exist: by passive declarations, which declare
 * nothing. For one thread.
 */
public final class RabbitProbe {
    private static final String CONNECTION = "connection";
    private static final int CLOSE_MILLIS = 1_000;

    private final RabbitSettings settings;
    private final Topology topology;
    private final Findings findings;

    /** In the order of the list. */
    private final Map<Address, Connection> connections = new LinkedHashMap<>();

    private final Map<Address, Exception> failures = new LinkedHashMap<>();

    public RabbitProbe(RabbitSettings settings, Findings findings) {
        this.settings = settings;
        this.topology = settings.topology();
        this.findings = findings;
    }

    /** Tries to connect to each node, and everything else at the first one that lets us in; without one, that alone. What is missing there is asked for at the others. */
    public void run(List<TopicNeed> topics) {
        try {
            for (Address address : settings.addresses()) {
                connect(address);
            }
            connections.entrySet().stream()
                    .findFirst()
                    .ifPresent(first -> tryAll(first.getKey(), first.getValue(), topics));
            failures.forEach(this::judgeFailure);
        } catch (SendException e) {
            findings.failed(CONNECTION, String.valueOf(e.getMessage()), "check the files of rabbitmq.tls.*");
        } finally {
            connections.values().forEach(connection -> connection.abort(CLOSE_MILLIS));
        }
    }

    private void connect(Address address) throws SendException {
        if (connections.containsKey(address) || failures.containsKey(address)) {
            return; // it is in the list twice
        }
        try {
            connections.put(address, settings.factory(address, socket -> {}).newConnection("sluice-check"));
            findings.ok(subjectOf(CONNECTION, address), described(address));
        } catch (IOException | TimeoutException | RuntimeException e) {
            failures.put(address, e);
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
    private void judgeFailure(Address address, Exception cause) {
        SendException failure = RabbitErrors.connecting(cause, address);
        String evidence = String.valueOf(failure.getMessage());
        if (failure.kind() != FailureKind.PASSING) {
            findings.failed(
                    subjectOf("login", address),
                    evidence,
                    "change the key that the message names, or the user's rights at the broker");
        } else if (!connections.isEmpty()) {
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

    private void tryAll(Address first, Connection connection, List<TopicNeed> topics) {
        tryTopology(first, connection);
        if (topology.exchange().isEmpty()) {
            topics.forEach(need -> tryQueueOf(first, connection, need.topic()));
        }
        findings.unknown("right to write", "the broker reports it only for a message, and none was sent", "");
    }

    private void tryTopology(Address first, Connection connection) {
        String queue = topology.queue();
        if (!queue.isEmpty()) {
            BrokerAnswer.Question passive = channel -> channel.queueDeclarePassive(queue);
            judgeDeclared("queue " + queue, first, passive, BrokerAnswer.to(connection, passive));
        }
        String exchange = topology.exchange();
        if (!exchange.isEmpty()) {
            String subject = "exchange " + exchange;
            BrokerAnswer.Question passive = channel -> channel.exchangeDeclarePassive(exchange);
            BrokerAnswer answer = BrokerAnswer.to(connection, passive);
            if (topology.declaresExchange()) {
                judgeDeclared(subject, first, passive, answer);
            } else if (!answer.isMissing()) {
                judge(subject, answer);
            } else {
                Optional<Missing> missing = missing(subject, first, passive);
                missing.ifPresent(
                        nodes -> findings.failed(
                                subject,
                                "it does not exist%s, and is not declared%s: %s%s"
                                        .formatted(
                                                nodes.whichAreOpen(),
                                                nodes.open().isEmpty() ? "" : ", messages wait until they can",
                                                answer.text(),
                                                nodes.whyOpen()),
                                nodes.remedy(
                                        "create it, or set rabbitmq.queue, .deliveryMode and .routingKey, with which it is declared")));
            }
        }
    }

    /**
     * That no node has said that it has something.
     *
     * @param said how many have answered that it does not exist
     * @param open those that have not, in the order of the list, with the reason; an empty one if it is reported with their connection
     */
    private record Missing(int said, Map<Address, String> open) {
        /** Which nodes may have it; empty if there are none. */
        String whichAreOpen() {
            return open.isEmpty()
                    ? ""
                    : " at the nodes that can be asked, which %s cannot"
                            .formatted(open.keySet().stream()
                                    .map(Address::hostAndPort)
                                    .collect(Collectors.joining(", ")));
        }

        /** Why they have not answered whether they have it. */
        String whyOpen() {
            return open.entrySet().stream()
                    .filter(each -> !each.getValue().isEmpty())
                    .map(each -> "; " + each.getValue())
                    .collect(Collectors.joining());
        }

        /** What lets the nodes that are open answer, before what creates it: each failure to connect has a finding of its own. */
        String remedy(String creating) {
            if (open.isEmpty()) {
                return creating;
            }
            return (whyOpen().isEmpty()
                            ? "make all nodes of rabbitmq.host reachable, "
                            : "let all nodes of rabbitmq.host answer, as named for each, ")
                    + creating;
        }
    }

    /** Asks the other nodes for what the first one does not have. Empty if one of them has it, which is reported: created at the first one, it would keep messages that the others are to have. */
    private Optional<Missing> missing(String subject, Address first, BrokerAnswer.Question passive) {
        int said = 1;
        Map<Address, String> open = new LinkedHashMap<>();
        for (Address other : settings.addresses().stream().distinct().toList()) {
            Connection connection = connections.get(other);
            if (connection == null) {
                open.put(other, "");
            } else if (!other.equals(first)) {
                BrokerAnswer answer = BrokerAnswer.to(connection, passive);
                switch (answer.kind()) {
                    case DONE, LOCKED, UNUSABLE -> {
                        findings.warning(
                                subject,
                                "it exists at %s, but not at %s: they are not of one cluster"
                                        .formatted(other.hostAndPort(), first.hostAndPort()),
                                "let the node that has lost its disk join the others, or remove it from rabbitmq.host");
                        return Optional.empty();
                    }
                    case MISSING -> said++;
                    case FORBIDDEN -> open.put(other, other.hostAndPort() + ": " + answer.cause(other, "it"));
                    default -> open.put(other, answer.causeOfAnother(other, "it"));
                }
            }
        }
        return Optional.of(new Missing(said, open));
    }

    /** Something that the producer declares when it connects. */
    private void judgeDeclared(String subject, Address first, BrokerAnswer.Question passive, BrokerAnswer answer) {
        if (!answer.isMissing()) {
            judge(subject, answer);
        } else {
            missing(subject, first, passive)
                    .ifPresent(missing -> findings.warning(
                            subject,
                            missing.open().isEmpty()
                                    ? "it does not exist; it is declared with the first message, if the user may configure it"
                                            + (settings.isMoreThanHalf(1)
                                                    ? ""
                                                    : ", and if more than half of the nodes are joined, which was not tried")
                                    : "it does not exist%s: messages wait until they can, then it is declared%s"
                                            .formatted(missing.whichAreOpen(), missing.whyOpen()),
                            missing.remedy("create it, or let the user configure it")));
        }
    }

    /** Without an exchange each topic is the name of a queue. */
    private void tryQueueOf(Address first, Connection connection, String topic) {
        if (topic.equals(topology.queue())) {
            return; // it is declared, and was asked for
        }
        String subject = "queue " + topic;
        BrokerAnswer.Question passive = channel -> channel.queueDeclarePassive(topic);
        BrokerAnswer answer = BrokerAnswer.to(connection, passive);
        if (!answer.isMissing()) {
            judge(subject, answer);
        } else {
            missing(subject, first, passive)
                    .ifPresent(missing -> findings.failed(
                            subject,
                            "it does not exist%s, so messages for the topic %s%s"
                                    .formatted(missing.whichAreOpen(), fateWithoutQueue(missing), missing.whyOpen()),
                            missing.remedy("create it, or set rabbitmq.exchange")));
        }
    }

    /** What becomes of messages whose queue is at no node that has answered. As the producer does, it counts the nodes that say so, and not those that are connected to. */
    private String fateWithoutQueue(Missing missing) {
        if (!settings.mandatory()) {
            return "are dropped (rabbitmq.mandatory=false)";
        }
        return settings.isMoreThanHalf(missing.said())
                ? "are rejected"
                : "wait until more than half of the nodes can be asked";
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
