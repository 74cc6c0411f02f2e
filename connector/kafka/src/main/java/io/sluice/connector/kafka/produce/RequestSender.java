package io.sluice.connector.kafka.produce;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * Sends the batches that may be sent now to the leaders of their partitions: round by round one request for each leader, with a batch of as
 * many partitions as have room in it. For the loop's thread alone.
 */
final class RequestSender {
    /** The longest wait until batches are looked at again, whatever they wait for. */
    static final long MAX_WAIT_MILLIS = 1_000;

    private static final long MILLI = 1_000_000;

    private final Cluster cluster;
    private final NetworkClient client;
    private final ProduceOptions options;
    private final PartitionQueues queues;
    private final SubmittedBatches submitted;
    private final AnswerTimes answerTimes;
    private final AnswerReader reader;
    private final MessageAnswers answers;
    private final StopCause stop;

    /**
     * Has sent nothing.
     *
     * @param submitted knows whether nothing is to linger
     * @param reader reads the answers to the requests
     * @param answers answers the batches of a partition that cannot be sent to
     */
    RequestSender(
            Cluster cluster,
            ProduceOptions options,
            PartitionQueues queues,
            SubmittedBatches submitted,
            AnswerTimes answerTimes,
            AnswerReader reader,
            MessageAnswers answers,
            StopCause stop) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.options = options;
        this.queues = queues;
        this.submitted = submitted;
        this.answerTimes = answerTimes;
        this.reader = reader;
        this.answers = answers;
        this.stop = stop;
    }

    /** Sends what may be sent now; returns after how many milliseconds there may be more, without an answer. */
    long sendAll(ProducerIdAndEpoch producer, long now) {
        long wait = MAX_WAIT_MILLIS;
        boolean isAnySent = true;
        while (isAnySent && !stop.isSet()) {
            Round round = new Round(producer, now);
            wait = MAX_WAIT_MILLIS;
            for (PartitionQueue queue : List.copyOf(queues.active())) {
                wait = Math.min(wait, round.gather(queue));
                if (stop.isSet()) {
                    return 0; // what was gathered fails with the rest
                }
            }
            for (Request request : round.requests.values()) {
                if (!stop.mayContinue()) {
                    return 0;
                }
                send(request);
            }
            isAnySent = !round.requests.isEmpty();
        }
        return wait;
    }

    /** Gathers at most one batch of each partition. */
    private final class Round {
        private final ProducerIdAndEpoch producer;
        private final long now;
        private final Map<Node, Request> requests = new LinkedHashMap<>();

        /** The leaders to which there is no connection yet. */
        private final Set<Node> unready = new HashSet<>();

        Round(ProducerIdAndEpoch producer, long now) {
            this.producer = producer;
            this.now = now;
        }

        /** Adds the next batch of a partition to the request for its leader; returns when to check it again, in milliseconds. */
        long gather(PartitionQueue queue) {
            OutgoingBatch next = queue.sendable(now);
            if (next == null) {
                long backOff = queue.backOffNanos(now);
                return backOff == 0 ? MAX_WAIT_MILLIS : backOff / MILLI + 1;
            }
            long lingers = options.linger().toNanos() - (now - next.submittedNanos());
            if (lingers > 0 && !submitted.isFlushing() && !next.hasSequence()) {
                return lingers / MILLI + 1;
            }
            Node leader;
            try {
                leader = cluster.leaderOf(new TopicPartition(queue.topic(), queue.partition()));
            } catch (KafkaException e) {
                answers.fail(queue, e);
                return 0;
            }
            if (leader == null) {
                return options.retryBackoff().toMillis();
            }
            if (queue.isAnyElsewhere(leader.id(), cluster.topicIdOf(queue.topic()))) {
                return MAX_WAIT_MILLIS;
            }
            if (unready.contains(leader)) {
                refreshIfLate(next, leader, now);
                return MAX_WAIT_MILLIS;
            }
            Request request = requests.get(leader);
            if (request == null) {
                long nowMillis = cluster.nowMillis();
                if (!client.ready(leader, nowMillis)) {
                    unready.add(leader);
                    return awaitConnection(queue, next, leader, nowMillis);
                }
                if (isBusy(leader, queue.isLarge(next))) {
                    return MAX_WAIT_MILLIS;
                }
                request = new Request(leader);
                requests.put(leader, request);
            }
            if (!request.hasRoomFor(next, options.maxRequestBytes())) {
                return 0;
            }
            request.add(queue, queue.takeNext(producer, now));
            queues.noteSent(queue);
            return MAX_WAIT_MILLIS;
        }

        private long awaitConnection(PartitionQueue queue, OutgoingBatch next, Node leader, long nowMillis) {
            Exception failure = client.authenticationException(leader);
            if (failure != null) {
                answers.fail(queue, failure);
            } else {
                refreshIfLate(next, leader, now);
            }
            return Math.max(1, client.pollDelayMs(leader, nowMillis));
        }
    }

    /** Whether as many requests are in flight to a leader as may be; a small batch waits for others, to be sent with them. */
    private boolean isBusy(Node leader, boolean isLarge) {
        int inFlight = client.inFlightRequestCount(leader.idString());
        return !isLarge && inFlight >= ProduceOptions.REMEMBERED
                || inFlight >= answerTimes.maxInFlight(leader.idString());
    }

    /**
     * Has the brokers asked for the leaders if a batch has to be sent again, or waits for long, while its leader cannot be sent to and answers nothing:
     * another one may lead while that one takes connections. A leader that has asked for a pause to keep a quota answers after it.
     */
    private void refreshIfLate(OutgoingBatch next, Node leader, long now) {
        if (client.throttleDelayMs(leader, cluster.nowMillis()) > 0) {
            return;
        }
        if (next.attempts() > 0
                || now - AnswerTimes.later(next.submittedNanos(), answerTimes.lastOf(leader.idString()))
                        >= options.maxRetryBackoff().toNanos()) {
            cluster.refresh();
        }
    }

    private void send(Request request) {
        long now = cluster.nowMillis();
        int timeoutMillis = (int) options.requestTimeout().toMillis();
        request.topics().forEach(cluster::keep);
        ClientRequest made = client.newClientRequest(
                request.node().idString(),
                request.builder(cluster.topicIds(), timeoutMillis),
                now,
                true,
                timeoutMillis,
                response -> reader.read(request, response));
        client.send(made, now);
    }
}
