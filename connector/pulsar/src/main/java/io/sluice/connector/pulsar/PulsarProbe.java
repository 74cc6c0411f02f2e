package io.sluice.connector.pulsar;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.FailureKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** Asks the brokers for the partitions of topics, which creates none: connection, login, topics. For one thread. */
final class PulsarProbe {
    private static final String CONNECTION = "connection";

    private final PulsarClient client;
    private final PulsarSettings settings;
    private final Duration limit;
    private final Findings findings;
    private boolean isConnected;

    /**
     * Makes a probe.
     *
     * @param client is closed by the caller
     * @param limit of each question
     */
    PulsarProbe(PulsarClient client, PulsarSettings settings, Duration limit, Findings findings) {
        this.client = client;
        this.settings = settings;
        this.limit = limit;
        this.findings = findings;
    }

    /** Tries everything; without a connection, that alone. */
    void run(List<TopicNeed> topics) throws InterruptedException {
        for (TopicNeed need : topics) {
            if (!judge(need)) {
                return;
            }
        }
        findings.unknown("right to write", "the broker reports it only to a producer, and none was made", "");
    }

    /** Returns whether the broker has answered. */
    private boolean judge(TopicNeed need) throws InterruptedException {
        String topic = settings.fullName(need.topic());
        String subject = "topic " + topic;
        List<String> partitions;
        try {
            partitions = client.getPartitionsForTopic(topic, false).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return judgeFailure(subject, PulsarClientException.unwrap(e.getCause()));
        } catch (TimeoutException e) {
            findings.failed(
                    CONNECTION, settings.serviceUrl() + " does not answer", "check pulsarmq.serverUrl and the network");
            return false;
        }
        connected();
        if (partitions.size() < need.partitions()) {
            findings.warning(
                    subject,
                    "it has %d partitions, but messages go to %d: those beyond begin with the first again"
                            .formatted(partitions.size(), need.partitions()),
                    "add partitions to the topic, or lower canal.mq.partition or canal.mq.partitionsNum");
        } else if (partitions.size() == 1 && topic.equals(partitions.get(0))) {
            findings.ok(subject, "it has no partitions, and may not exist yet");
        } else {
            findings.ok(
                    subject,
                    "it has %d partitions, of which %d are needed".formatted(partitions.size(), need.partitions()));
        }
        return true;
    }

    private boolean judgeFailure(String subject, PulsarClientException failure) {
        String text = String.valueOf(
                PulsarErrors.classify(failure, settings.accessMode()).cause().getMessage());
        FailureKind kind = PulsarErrors.kindOf(failure, settings.accessMode());
        if (failure instanceof PulsarClientException.TopicDoesNotExistException
                || failure instanceof PulsarClientException.NotFoundException) {
            connected();
            findings.warning(
                    subject,
                    "it does not exist: " + text,
                    "create it, or let the broker do so (allowAutoTopicCreation)");
            return true;
        }
        if (PulsarErrors.isUnchecked(failure)) {
            connected();
            findings.failed(
                    subject,
                    text,
                    "grant the role produce on the namespace if it lacks that, and check that the brokers reach their metadata"
                            + " store and what their authorization plugin asks, and that the tenant of"
                            + " pulsarmq.topicTenantPrefix exists");
            return true;
        }
        if (kind == FailureKind.TOPIC_UNAVAILABLE) {
            connected();
            findings.failed(
                    subject, text, "grant the role produce on the namespace, or change pulsarmq.topicTenantPrefix");
            return true;
        }
        boolean isPassing = kind == FailureKind.PASSING;
        findings.failed(
                isPassing ? CONNECTION : "login",
                "%s: %s".formatted(settings.serviceUrl(), text),
                isPassing
                        ? "check pulsarmq.serverUrl, the network, and the broker's advertised address"
                        : "check pulsarmq.roleToken and the keys for TLS");
        return false;
    }

    private void connected() {
        if (!isConnected) {
            isConnected = true;
            findings.ok(CONNECTION, settings.serviceUrl() + (settings.token().isEmpty() ? "" : ", with a token"));
        }
    }
}
