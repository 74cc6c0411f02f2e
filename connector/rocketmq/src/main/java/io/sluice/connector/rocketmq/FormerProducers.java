package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Keeps a producer from sending to a broker before that has done what the producers before this one have sent.
 *
 * <p>After a restart or a take-over it is not known which requests the former producer had no answer to. So each broker counts as one that may
 * have some: before the first message to it, it must answer, and then gets time for what it had received, see {@link SettledBrokers}. That holds for
 * whichever broker has the partition's queue when the message is sent, also if it has joined the topic or returned since. What a server that is cut off
 * from the broker still has in its own buffers is not covered: it may arrive whenever the connection is back. Thread-safe.
 */
final class FormerProducers {
    private final RocketMqQueries queries;
    private final SettledBrokers brokers;

    /** The queues of topics that the client has not looked up, as the name servers have answered since the last restart. */
    @GuardedBy("this") private final Map<String, List<MessageQueue>> asked = new HashMap<>();

    FormerProducers(RocketMqQueries queries, SettledBrokers brokers) {
        this.queries = queries;
        this.brokers = brokers;
    }

    /** Whether a message to this partition, by the queues that the client knows now, cannot come before one of a former producer. */
    boolean haveEnded(String topic, int partition) {
        List<MessageQueue> queues = queries.cachedQueues(topic);
        return queues != null && brokers.have(RocketMqQueries.queueOf(queues, partition));
    }

    /**
     * Returns when a message to this partition cannot come before one of a former producer. A topic without queues has none; the brokers on which the
     * message may make them are asked.
     *
     * @throws NotSentException if the broker does not answer, or no name server knows which one it is
     */
    synchronized void awaitEnd(String topic, int partition) {
        List<MessageQueue> queues = queries.cachedQueues(topic);
        if (queues == null) {
            queues = queuesOf(topic);
        }
        if (queues.isEmpty()) {
            brokers.awaitThoseThatAnswer(queuesOf(RocketMqQueries.TOPIC_OF_NEW_TOPICS));
        } else {
            brokers.await(RocketMqQueries.queueOf(queues, partition), queues);
        }
    }

    /** Only queues are remembered: a topic that has none may get some with the next message. */
    @GuardedBy("this") private List<MessageQueue> queuesOf(String topic) {
        List<MessageQueue> known = asked.get(topic);
        if (known != null) {
            return known;
        }
        try {
            List<MessageQueue> queues = queries.writableQueues(topic);
            if (!queues.isEmpty()) {
                asked.put(topic, queues);
            }
            return queues;
        } catch (MQClientException e) {
            throw new NotSentException(
                    "the name servers do not tell which brokers have topic %s, and may have earlier requests: %s"
                            .formatted(
                                    topic,
                                    e.getCause() == null
                                            ? e.getMessage()
                                            : e.getCause().getMessage()));
        }
    }

    /** Has the queues of topics asked for again. */
    synchronized void forgetQueues() {
        asked.clear();
    }
}
