package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.GetMaxOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;
import org.jspecify.annotations.Nullable;

/** Asks name servers and brokers for brokers, topics and queues; sends no message. Thread-safe. */
@SuppressWarnings(
        "deprecation") // the namespace that canal's consumers know, routes and offsets are to be had in no newer way
final class RocketMqQueries {
    /** The timeout of brokers and name servers. */
    static final long QUESTION_MILLIS = 3000;

    /** Its queues are on the brokers that make a topic with its first message; there is none if no broker does so. */
    static final String TOPIC_OF_NEW_TOPICS = TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC;

    private final DefaultMQProducer producer;
    private final MissingTopics missing;

    /**
     * Asks by a producer that is started.
     *
     * @param missing remembers the topics that are not found
     */
    RocketMqQueries(DefaultMQProducer producer, MissingTopics missing) {
        this.producer = producer;
        this.missing = missing;
    }

    /** The name of a topic at the broker: after that of the namespace, which may be in the name of an endpoint. */
    String nameOf(String topic) {
        return producer.withNamespace(topic);
    }

    /** Returns the queues that a topic's messages go to, as the client has them cached; null if it has not looked them up, or there are none. Asks nothing. */
    @Nullable List<MessageQueue> cachedQueues(String topic) {
        TopicPublishInfo route =
                producer.getDefaultMQProducerImpl().getTopicPublishInfoTable().get(nameOf(topic));
        return route == null || !route.ok() ? null : route.getMessageQueueList();
    }

    /** The name of a queue's broker. */
    String brokerOf(MessageQueue queue) {
        return factory().getBrokerNameFromMessageQueue(producer.queueWithNamespace(queue));
    }

    private MQClientInstance factory() {
        return producer.getDefaultMQProducerImpl().getMqClientFactory();
    }

    static MessageQueue queueOf(List<MessageQueue> queues, int partition) {
        return queues.get(Math.floorMod(partition, queues.size()));
    }

    static String noPermission(String topic) {
        return ("topic %s has no queue that may be written to: check its permission (mqadmin updateTopicPerm) and"
                        + " brokerPermission of its brokers")
                .formatted(topic);
    }

    /** The reasons why a topic has no queues that take messages. */
    enum AbsenceOfQueues {
        NO_TOPIC,
        NO_PERMISSION,
        UNKNOWN
    }

    AbsenceOfQueues absenceOfQueues(String topic) {
        MQClientAPIImpl api = factory().getMQClientAPIImpl();
        try {
            boolean isWritable =
                    api.getTopicRouteInfoFromNameServer(nameOf(topic), QUESTION_MILLIS).getQueueDatas().stream()
                            .anyMatch(
                                    queues -> PermName.isWriteable(queues.getPerm()) && queues.getWriteQueueNums() > 0);
            return isWritable ? AbsenceOfQueues.UNKNOWN : AbsenceOfQueues.NO_PERMISSION;
        } catch (MQClientException e) {
            return e.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST && hasBrokers(api)
                    ? AbsenceOfQueues.NO_TOPIC
                    : AbsenceOfQueues.UNKNOWN;
        } catch (RemotingException e) {
            return AbsenceOfQueues.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AbsenceOfQueues.UNKNOWN;
        }
    }

    /**
     * The brokers that the name servers know, by their names; makes nothing.
     *
     * @throws MQClientException if no name server answers
     */
    Set<String> brokers() throws MQClientException, InterruptedException {
        return brokerTable().keySet();
    }

    /**
     * The names of the brokers that have a master at the name servers: only a master takes messages.
     *
     * @throws MQClientException if no name server answers
     */
    Set<String> masters() throws MQClientException, InterruptedException {
        return brokerTable().values().stream()
                .filter(broker -> broker.getBrokerAddrs().containsKey(MixAll.MASTER_ID))
                .map(BrokerData::getBrokerName)
                .collect(Collectors.toSet());
    }

    private Map<String, BrokerData> brokerTable() throws MQClientException, InterruptedException {
        MQClientAPIImpl api = factory().getMQClientAPIImpl();
        try {
            return api.getBrokerClusterInfo(QUESTION_MILLIS).getBrokerAddrTable();
        } catch (RemotingException | MQBrokerException e) {
            throw new MQClientException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Asks the name servers for the queues of a topic that take messages; makes nothing.
     *
     * @throws MQClientException if there is no such topic, or it has none, or no name server answers
     */
    List<MessageQueue> requireWritableQueues(String topic) throws MQClientException {
        return producer.fetchPublishMessageQueues(topic);
    }

    /**
     * Asks a queue's broker for the end of the queue, with the login of the producer.
     *
     * @throws MQClientException if the broker does not answer, or rejects that
     */
    void askEnd(MessageQueue queue) throws MQClientException {
        long unused = producer.maxOffset(queue);
    }

    /** A broker that stops takes its topics from the name server. */
    private static boolean hasBrokers(MQClientAPIImpl api) {
        try {
            return !api.getBrokerClusterInfo(QUESTION_MILLIS)
                    .getBrokerAddrTable()
                    .isEmpty();
        } catch (RemotingException | MQBrokerException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Asks the name servers for the queues of a topic that take messages. None if there is no such topic, or it has none: a message to it then fails,
     * or makes the topic. Those that are cached if no name server answers, since the client sends to them.
     *
     * @throws MQClientException if no name server answers, and none are cached
     */
    List<MessageQueue> writableQueues(String topic) throws MQClientException {
        try {
            return requireWritableQueues(topic);
        } catch (MQClientException e) {
            boolean isAnswer = e.getCause() == null
                    || (e.getCause() instanceof MQClientException cause
                            && cause.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST);
            if (isAnswer) {
                return List.of();
            }
            List<MessageQueue> known = cachedQueues(topic);
            if (known == null) {
                throw e;
            }
            return known;
        }
    }

    /**
     * How many queues of a topic take messages; of a topic that its first message makes, how many it will have.
     *
     * @throws PartitionsUnknownException if that is not known now, or there is no such topic, which is unavailable if there has been none for longer
     *     than a restart of a broker takes
     */
    int partitionsOf(String topic) {
        try {
            List<MessageQueue> queues = writableQueues(topic);
            if (queues
                    .isEmpty()) { // the client sends to those that it knows as long as the name servers have no others
                List<MessageQueue> known = cachedQueues(topic);
                queues = known == null ? queuesOfMissing(topic) : known;
            }
            if (!queues.isEmpty()) {
                return queues.size();
            }
        } catch (MQClientException e) {
            throw new PartitionsUnknownException(
                    topic,
                    String.valueOf(
                            e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
        }
        throw new PartitionsUnknownException(
                topic, new IllegalStateException("the name servers know no such topic"), missing.notFound(topic));
    }

    /** The queues that a topic without queues gets with its first message; none if no broker makes topics. */
    private List<MessageQueue> queuesOfMissing(String topic) throws MQClientException {
        switch (absenceOfQueues(topic)) {
            case NO_PERMISSION -> throw new MQClientException(noPermission(topic), null);
            case UNKNOWN -> throw new MQClientException("none of its queues takes messages, or no broker is up", null);
            case NO_TOPIC -> {}
        }
        try {
            TopicRouteData route = factory()
                    .getMQClientAPIImpl()
                    .getTopicRouteInfoFromNameServer(TOPIC_OF_NEW_TOPICS, QUESTION_MILLIS);
            for (QueueData queues : route.getQueueDatas()) {
                int count = Math.min(producer.getDefaultTopicQueueNums(), queues.getReadQueueNums());
                queues.setReadQueueNums(count);
                queues.setWriteQueueNums(count);
            }
            return MQClientInstance.topicRouteData2TopicPublishInfo(nameOf(topic), route)
                    .getMessageQueueList();
        } catch (MQClientException e) {
            if (e.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST) {
                return List.of();
            }
            throw e;
        } catch (RemotingException e) {
            throw new MQClientException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MQClientException("interrupted", e);
        }
    }

    /**
     * Asks brokers something that changes nothing, all at the same time. A broker that answers, whatever the answer is, has received all that was sent
     * to it before on the same connection.
     *
     * @param queues one of each broker, by the broker's name
     * @return by the broker's name: completes when it has answered, and fails if it does not in time, or is not reached
     */
    Map<String, CompletableFuture<?>> ask(Map<String, MessageQueue> queues) {
        Set<String> topics = new HashSet<>();
        queues.forEach((broker, queue) -> {
            if (factory().findBrokerAddressInPublish(broker) == null) {
                topics.add(nameOf(queue.getTopic()));
            }
        });
        topics.forEach(factory()::updateTopicRouteInfoFromNameServer);
        Map<String, CompletableFuture<?>> answers = new HashMap<>();
        queues.forEach((broker, queue) -> answers.put(broker, ask(broker, queue)));
        return answers;
    }

    private CompletableFuture<?> ask(String broker, MessageQueue queue) {
        String address = factory().findBrokerAddressInPublish(broker);
        if (address == null) {
            return CompletableFuture.failedFuture(
                    new RemotingConnectException("the name servers know no master of broker " + broker));
        }
        GetMaxOffsetRequestHeader header = new GetMaxOffsetRequestHeader();
        header.setTopic(nameOf(queue.getTopic()));
        header.setQueueId(queue.getQueueId());
        header.setBrokerName(queue.getBrokerName());
        return factory()
                .getMQClientAPIImpl()
                .getRemotingClient()
                .invoke(
                        MixAll.brokerVIPChannel(producer.isVipChannelEnabled(), address),
                        RemotingCommand.createRequestCommand(RequestCode.GET_MAX_OFFSET, header),
                        QUESTION_MILLIS);
    }
}
