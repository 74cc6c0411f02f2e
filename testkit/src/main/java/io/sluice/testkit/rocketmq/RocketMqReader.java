package io.sluice.testkit.rocketmq;

import io.sluice.testkit.process.Polling;
import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all messages of a topic from the first on.
 *
 * <p>Messages of one queue come in their order; those of several come interleaved. For one thread.
 */
@SuppressWarnings("deprecation") // of the client's consumers, only this one reads a given queue at a given offset
public final class RocketMqReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RocketMqReader.class);
    private static final int MAX_AT_ONCE = 4096;
    private static final long ANSWER_MILLIS = 3000;
    private static final int ATTEMPTS = 50;
    private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final DefaultMQPullConsumer consumer;
    private final String broker;

    RocketMqReader(String nameServer, String broker, String accessKey, String secretKey) {
        this.broker = broker;
        String group = "reader";
        this.consumer = accessKey.isEmpty()
                ? new DefaultMQPullConsumer(group)
                : new DefaultMQPullConsumer(group, new AclClientRPCHook(new SessionCredentials(accessKey, secretKey)));
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName(UUID.randomUUID().toString());
        consumer.setVipChannelEnabled(false);
        consumer.setAllocateMessageQueueStrategy(new NoQueues()); // the queues are given explicitly
        try {
            consumer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a topic's queues hold now, queue by queue. */
    public List<MessageExt> readToEnd(String topic, Duration atMost) {
        if (!Polling.await(atMost, this::isAllToBeRead)) {
            throw new IllegalStateException("the broker does not come to hand out what it has");
        }
        long end = queues(topic).stream().mapToLong(this::end).sum();
        return readAtLeast(topic, (int) end, atMost).stream()
                .sorted(Comparator.comparingInt(MessageExt::getQueueId).thenComparingLong(MessageExt::getQueueOffset))
                .toList();
    }

    /** A broker stores a message first, and notes a little later where it is. */
    private boolean isAllToBeRead() {
        try {
            return api().getBrokerRuntimeInfo(broker, ANSWER_MILLIS)
                    .getTable()
                    .getOrDefault("dispatchBehindBytes", "?")
                    .equals("0");
        } catch (RemotingException | MQBrokerException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The first so many messages of a topic, and those that came along with them. */
    public List<MessageExt> readAtLeast(String topic, int count, Duration atMost) {
        return readUntil(topic, messages -> messages.size() >= count, atMost);
    }

    /** All messages up to those with which the condition first holds; fails if it does not hold in time. */
    public List<MessageExt> readUntil(String topic, Predicate<List<MessageExt>> condition, Duration atMost) {
        List<MessageExt> messages = new ArrayList<>();
        read(topic, messages::add, () -> condition.test(messages), atMost);
        return messages;
    }

    /**
     * Hands on message by message until the condition holds; fails if it does not hold in time. The condition is asked
     * before the first message and after each fetch.
     */
    public void read(String topic, Consumer<MessageExt> receiver, BooleanSupplier condition, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Map<MessageQueue, Long> next = new HashMap<>();
        queues(topic).forEach(queue -> next.put(queue, 0L));
        while (!condition.getAsBoolean()) {
            boolean found = false;
            for (Map.Entry<MessageQueue, Long> at : next.entrySet()) {
                PullResult result = pull(at.getKey(), at.getValue());
                if (result.getPullStatus() == PullStatus.FOUND) {
                    result.getMsgFoundList().forEach(receiver);
                    found = true;
                }
                at.setValue(Math.max(at.getValue(), result.getNextBeginOffset()));
            }
            if (!found && !condition.getAsBoolean()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("after %d messages of topic %s nothing more came in time"
                            .formatted(next.values().stream().mapToLong(n -> n).sum(), topic));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** How many messages a topic has been given, in all its queues. */
    public long count(String topic) {
        return queues(topic).stream().mapToLong(this::end).sum();
    }

    /** Whether the name server knows a topic. */
    public boolean knows(String topic) {
        try {
            return !consumer.fetchSubscribeMessageQueues(topic).isEmpty();
        } catch (MQClientException e) {
            return false;
        }
    }

    void createTopic(String name, int queues, Duration atMost) {
        try {
            consumer.createTopic(RocketMqServer.BROKER, name, queues, Map.of());
        } catch (MQClientException e) {
            throw new IllegalStateException("the broker refused topic " + name, e);
        }
        if (!Polling.await(atMost, () -> knows(name))) {
            throw new IllegalStateException("the name server does not know topic " + name);
        }
    }

    /** Changes a setting of the broker; does nothing if it does not answer. */
    void set(String setting, String value) {
        Properties properties = new Properties();
        properties.setProperty(setting, value);
        try {
            api().updateBrokerConfig(broker, properties, ANSWER_MILLIS);
        } catch (RemotingException | MQBrokerException | MQClientException | UnsupportedEncodingException e) {
            LOG.debug("the broker does not take {}: {}", setting, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private MQClientAPIImpl api() {
        return consumer.getDefaultMQPullConsumerImpl()
                .getRebalanceImpl()
                .getmQClientFactory()
                .getMQClientAPIImpl();
    }

    private List<MessageQueue> queues(String topic) {
        try {
            return consumer.fetchSubscribeMessageQueues(topic).stream().sorted().toList();
        } catch (MQClientException e) {
            throw new IllegalStateException("there is no topic " + topic, e);
        }
    }

    private long end(MessageQueue queue) {
        return ask("the end of " + queue, () -> consumer.maxOffset(queue));
    }

    private PullResult pull(MessageQueue queue, long offset) {
        return ask("what is in " + queue, () -> consumer.pull(queue, "*", offset, MAX_AT_ONCE));
    }

    private interface Question<T> {
        T ask() throws MQClientException, RemotingException, MQBrokerException, InterruptedException;
    }

    /** Retries for a while, since failures of the broker's other clients may happen to this one, too. */
    private static <T> T ask(String what, Question<T> question) {
        for (int attempt = 1; ; attempt++) {
            try {
                return question.ask();
            } catch (MQClientException | RemotingException | MQBrokerException e) {
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("the broker does not tell " + what, e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** Ends the connections, without waiting for that: the client's own thread looks only every three seconds whether it is to end. */
    @Override
    public void close() {
        Thread shutdown = new Thread(consumer::shutdown, "rocketmq-reader-shutdown");
        shutdown.setDaemon(true);
        shutdown.start();
    }

    private static final class NoQueues implements AllocateMessageQueueStrategy {
        @Override
        public List<MessageQueue> allocate(String group, String client, List<MessageQueue> all, List<String> clients) {
            return List.of();
        }

        @Override
        public String getName() {
            return "none";
        }
    }
}
