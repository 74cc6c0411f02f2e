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
import java.util.function.Supplier;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.namesrv.NamesrvUtil;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.body.UserInfo;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
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

    /** For a change, which is not asked for again. */
    private static final long CHANGE_MILLIS = 60_000;

    private static final int ATTEMPTS = 50;
    private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final DefaultMQPullConsumer consumer;
    private final Supplier<List<String>> brokers;

    /** @param brokers host and port of each broker that runs */
    RocketMqReader(String nameServer, Supplier<List<String>> brokers, String accessKey, String secretKey) {
        this.brokers = brokers;
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
                .sorted(Comparator.comparing(MessageExt::getBrokerName)
                        .thenComparingInt(MessageExt::getQueueId)
                        .thenComparingLong(MessageExt::getQueueOffset))
                .toList();
    }

    /** A broker stores a message first, and notes a little later where it is. */
    private boolean isAllToBeRead() {
        return brokers.get().stream().allMatch(this::isAllToBeRead);
    }

    private boolean isAllToBeRead(String broker) {
        return runtimeInfo(broker, "dispatchBehindBytes").equals("0");
    }

    /** Up to where a broker's log of all messages reaches; -1 if it does not answer. */
    long storedBytes(String broker) {
        String text = runtimeInfo(broker, "commitLogMaxOffset");
        return text.isEmpty() ? -1 : Long.parseLong(text);
    }

    /** Whether a broker has a topic. */
    boolean hasTopic(String broker, String topic) {
        try {
            return api().getTopicConfig(broker, topic, ANSWER_MILLIS) != null;
        } catch (RemotingException | MQBrokerException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What a broker reports of itself; empty if it does not answer, or has no such thing. */
    private String runtimeInfo(String broker, String name) {
        try {
            return api().getBrokerRuntimeInfo(broker, ANSWER_MILLIS).getTable().getOrDefault(name, "");
        } catch (RemotingException | MQBrokerException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
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

    /** How many messages of a topic a broker has been given, in all its queues. */
    public long count(String topic, String brokerName) {
        return queues(topic).stream()
                .filter(queue -> queue.getBrokerName().equals(brokerName))
                .mapToLong(this::end)
                .sum();
    }

    /** Whether the name server knows a broker; masters have the id 0. */
    boolean isRegistered(String brokerName, long id) {
        try {
            BrokerData broker = api().getBrokerClusterInfo(ANSWER_MILLIS)
                    .getBrokerAddrTable()
                    .get(brokerName);
            return broker != null && broker.getBrokerAddrs().containsKey(id);
        } catch (RemotingException | MQBrokerException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes or changes a topic on one broker, and returns when the name server knows how it is there. */
    void createTopic(String broker, String brokerName, TopicConfig config, Duration atMost) {
        String topic = config.getTopicName();
        change("topic " + topic, api -> api.createTopic(broker, brokerName, config, CHANGE_MILLIS));
        if (!Polling.await(atMost, () -> hasQueues(brokerName, config))) {
            throw new IllegalStateException("the name server does not know topic " + topic);
        }
    }

    private boolean hasQueues(String brokerName, TopicConfig config) {
        try {
            return api().getTopicRouteInfoFromNameServer(config.getTopicName(), ANSWER_MILLIS).getQueueDatas().stream()
                    .anyMatch(queues -> queues.getBrokerName().equals(brokerName)
                            && queues.getPerm() == config.getPerm()
                            && queues.getReadQueueNums() == config.getReadQueueNums()
                            && queues.getWriteQueueNums() == config.getWriteQueueNums());
        } catch (RemotingException | MQClientException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes a user of one broker with all rights. */
    void createUser(String broker, String user, String password) {
        change("user " + user, api -> api.createUser(broker, UserInfo.of(user, password, "Super"), CHANGE_MILLIS));
    }

    void createUserWithoutRights(String broker, String user, String password) {
        change("user " + user, api -> api.createUser(broker, UserInfo.of(user, password, "Normal"), CHANGE_MILLIS));
    }

    void disableUser(String broker, String user) {
        change("that user %s is disabled".formatted(user), api -> {
            UserInfo info = api.getUser(broker, user, CHANGE_MILLIS);
            info.setUserStatus("Disable");
            api.updateUser(broker, info, CHANGE_MILLIS);
        });
    }

    void deleteTopic(String broker, String topic) {
        change(
                "that topic %s is deleted".formatted(topic),
                api -> api.deleteTopicInBroker(broker, topic, CHANGE_MILLIS));
    }

    /** Has the name server list a topic's queues to producers whatever brokers are up: {@code broker-a:2;broker-b:2}. */
    void orderTopic(String topic, String queues) {
        change(
                "the order of topic " + topic,
                api -> api.putKVConfigValue(NamesrvUtil.NAMESPACE_ORDER_TOPIC_CONFIG, topic, queues, CHANGE_MILLIS));
    }

    /** Changes a setting of a broker. */
    void set(String broker, String setting, String value) {
        set(broker, setting, value, CHANGE_MILLIS);
    }

    private void set(String broker, String setting, String value, long millis) {
        Properties properties = new Properties();
        properties.setProperty(setting, value);
        change(setting, api -> api.updateBrokerConfig(broker, properties, millis));
    }

    /** Changes a setting of a broker; does nothing if it does not answer. */
    void trySet(String broker, String setting, String value) {
        try {
            set(broker, setting, value, ANSWER_MILLIS);
        } catch (IllegalStateException e) {
            LOG.debug("{}", e.getMessage(), e);
        }
    }

    private interface AdminRequest {
        void send(MQClientAPIImpl api)
                throws RemotingException, MQBrokerException, MQClientException, UnsupportedEncodingException,
                        InterruptedException;
    }

    private void change(String what, AdminRequest request) {
        try {
            request.send(api());
        } catch (RemotingException | MQBrokerException | MQClientException | UnsupportedEncodingException e) {
            throw new IllegalStateException("RocketMQ does not take " + what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, so RocketMQ may not have taken " + what, e);
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
                    throw new IllegalStateException("the broker does not report " + what, e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** Ends the connections, without waiting for that: the client's own thread checks only every three seconds whether it is to end. */
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
