package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.FailureKind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.AccessChannel;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;

/**
 * RocketMQ's own producer, with the settings of an instance: sends a request, and reports the answer. What is asked beside that is in
 * {@link RocketMqQueries}.
 *
 * <p>It does not retry. Thread-safe.
 */
@SuppressWarnings("deprecation") // the namespace that canal's consumers know
final class RocketMqClient implements AutoCloseable {
    private final DefaultMQProducer producer;
    private final RocketMqQueries queries;
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
        this.queries = new RocketMqQueries(producer, missing);
    }

    /** Asks with the login and the connections of this client. */
    RocketMqQueries queries() {
        return queries;
    }

    /** Whether several messages of a topic may go in one request: once its queues are known. */
    boolean takesBatches(String topic) {
        return queries.cachedQueues(topic) != null;
    }

    /** The name servers that are asked: of an endpoint with a scheme, what follows it. */
    String nameServers() {
        return producer.getNamesrvAddr();
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
            List<MessageQueue> queues = queries.cachedQueues(topic);
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

    /** Whether requests are on their way, for which a queue has been chosen. */
    boolean hasUnanswered() {
        return unanswered.stream().anyMatch(request -> request.queue != null);
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
        return Optional.ofNullable(queries.cachedQueues(topic))
                .map(queues -> RocketMqQueries.queueOf(queues, partition));
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
            MessageQueue chosen = RocketMqQueries.queueOf(queues, partition);
            if (!mayTake.test(chosen)) { // it would have been asked if the queues were the same when the message came
                throw new NotSentException(
                        "not sent: partition %d of topic %s has moved to broker %s, which is asked first whether it has done earlier requests"
                                .formatted(partition, topic, queries.brokerOf(chosen)));
            }
            queue = chosen;
            return chosen;
        }

        @Override
        public void onSuccess(SendResult result) {
            SendStatus status = result.getSendStatus();
            missing.found(topic, queries.brokerOf(result.getMessageQueue()));
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
            kind = queue == null ? missing.notFound(topic) : missing.notFound(topic, queries.brokerOf(queue));
        } else {
            if (queue != null) {
                missing.found(topic, queries.brokerOf(queue));
            }
            kind = RocketMqErrors.kindOf(cause);
        }
        Exception told = kind == FailureKind.BROKEN ? RocketMqErrors.notAdmitted(cause) : cause;
        return new RequestFailure(told, kind, RocketMqErrors.leavesDoubt(cause) ? queue : null);
    }

    /** A topic without permission is always retried: it looks the same as one whose brokers are taken out of the cluster for a while. */
    private RequestFailure failureWithoutQueue(Exception cause, String topic) {
        return switch (queries.absenceOfQueues(topic)) {
            case NO_TOPIC ->
                new RequestFailure(
                        new IllegalStateException("the name servers know no topic " + topic, cause),
                        missing.notFound(topic),
                        null);
            case NO_PERMISSION ->
                new RequestFailure(
                        new IllegalStateException(RocketMqQueries.noPermission(topic), cause),
                        FailureKind.PASSING,
                        null);
            case UNKNOWN -> new RequestFailure(cause, FailureKind.PASSING, null);
        };
    }

    /** Sends no more; requests on their way may be left without an answer. */
    @Override
    public void close() {
        producer.shutdown();
    }
}
