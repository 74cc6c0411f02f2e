package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until brokers have done what they were sent and have not answered.
 *
 * <p>A broker that answers a question reads its connections. It gets time for what it had received before: by then it has stored or
 * rejected that. A broker that does not answer may return and still carry it out, so nothing may be sent; one that the name servers have not
 * listed for longer than a restart takes is not waited for. For one thread at a time.
 */
final class DoubtfulBrokers {
    private static final Logger LOG = LoggerFactory.getLogger(DoubtfulBrokers.class);

    /** For so long a broker lets requests wait before it rejects them (its waitTimeMillsInSendQueue), and some more. */
    static final Duration SETTLE = Duration.ofMillis(400);

    private final RocketMqClient client;
    private final UnlistedBrokers unlisted;
    private final Time time;

    DoubtfulBrokers(RocketMqClient client, RocketMqSettings settings, Time time) {
        this.client = client;
        this.unlisted = new UnlistedBrokers(MissingTopics.GRACE.plus(settings.sendTimeout()), time);
        this.time = time;
    }

    /**
     * Returns when nothing is carried out any more that was sent to the brokers of these queues before.
     *
     * @param settle how long that takes a broker that answers
     * @throws NotSentException if one of them does not answer, and may return
     */
    void await(Collection<MessageQueue> queues, Duration settle) {
        Map<String, MessageQueue> byBroker = new TreeMap<>();
        queues.forEach(queue -> byBroker.put(queue.getBrokerName(), queue));
        if (byBroker.isEmpty()) {
            return;
        }
        List<String> silent = byBroker.values().stream()
                .filter(queue -> !client.answers(queue))
                .map(MessageQueue::getBrokerName)
                .toList();
        if (!silent.isEmpty()) {
            requireGone(silent);
        }
        try {
            time.sleep(settle);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Checks that brokers that do not answer are not expected to return. */
    private void requireGone(List<String> silent) {
        Set<String> gone;
        try {
            gone = unlisted.gone(silent, client.masters());
        } catch (MQClientException e) {
            gone = Set.of(); // without a name server nothing is known of brokers
        } catch (InterruptedException e) {
            throw interrupted();
        }
        for (String broker : silent) {
            if (!gone.contains(broker)) {
                throw new NotSentException(
                        "broker %s does not answer, and may still carry out earlier requests".formatted(broker));
            }
        }
        LOG.warn(
                "brokers that do not answer are not waited for any more, since the name servers have not listed them for"
                        + " too long; if they return, they may store old messages after newer ones:"
                        + " brokers={} limitSeconds={}",
                silent,
                unlisted.limit().toSeconds());
    }

    private static NotSentException interrupted() {
        Thread.currentThread().interrupt();
        return new NotSentException("interrupted while earlier requests may still be carried out");
    }
}
