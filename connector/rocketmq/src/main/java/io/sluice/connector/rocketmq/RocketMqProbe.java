package io.sluice.connector.rocketmq;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.FailureKind;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;

/** Asks name servers and brokers whether a producer could send: connection, login, topics and queues. For one thread. */
final class RocketMqProbe {
    private static final String CONNECTION = "connection";
    private static final String LOGIN = "login";

    private final RocketMqQueries queries;
    private final RocketMqSettings settings;
    private final Findings findings;
    private boolean hasLoggedIn;

    RocketMqProbe(RocketMqQueries queries, RocketMqSettings settings, Findings findings) {
        this.queries = queries;
        this.settings = settings;
        this.findings = findings;
    }

    /** Tries everything; without a connection, that alone. */
    void run(List<TopicNeed> topics) throws InterruptedException {
        try {
            Set<String> brokers = queries.brokers();
            if (brokers.isEmpty()) {
                findings.failed(
                        CONNECTION,
                        "%s: the name servers know no broker".formatted(settings.nameServers()),
                        "start a broker that is registered at these name servers");
                return;
            }
            findings.ok(CONNECTION, "%s: brokers %s".formatted(settings.nameServers(), String.join(", ", brokers)));
        } catch (MQClientException e) {
            findings.failed(
                    CONNECTION,
                    "%s: %s".formatted(settings.nameServers(), textOf(e)),
                    "check rocketmq.namesrv.addr and the network");
            return;
        }
        topics.forEach(this::judge);
        findings.unknown("right to write", "the broker reports it only for a message, and none was sent", "");
    }

    private void judge(TopicNeed need) {
        String subject = "topic " + need.topic();
        List<MessageQueue> queues;
        try {
            queues = this.queries.requireWritableQueues(need.topic());
        } catch (MQClientException e) {
            findings.warning(
                    subject,
                    "the name servers know no such topic: " + textOf(e),
                    "create it; a broker with autoCreateTopicEnable=true creates it with the first message");
            return;
        }
        if (queues.size() < need.partitions()) {
            findings.warning(
                    subject,
                    "it has %d queues, but messages go to %d partitions: those beyond begin with the first queue again"
                            .formatted(queues.size(), need.partitions()),
                    "raise the number of its write queues, or lower canal.mq.partition or canal.mq.partitionsNum");
        } else {
            findings.ok(subject, "it has %d queues that take messages".formatted(queues.size()));
        }
        if (!hasLoggedIn && !queues.isEmpty()) {
            hasLoggedIn = true;
            tryLogin(queues.get(0));
        }
    }

    private void tryLogin(MessageQueue queue) {
        String who = settings.credentials() == null ? "without access key" : "with the access key";
        try {
            queries.askEnd(queue);
            findings.ok(LOGIN, "%s answers a question %s".formatted(queue.getBrokerName(), who));
        } catch (MQClientException e) {
            boolean isRefused = RocketMqErrors.kindOf(e) == FailureKind.BROKEN;
            findings.failed(
                    isRefused ? LOGIN : "broker " + queue.getBrokerName(),
                    textOf(e),
                    isRefused
                            ? "check canal.aliyun.accessKey and canal.aliyun.secretKey"
                            : "check that this machine reaches the address that the broker has registered (brokerIP1)");
        }
    }

    private static String textOf(MQClientException failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure.getErrorMessage() : cause.getMessage());
    }
}
