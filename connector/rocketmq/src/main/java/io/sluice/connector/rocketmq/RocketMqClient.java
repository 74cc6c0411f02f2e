package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.AccessChannel;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.RPCHook;
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

/**
 * RocketMQ's own producer, with our settings: sends a request, and reports the answer.
 *
 * <p>It does not retry. Thread-safe.
 */
@SuppressWarnings(
        "deprecation") // the namespace that canal's consumers know, routes and offsets are to be had in no newer way
final class RocketMqClient implements AutoCloseable {
    /** How long brokers and name servers get for an answer. */
    static final long QUESTION_MILLIS = 3000;

    /** Its queues are on the brokers that make a topic with its first message; there is none if no broker does so. */
    static final String TOPIC_OF_NEW_TOPICS = TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC;

    private final DefaultMQProducer producer;
    private final long timeoutMillis;
    private final Set<SendStatus> accepted;
    private final MissingTopics missing;
    private final Set<Request> unanswered = ConcurrentHashMap.newKeySet();

    /**
     * Starts a client, which connects when it needs to.
     *
     * @param missing remembers the topics that are not found
     * @param routeInterval how often the name servers are asked which queues topics have
     * @throws MQClientException if the client does not take its settings
     */
    RocketMqClient(RocketMqSettings settings, MissingTopics missing, Duration routeInterval) throws MQClientException {
        this.missing = missing;
        RocketMqSettings.Credentials credentials = settings.credentials();
        RPCHook signing = credentials == null
                ? null
                : new AclClientRPCHook(new SessionCredentials(credentials.accessKey(), credentials.secretKey()));
        String traceTopic = settings.traceTopic().isEmpty() ? null : settings.traceTopic();
        this.producer = new DefaultMQProducer(settings.group(), signing, settings.trace(), traceTopic);
        this.timeoutMillis = settings.sendTimeout().toMillis();
        this.accepted = settings.accepted();
        producer.setNamesrvAddr(settings.nameServers());
        if (!settings.namespace().isEmpty()) {
            producer.setNamespace(settings.namespace());
        }
        producer.setPollNameServerInterval((int) routeInterval.toMillis());
        producer.setInstanceName("sluice-" + UUID.randomUUID()); // clients of one name would share their connections
        producer.setAccessChannel(settings.cloud() ? AccessChannel.CLOUD : AccessChannel.LOCAL);
        producer.setVipChannelEnabled(settings.vipChannel());
        producer.setSendMsgTimeout((int) timeoutMillis);
        producer.setMaxMessageSize(settings.maxMessageBytes());
        producer.setCompressMsgBodyOverHowmuch(
                settings.compressOverBytes() == 0 ? Integer.MAX_VALUE : settings.compressOverBytes());
        producer.setRetryTimesWhenSendFailed(0);
        producer.setRetryTimesWhenSendAsyncFailed(0);
        producer.setUseTLS(false);
        producer.start();
    }

    /** Whether several messages of a topic may go in one request: once its queues are known. */
    boolean takesBatches(String topic) {
        return knownQueues(topic) != null;
    }

    /** The name servers that are asked: of an endpoint with a scheme, what follows it. */
    String nameServers() {
        return producer.getNamesrvAddr();
    }

    /** The name of a topic at the broker: after that of the namespace, which may be in the name of an endpoint. */
    String nameOf(String topic) {
        return producer.withNamespace(topic);
    }

    /** The queues that a topic's messages go to, as the client knows them now; null if it has not looked them up, or there are none. */
    @Nullable List<MessageQueue> knownQueues(String topic) {
        TopicPublishInfo route =
                producer.getDefaultMQProducerImpl().getTopicPublishInfoTable().get(nameOf(topic));
        return route == null || !route.ok() ? null : route.getMessageQueueList();
    }

    /**
     * Sends messages of one topic to one queue in one request: all of them arrive, in their order, or none.
     *
     * @param mayTake which queues messages may go to; none is sent if the partition's is not among them
     * @param answer gets null when they are there, or why that is not known; once, by any thread
     */
    void send(
            String topic,
            int partition,
            List<Message> messages,
            Predicate<MessageQueue> mayTake,
            Consumer<@Nullable RequestFailure> answer) {
        Request request = new Request(topic, partition, mayTake, answer);
        unanswered.add(request);
        try {
            if (messages.size() == 1) {
                // It asks for the topic's queues first, if they are not known, and has them made where brokers do so.
                producer.send(
                        messages.get(0), (all, message, unused) -> request.choose(all), null, request, timeoutMillis);
                return;
            }
            List<MessageQueue> queues = knownQueues(topic);
            if (queues == null) { // they were known when the messages were put together
                throw new NotSentException("the queues of topic %s are not known any more".formatted(topic));
            }
            producer.send(messages, request.choose(queues), request, timeoutMillis);
        } catch (MQClientException | RemotingException | MQBrokerException | RuntimeException e) {
            request.onException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            request.onException(e);
        }
    }

    /** Whether requests are on their way. */
    boolean hasUnanswered() {
        return !unanswered.isEmpty();
    }

    /**
     * Gives up the requests that are not answered: those that wait for a route are not sent any more.
     *
     * @return the queues of the others, which may still be carried out
     */
    Set<MessageQueue> abandon() {
        Set<MessageQueue> queues = new HashSet<>();
        for (Request request : unanswered) {
            request.answered.set(true);
            MessageQueue chosen = request.queue;
            if (chosen != null) {
                queues.add(chosen);
            }
        }
        unanswered.removeIf(request -> request.answered.get());
        return queues;
    }

    /** The queue that a partition's requests go to; empty if the topic's queues are not known. */
    Optional<MessageQueue> queueOf(String topic, int partition) {
        return Optional.ofNullable(knownQueues(topic)).map(queues -> queueOf(queues, partition));
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

    private final class Request implements SendCallback {
        private final String topic;
        private final int partition;
        private final Predicate<MessageQueue> mayTake;
        private final Consumer<@Nullable RequestFailure> answer;
        private final AtomicBoolean answered = new AtomicBoolean();
        private volatile @Nullable MessageQueue queue;

        Request(
                String topic,
                int partition,
                Predicate<MessageQueue> mayTake,
                Consumer<@Nullable RequestFailure> answer) {
            this.topic = topic;
            this.partition = partition;
            this.mayTake = mayTake;
            this.answer = answer;
        }

        MessageQueue choose(List<MessageQueue> queues) {
            if (answered.get()) {
                throw new IllegalStateException("not sent: it was abandoned");
            }
            MessageQueue chosen = queueOf(queues, partition);
            if (!mayTake.test(chosen)) { // it would have been asked if the queues were the same when the message came
                throw new NotSentException(
                        "not sent: partition %d of topic %s has moved to broker %s, which is asked first whether it has done earlier requests"
                                .formatted(partition, topic, brokerOf(chosen)));
            }
            queue = chosen;
            return chosen;
        }

        @Override
        public void onSuccess(SendResult result) {
            SendStatus status = result.getSendStatus();
            missing.found(topic, brokerOf(result.getMessageQueue()));
            if (accepted.contains(status)) {
                answer(null);
            } else {
                answer(new RequestFailure(
                        new MQBrokerException(
                                codeOf(status),
                                "%s took a message and answered %s: it is not stored as safely as the broker is configured to"
                                        .formatted(result.getMessageQueue(), status)),
                        FailureKind.PASSING,
                        null));
            }
        }

        @Override
        public void onException(Throwable failure) {
            Exception cause = failure instanceof Exception e ? e : new IllegalStateException(failure);
            answer(failureOf(cause, topic, queue));
        }

        private void answer(@Nullable RequestFailure failure) {
            unanswered.remove(this);
            if (answered.compareAndSet(false, true)) {
                answer.accept(failure);
            }
        }
    }

    private static int codeOf(SendStatus status) {
        return switch (status) {
            case FLUSH_DISK_TIMEOUT -> ResponseCode.FLUSH_DISK_TIMEOUT;
            case FLUSH_SLAVE_TIMEOUT -> ResponseCode.FLUSH_SLAVE_TIMEOUT;
            case SLAVE_NOT_AVAILABLE -> ResponseCode.SLAVE_NOT_AVAILABLE;
            case SEND_OK -> ResponseCode.SUCCESS;
        };
    }

    private RequestFailure failureOf(Exception cause, String topic, @Nullable MessageQueue queue) {
        for (Throwable next = cause; next != null; next = next.getCause()) {
            if (next instanceof NotSentException notSent) {
                return new RequestFailure(notSent, FailureKind.PASSING, null);
            }
        }
        if (queue == null && cause instanceof MQClientException) {
            return failureWithoutQueue(cause, topic);
        }
        FailureKind kind;
        if (RocketMqErrors.isMissingTopic(cause)) {
            kind = queue == null ? missing.notFound(topic) : missing.notFound(topic, brokerOf(queue));
        } else {
            if (queue != null) {
                missing.found(topic, brokerOf(queue));
            }
            kind = RocketMqErrors.kindOf(cause);
        }
        Exception told = kind == FailureKind.BROKEN
                ? new IllegalStateException(
                        "authentication failed, check %s and %s: %s"
                                .formatted(
                                        RocketMqSettingsReader.ACCESS_KEY,
                                        RocketMqSettingsReader.SECRET_KEY,
                                        cause.getMessage()),
                        cause)
                : cause;
        return new RequestFailure(told, kind, RocketMqErrors.leavesDoubt(cause) ? queue : null);
    }

    /** A topic without permission is always retried: it looks the same as one whose brokers are taken out of the cluster for a while. */
    private RequestFailure failureWithoutQueue(Exception cause, String topic) {
        return switch (absenceOfQueues(topic)) {
            case NO_TOPIC ->
                new RequestFailure(
                        new IllegalStateException("the name servers know no topic " + topic, cause),
                        missing.notFound(topic),
                        null);
            case NO_PERMISSION ->
                new RequestFailure(new IllegalStateException(noPermission(topic), cause), FailureKind.PASSING, null);
            case UNKNOWN -> new RequestFailure(cause, FailureKind.PASSING, null);
        };
    }

    private static String noPermission(String topic) {
        return ("topic %s has no queue that may be written to: check its permission (mqadmin updateTopicPerm) and"
                        + " brokerPermission of its brokers")
                .formatted(topic);
    }

    /** Why a topic has no queues that take messages. */
    private enum AbsenceOfQueues {
        NO_TOPIC,
        NO_PERMISSION,
        UNKNOWN
    }

    private AbsenceOfQueues absenceOfQueues(String topic) {
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
     * The queues of a topic that take messages; makes nothing.
     *
     * @throws MQClientException if there is no such topic, or it has none
     */
    List<MessageQueue> queues(String topic) throws MQClientException {
        return producer.fetchPublishMessageQueues(topic);
    }

    /**
     * Has a queue's broker asked for where the queue ends, with the login of the producer.
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
     * Asks the name servers for the queues of a topic that take messages; none if there is no such topic, or it has none: what is sent then fails, or
     * makes the topic.
     *
     * @throws MQClientException if no name server answers, and none has told the client before
     */
    List<MessageQueue> askQueues(String topic) throws MQClientException {
        try {
            return producer.fetchPublishMessageQueues(topic);
        } catch (MQClientException e) {
            boolean isAnswer = e.getCause() == null
                    || (e.getCause() instanceof MQClientException cause
                            && cause.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST);
            if (isAnswer) {
                return List.of();
            }
            List<MessageQueue> known = knownQueues(topic);
            if (known == null) {
                throw e;
            }
            return known; // where the client sends as long as no name server answers
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
            List<MessageQueue> queues = askQueues(topic);
            if (queues
                    .isEmpty()) { // the client sends to those that it knows as long as the name servers have no others
                List<MessageQueue> known = knownQueues(topic);
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
     * Asks brokers something that changes nothing, all at the same time. One that answers, whatever it says, has received before what was sent to it before
     * on the same connection.
     *
     * @param queues one of each broker, by the broker's name
     * @return what completes when the broker has answered, and fails if it does not in time, or is not reached
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

    /** Sends no more; requests on their way may be left without an answer. */
    @Override
    public void close() {
        producer.shutdown();
    }
}
