package io.sluice.connector.kafka.produce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.failure.DeliveryTimeoutException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends record batches to the leaders of their partitions, on a thread of its own, until it is stopped or something fails.
 *
 * <p>Batches of a partition are stored in the order in which they were submitted, each once, and without a gap: see
 * {@link PartitionQueue}. Failures that pass are retried until {@code delivery.timeout.ms} without progress; every other one ends the loop, and
 * all that is not acknowledged fails. So nothing is stored after a batch that failed.
 *
 * <p>Nothing is gathered here, but for {@code linger.ms}: what was submitted is sent as soon as its broker may be sent another
 * request.
 */
public final class ProduceLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ProduceLoop.class);

    /** The longest wait for answers, submissions and the network, whatever there is to do. */
    private static final long MAX_POLL_MILLIS = 1_000;

    private static final long MILLI = 1_000_000;

    /** How often the messages that are left are answered if that throws something. */
    private static final int MAX_TRIES = 3;

    private final Cluster cluster;
    private final NetworkClient client;
    private final ProduceOptions options;
    private final ProduceListener listener;
    private final ProducerIdRequest idRequest;
    private final AnswerReader answers;
    private final AnswerTimes answerTimes;
    private final Time time;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Made before it is needed, since there is no memory for it then. */
    private final KafkaException outOfMemory = new KafkaException("out of memory while sending to Kafka");

    private final Object submitting = new Object();

    @GuardedBy("submitting") private final Deque<OutgoingBatch> submitted = new ArrayDeque<>();

    @GuardedBy("submitting") private boolean isClosed;

    @GuardedBy("submitting") private long unanswered;

    /** Whether the loop waits for answers, or is about to: then a submission wakes it. */
    @GuardedBy("submitting") private boolean isWaiting;

    private volatile @Nullable Exception stopCause;
    private volatile boolean isFlushing;

    /** Written by the loop's thread. */
    private volatile @Nullable ProducerIdAndEpoch producer;

    private final Map<String, Map<Integer, PartitionQueue>> queues = new HashMap<>();

    /** The partitions with batches to be sent; the one that was sent to last comes last. */
    private final Set<PartitionQueue> active = new LinkedHashSet<>();

    /** Submitted, and not yet in the queue of their partition. */
    private final Deque<OutgoingBatch> taken = new ArrayDeque<>();

    /** Answered by a failure, while a connection may still read their bytes. */
    private final List<OutgoingBatch> failed = new ArrayList<>();

    /**
     * The batches that are in no queue any more, and are being answered. Something was thrown meanwhile if there are some at any other time; then the loop
     * answers the rest when it ends.
     */
    private List<OutgoingBatch> answering = List.of();

    /** Whether the callback of a message has thrown something when the loop ended. */
    private boolean isAnyRefused;

    private final Backlog backlog = new Backlog();

    private long nextExpiryNanos;

    /**
     * Makes a loop, which does nothing before it is started.
     *
     * @param threads makes the thread that sends
     * @param cluster closed with the loop
     * @param former the identity to continue; null to ask for a new one
     * @param splitter makes smaller batches of one that a broker has found too large, or in which it has not named the invalid record
     */
    public ProduceLoop(
            ThreadFactory threads,
            Cluster cluster,
            ProduceOptions options,
            @Nullable ProducerIdAndEpoch former,
            BatchSplitter splitter,
            ProduceListener listener,
            Time time) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.options = options;
        this.listener = listener;
        this.time = time;
        this.producer = former == null ? null : next(former);
        this.idRequest = new ProducerIdRequest(cluster, options);
        this.answers = new AnswerReader(this, cluster, options, splitter, listener, time);
        this.answerTimes = new AnswerTimes(options.requestTimeout());
        this.thread = threads.newThread(this::run);
        this.thread.setDaemon(true);
        this.nextExpiryNanos = time.nanos();
    }

    private static @Nullable ProducerIdAndEpoch next(ProducerIdAndEpoch former) {
        ProducerIdAndEpoch next = former.next();
        if (next == null) {
            LOG.info("all epochs of a producer id are used up, taking a new one: producerId={}", former.id());
        } else {
            LOG.info("continuing a producer id: producerId={} epoch={}", next.id(), next.epoch());
        }
        return next;
    }

    /** Begins to send. If no thread can be started, the loop ends. */
    public void start() {
        try {
            thread.start();
        } catch (Throwable e) { // such as an Error because no native thread can be started: nothing else would end the
            // loop
            finish();
            throw e;
        }
    }

    /**
     * Takes record batches, to be sent as soon as may be. May be called by any thread.
     *
     * @param callbacks one for each message that was prepared; all are called, if the loop has ended by this call's own thread
     */
    public void submit(PreparedRecords records, List<? extends DeliveryCallback> callbacks) {
        long now = time.nanos();
        boolean isTooLate;
        boolean wakes;
        synchronized (submitting) {
            isTooLate = isClosed;
            wakes = isWaiting;
            if (!isTooLate) {
                for (RecordBatch next : records.batches()) {
                    submitted.addLast(new OutgoingBatch(next, callbacks, now));
                }
                unanswered += records.batches().size();
            }
        }
        if (isTooLate) {
            Exception cause = causeOfEnd();
            callbacks.forEach(callback -> listener.failAfter(cause, callback));
        } else if (wakes) {
            client.wakeup();
        }
    }

    private Exception causeOfEnd() {
        Exception cause = stopCause;
        return cause == null ? new KafkaException("the connection was closed") : cause;
    }

    /** Whether the brokers' answers limit what is sent, so that there is time to prepare more at once. May be asked by any thread. */
    public boolean isBacklogged() {
        return backlog.isThere();
    }

    /** Sends what lingers, and waits until all that was submitted is answered, or the limit has passed. */
    public void awaitAnswers(Duration limit) throws InterruptedException {
        long deadline = time.nanos() + limit.toNanos();
        isFlushing = true;
        client.wakeup();
        try {
            synchronized (submitting) {
                while (unanswered > 0) {
                    long left = (deadline - time.nanos()) / MILLI;
                    if (left <= 0) {
                        return;
                    }
                    submitting.wait(left);
                }
            }
        } finally {
            isFlushing = false;
        }
    }

    /** Ends the loop soon: nothing more is sent, and what is not answered fails. May be called by any thread; waits for nothing. */
    public void stop(Exception cause) {
        if (stopCause == null) {
            stopCause = cause;
        }
        cluster.wakeAll();
    }

    /** Waits until the loop has ended, after {@link #stop}: then no byte leaves any more. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Waits until the loop has ended, at most so long. */
    public void awaitEnd(Duration limit) throws InterruptedException {
        boolean unused = ended.await(limit.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
    }

    /** The identity by which brokers know what was sent, to be continued; null if there is none. To be asked after {@link #stop}. */
    public @Nullable ProducerIdAndEpoch producer() {
        return producer;
    }

    private void run() {
        try {
            while (stopCause == null) {
                turn();
            }
        } catch (Throwable e) { // the top of the thread: all that waits for answers must get them
            endUnexpectedly(e);
        } finally {
            finish();
        }
    }

    private void finish() {
        try {
            answerRest(closeCluster());
        } finally {
            ended.countDown();
        }
    }

    /** Ends the loop because of a defect, or because memory ran out. */
    private void endUnexpectedly(Throwable e) {
        if (e instanceof OutOfMemoryError) {
            end(outOfMemory, null);
        } else {
            end(e instanceof Exception failure ? failure : new KafkaException(e), null);
        }
        LOG.error("sending to Kafka ended by a failure", e);
    }

    /** Returns whether nothing can read the batches' bytes any more. */
    private boolean closeCluster() {
        try {
            cluster.close();
            return true;
        } catch (Throwable e) { // the end of the thread: all that waits for answers must get them all the same
            tryTo(() -> LOG.warn("a connection to Kafka was not closed properly", e));
            return false;
        }
    }

    /** Logs at the end of the thread, which must not end by that, as when memory ran out. */
    private static void tryTo(Runnable log) {
        try {
            log.run();
        } catch (Throwable e) {
            return;
        }
    }

    /**
     * Reports a failure, after which the loop ends.
     *
     * @param topic that of the batch that has failed; null if it was none
     */
    void end(Exception cause, @Nullable String topic) {
        try {
            listener.ended(cause, topic);
        } finally {
            if (stopCause == null) {
                stop(cause);
            }
        }
    }

    boolean isEnding() {
        return stopCause != null;
    }

    private void turn() {
        takeSubmitted();
        long now = time.nanos();
        long wait = MAX_POLL_MILLIS;
        ProducerIdAndEpoch current = producer;
        if (current == null) {
            wait = Math.min(wait, idRequest.poll(this::takeIdentity));
        } else {
            wait = Math.min(wait, sendAll(current, now));
        }
        backlog.note(active);
        wait = Math.min(wait, expire(now));
        client.poll(beginWait(wait), cluster.nowMillis());
    }

    /** Returns how long to wait, which is not at all if something was submitted; what is submitted from then on wakes the loop. */
    long beginWait(long longest) {
        synchronized (submitting) {
            isWaiting = true;
            return submitted.isEmpty() && stopCause == null ? longest : 0;
        }
    }

    private void takeIdentity(ProducerIdAndEpoch given, @Nullable Exception failure) {
        if (failure == null) {
            producer = given;
        } else {
            failConnection(failure);
        }
    }

    /** Ends the loop because of a failure that is not that of a message; without messages it continues until there is a message to fail. */
    private void failConnection(Exception cause) {
        for (PartitionQueue queue : active) {
            failQueue(queue, cause);
            return;
        }
    }

    private void failQueue(PartitionQueue queue, Exception cause) {
        end(cause, queue.topic());
        List<OutgoingBatch> left = queue.drain();
        beginAnswers(left);
        failed.addAll(left);
        for (OutgoingBatch batch : left) {
            batch.answer(record -> listener.fail(cause, batch.callback(record)));
        }
        endAnswers();
    }

    void takeSubmitted() {
        synchronized (submitting) {
            isWaiting = false;
            taken.addAll(submitted);
            submitted.clear();
        }
        while (!taken.isEmpty()) {
            OutgoingBatch next = taken.peekFirst();
            PartitionQueue queue =
                    queueOf(next.records().topic(), next.records().partition());
            active.add(queue);
            queue.add(next);
            taken.removeFirst();
        }
    }

    PartitionQueue queueOf(String topic, int partition) {
        return queues.computeIfAbsent(topic, name -> new HashMap<>())
                .computeIfAbsent(partition, number -> new PartitionQueue(topic, number, options.maxInFlight()));
    }

    /** Sends what may be sent now; returns after how many milliseconds there may be more, without an answer. */
    private long sendAll(ProducerIdAndEpoch current, long now) {
        long wait = MAX_POLL_MILLIS;
        boolean isAnySent = true;
        while (isAnySent && stopCause == null) {
            Map<Node, Request> requests = new LinkedHashMap<>();
            Set<Node> unready = new HashSet<>();
            wait = MAX_POLL_MILLIS;
            for (PartitionQueue queue : List.copyOf(active)) {
                wait = Math.min(wait, gather(queue, current, now, requests, unready));
                if (stopCause != null) {
                    return 0; // what was gathered fails with the rest
                }
            }
            for (Request request : requests.values()) {
                Exception reason = listener.reasonToEnd();
                if (reason != null) {
                    end(reason, null);
                    return 0;
                }
                send(request);
            }
            isAnySent = !requests.isEmpty();
        }
        return wait;
    }

    /** Adds the next batch of a partition to the request for its leader; returns when to check it again, in milliseconds. */
    private long gather(
            PartitionQueue queue,
            ProducerIdAndEpoch current,
            long now,
            Map<Node, Request> requests,
            Set<Node> unready) {
        OutgoingBatch next = queue.sendable(now);
        if (next == null) {
            long backOff = queue.backOffNanos(now);
            return backOff == 0 ? MAX_POLL_MILLIS : backOff / MILLI + 1;
        }
        long lingers = options.linger().toNanos() - (now - next.submittedNanos());
        if (lingers > 0 && !isFlushing && !next.hasSequence()) {
            return lingers / MILLI + 1;
        }
        Node leader;
        try {
            leader = cluster.leaderOf(new TopicPartition(queue.topic(), queue.partition()));
        } catch (KafkaException e) {
            failQueue(queue, e);
            return 0;
        }
        if (leader == null) {
            return options.retryBackoff().toMillis();
        }
        if (queue.isAnyElsewhere(leader.id(), cluster.topicIdOf(queue.topic()))) {
            return MAX_POLL_MILLIS;
        }
        if (unready.contains(leader)) {
            refreshIfLate(next, leader, now);
            return MAX_POLL_MILLIS;
        }
        Request request = requests.get(leader);
        if (request == null) {
            long nowMillis = cluster.nowMillis();
            if (!client.ready(leader, nowMillis)) {
                unready.add(leader);
                Exception failure = client.authenticationException(leader);
                if (failure != null) {
                    failQueue(queue, failure);
                } else {
                    refreshIfLate(next, leader, now);
                }
                return Math.max(1, client.pollDelayMs(leader, nowMillis));
            }
            int inFlight = client.inFlightRequestCount(leader.idString());
            if (!queue.isLarge(next) && inFlight >= ProduceOptions.REMEMBERED) {
                return MAX_POLL_MILLIS; // it waits for others, to be sent with them
            }
            if (inFlight >= answerTimes.maxInFlight(leader.idString())) {
                return MAX_POLL_MILLIS;
            }
            request = new Request(leader);
            requests.put(leader, request);
        }
        if (!request.hasRoomFor(next, options.maxRequestBytes())) {
            return 0;
        }
        request.add(queue, queue.takeNext(current, now));
        active.remove(queue);
        if (queue.hasUnsent()) {
            active.add(queue); // the others first
        }
        return MAX_POLL_MILLIS;
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
                || now - later(next.submittedNanos(), answerTimes.lastOf(leader.idString()))
                        >= options.maxRetryBackoff().toNanos()) {
            cluster.refresh();
        }
    }

    private void send(Request request) {
        long now = cluster.nowMillis();
        request.topics().forEach(cluster::keep);
        ClientRequest made = client.newClientRequest(
                request.node().idString(),
                request.builder(
                        cluster.topicIds(), (int) options.requestTimeout().toMillis()),
                now,
                true,
                (int) options.requestTimeout().toMillis(),
                response -> answered(request, response));
        client.send(made, now);
    }

    /** Reads an answer. Nothing is thrown to Kafka's client, which would log it and continue. */
    void answered(Request request, ClientResponse response) {
        if (!answering.isEmpty()) {
            return; // the loop ends: the batches of this request fail with the rest
        }
        answerTimes.note(response, time.nanos());
        try {
            answers.read(request, response);
        } catch (RuntimeException e) {
            endUnexpectedly(e);
            return;
        }
        for (PartitionQueue queue : request.queues()) {
            if (queue.hasUnsent()) {
                active.add(queue);
            }
        }
    }

    /** Ends the loop if a partition makes no progress in time; returns after how many milliseconds to check again. */
    long expire(long now) {
        if (nextExpiryNanos - now > 0) {
            return (nextExpiryNanos - now) / MILLI + 1;
        }
        long limit = options.deliveryTimeout().toNanos();
        long next = now + limit;
        for (Map<Integer, PartitionQueue> ofTopic : queues.values()) {
            for (PartitionQueue queue : ofTopic.values()) {
                Long since = progressOf(queue, now - limit);
                if (since != null && now - since >= limit) {
                    failQueue(queue, timeoutOf(queue));
                    return 0;
                }
                next = since == null || since + limit - next > 0 ? next : since + limit;
            }
        }
        nextExpiryNanos = next;
        return (next - now) / MILLI + 1;
    }

    /**
     * Since when a partition has made no progress, later than now during a pause by which its broker keeps a quota. What was never sent waits its
     * turn while the broker answers others.
     */
    private @Nullable Long progressOf(PartitionQueue queue, long oldestAllowed) {
        Long since = queue.progressNanos();
        if (since == null || since - oldestAllowed > 0) {
            return since;
        }
        Node leader = cluster.knownLeaderOf(new TopicPartition(queue.topic(), queue.partition()));
        if (leader == null) {
            return since;
        }
        Long answered = queue.isNothingSent() ? answerTimes.lastOf(leader.idString()) : null;
        return later(later(since, answered), answerTimes.throttleEndOf(leader.idString()));
    }

    private static Long later(Long one, @Nullable Long other) {
        return other == null || other - one < 0 ? one : other;
    }

    /** The failure of batches that are not acknowledged in time, with what has kept them from it. */
    DeliveryTimeoutException timeoutOf(PartitionQueue queue) {
        KafkaException obstacle = cluster.obstacleTo(new TopicPartition(queue.topic(), queue.partition()));
        return new DeliveryTimeoutException(
                queue.topic(),
                queue.partition(),
                options.deliveryTimeout().toMillis(),
                obstacle == null ? queue.newestFailure() : obstacle);
    }

    /** Notes that batches which are in no queue any more are answered next. */
    void beginAnswers(List<OutgoingBatch> batches) {
        answering = batches;
    }

    /** Notes that they were answered; those of a batch that is split are counted when all are. */
    void endAnswers() {
        int batches = answering.size();
        answering = List.of();
        synchronized (submitting) {
            unanswered -= batches;
            if (unanswered <= 0) {
                submitting.notifyAll();
            }
        }
    }

    /** Notes that a batch was replaced by others. */
    void countSplit(int added) {
        synchronized (submitting) {
            unanswered += added;
        }
    }

    /** Answers all that is left, and gives the buffers back if nothing can read them any more. */
    private void answerRest(boolean isClosedForReading) {
        synchronized (submitting) {
            isClosed = true;
        }
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            try {
                failRest(isClosedForReading);
                return;
            } catch (Throwable e) { // the end of the thread, because memory ran out, of which there may be some again
                tryTo(() -> LOG.warn("messages were not answered", e));
            }
        }
    }

    /** Can be called again after it has thrown something. */
    private void failRest(boolean isClosedForReading) {
        if (isClosedForReading) {
            failed.forEach(batch -> batch.records().release());
        }
        Exception cause = causeOfEnd();
        failAll(answering, cause, isClosedForReading);
        for (Map<Integer, PartitionQueue> ofTopic : queues.values()) {
            for (PartitionQueue queue : ofTopic.values()) {
                beginAnswers(queue.drain());
                failAll(answering, cause, isClosedForReading);
            }
        }
        synchronized (submitting) {
            beginAnswers(new ArrayList<>(submitted));
        }
        failAll(taken, cause, isClosedForReading);
        failAll(answering, cause, isClosedForReading);
        synchronized (submitting) {
            submitted.clear();
            unanswered = 0; // also of batches whose split has failed half-way
            submitting.notifyAll();
        }
    }

    private void failAll(Collection<OutgoingBatch> batches, Exception cause, boolean isClosedForReading) {
        for (OutgoingBatch batch : batches) {
            if (isClosedForReading) {
                batch.records().release();
            }
            batch.answer(record -> failAfter(cause, batch.callback(record)));
        }
    }

    /** What one callback throws does not keep the others from their answers. */
    private void failAfter(Exception cause, DeliveryCallback callback) {
        try {
            listener.failAfter(cause, callback);
        } catch (Throwable e) { // the end of the thread: nothing else can be done for the message
            if (!isAnyRefused) {
                isAnyRefused = true;
                tryTo(() -> LOG.warn("a message was not answered, since its callback has failed", e));
            }
        }
    }
}
