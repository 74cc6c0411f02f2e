package io.sluice.connector.rocketmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Keeps a producer from sending to a broker before that has done what the producers before this one have sent.
 *
 * <p>After a restart or a take-over it is not known which requests the former producer had no answer to. So each broker counts as one that may
 * have some: before the first message to it, it must answer, and then gets time for what it had received. Each partition is checked once, at its first
 * message: a broker that joins the topic or returns later, and gets the partition then, is not asked. What a server that is cut off
 * from the broker still has in its own buffers is not covered: it may arrive whenever the connection is back. Safe for use by several
 * threads.
 */
final class FormerProducers {
    private final RocketMqClient client;

    @GuardedBy("this") private final DoubtfulBrokers brokers;

    /** The queues of topics, as the name servers have told since the last restart. */
    @GuardedBy("this") private final Map<String, List<MessageQueue>> asked = new HashMap<>();

    @GuardedBy("this") private final Set<String> done = new HashSet<>();

    FormerProducers(RocketMqClient client, DoubtfulBrokers brokers) {
        this.client = client;
        this.brokers = brokers;
    }

    /**
     * Returns when a message to this partition cannot come before one of a former producer. A topic without queues has none.
     *
     * @return whether that is certain for later messages, too; not as long as there are no queues
     * @throws NotSentException if the broker does not answer, and may return, or no name server tells which one it is
     */
    synchronized boolean awaitEnd(String topic, int partition) {
        List<MessageQueue> queues = queuesOf(topic);
        if (queues.isEmpty()) {
            return false;
        }
        MessageQueue queue = RocketMqClient.queueOf(queues, partition);
        if (!done.contains(queue.getBrokerName())) {
            brokers.await(List.of(queue), DoubtfulBrokers.SETTLE);
            done.add(queue.getBrokerName());
        }
        return true;
    }

    /** Only queues are remembered: a topic that has none may get some with the next message. */
    @GuardedBy("this") private List<MessageQueue> queuesOf(String topic) {
        List<MessageQueue> known = asked.get(topic);
        if (known != null) {
            return known;
        }
        try {
            List<MessageQueue> queues = client.askQueues(topic);
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
