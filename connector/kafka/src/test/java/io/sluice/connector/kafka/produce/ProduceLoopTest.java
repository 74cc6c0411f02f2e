package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.testkit.time.HandTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop without a broker. */
@Timeout(300)
class ProduceLoopTest {
    private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(2);
    private static final ProducerIdAndEpoch PRODUCER = new ProducerIdAndEpoch(1, (short) 0);

    private final HandTime time = new HandTime();
    private final RecordBatchWriter writer =
            new RecordBatchWriter(Compression.NONE, List.of(), BatchBuffers.forHeap(1 << 20), time);
    private final BatchLimits limits = new BatchLimits(1_000);
    private final List<Integer> answered = Collections.synchronizedList(new ArrayList<>());
    private final Cluster cluster = ClusterTest.unconnected();
    private final ProduceLoop loop = loop(Thread::new);

    private ProduceLoop loop(ThreadFactory threads) {
        return new ProduceLoop(
                threads,
                cluster,
                new ProduceOptions(
                        1_000_000,
                        5,
                        Duration.ofSeconds(10),
                        DELIVERY_TIMEOUT,
                        Duration.ofMillis(10),
                        Duration.ofSeconds(1),
                        Duration.ZERO),
                PRODUCER,
                new BatchSplitter(writer, limits),
                new EndingListener(cause -> this.loop.stop(cause)),
                time);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Nothing would ever be sent again if one message stayed without an answer. */
    @Test
    void everyMessageIsAnsweredThoughMemoryIsUsedUpMeanwhile() throws Exception {
        submit(20, Set.of(3, 4, 11, 19));
        loop.start();
        time.pass(DELIVERY_TIMEOUT);
        loop.awaitEnd();

        assertThat(answered).contains(IntStream.range(0, 20).boxed().toArray(Integer[]::new));
        loop.awaitAnswers(Duration.ofDays(1));
    }

    /** As through a slow line: all would be sent again otherwise, and again. */
    @Test
    void aPartitionThatIsAcknowledgedSteadilyDoesNotTimeOut() {
        PartitionQueue queue = loop.queueOf("shop", 0);
        for (int i = 0; i < 10; i++) {
            Message message = new Message("shop", 0, new byte[10]);
            RecordBatch records =
                    writer.write(List.of(message), limits::limitOf).batches().get(0);
            queue.add(new OutgoingBatch(records, List.of(callback(i, false)), time.nanos()));
        }
        OutgoingBatch first = queue.takeNext(PRODUCER, time.nanos());
        for (int offset = 0; offset < 9; offset++) {
            OutgoingBatch second = queue.takeNext(PRODUCER, time.nanos());
            time.passSeconds(100);
            long unused = loop.expire(time.nanos());
            assertThat(loop.isEnding()).isFalse();
            assertThat(queue.acknowledged(first, offset, time.nanos())).containsExactly(first);
            first = second;
        }

        time.pass(DELIVERY_TIMEOUT);
        long unused = loop.expire(time.nanos());

        assertThat(loop.isEnding()).isTrue();
        assertThat(answered).containsExactly(9);
    }

    /** What is in flight is not answered meanwhile, and a new connection would have it stored and throttled again. */
    @Test
    void aPauseByWhichABrokerKeepsAQuotaIsNoTimeWithoutProgress() {
        ClusterTest.update(cluster, new Uuid(1, 1), Errors.NONE, 1);
        cluster.keep("shop");
        ClusterTest.update(cluster, new Uuid(1, 1), Errors.NONE, 1);
        PartitionQueue queue = loop.queueOf("shop", 0);
        RecordBatch records = writer.write(List.of(new Message("shop", 0, new byte[10])), limits::limitOf)
                .batches()
                .get(0);
        queue.add(new OutgoingBatch(records, List.of(callback(7, false)), time.nanos()));
        OutgoingBatch unused = queue.takeNext(PRODUCER, time.nanos());
        Duration pause = DELIVERY_TIMEOUT.multipliedBy(3);
        ProduceResponse body = new ProduceResponse(new ProduceResponseData().setThrottleTimeMs((int) pause.toMillis()));
        RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, (short) 9, "test", 1);
        loop.answered(
                new Request(new Node(1, "127.0.0.1", 1)),
                new ClientResponse(header, null, "1", 0, 1, false, false, null, null, body));

        time.pass(pause);
        long untilTimeout = loop.expire(time.nanos());
        assertThat(loop.isEnding()).isFalse();
        assertThat(untilTimeout).isBetween(DELIVERY_TIMEOUT.toMillis(), DELIVERY_TIMEOUT.toMillis() + 1);
        time.pass(DELIVERY_TIMEOUT);
        untilTimeout = loop.expire(time.nanos());

        assertThat(loop.isEnding()).isTrue();
        assertThat(untilTimeout).isZero();
        assertThat(answered).containsExactly(7);
    }

    /** Such as one that is paused: the time until a request to it fails, or a further one, would be lost. */
    @Test
    void theBrokersAreAskedForTheLeaderWhileTheFormerOneTakesConnectionsAndDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            cluster.keep("shop");
            ClusterTest.updateWithBrokerAt(silent.getLocalPort(), cluster, new Uuid(1, 1), 1);
            PartitionQueue queue = loop.queueOf("shop", 0);
            RecordBatch records = writer.write(List.of(new Message("shop", 0, new byte[10])), limits::limitOf)
                    .batches()
                    .get(0);
            queue.add(new OutgoingBatch(records, List.of(callback(0, false)), time.nanos()));
            Request request = new Request(new Node(1, "127.0.0.1", silent.getLocalPort()));
            request.add(queue, queue.takeNext(PRODUCER, time.nanos()));
            RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, (short) 9, "test", 1);
            loop.answered(request, new ClientResponse(header, null, "1", 0, 0, true, null, null, null));
            ClusterTest.updateWithBrokerAt(silent.getLocalPort(), cluster, new Uuid(1, 1), 1);
            assertThat(cluster.metadata().updateRequested()).isFalse();
            time.passSeconds(1);

            loop.start();

            await().until(() -> cluster.metadata().updateRequested());
            loop.stop(new KafkaException("the end of the test"));
            loop.awaitEnd();
        }
    }

    /** Whichever of them the loop looks at first. */
    @Test
    void theBrokersAreAskedForTheLeaderAlsoIfABatchThatWasNotSentIsInFrontOfOneThatWas() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            state(List.of(1, 1), Map.of(1, silent.getLocalPort()));
            submit(1, 1);
            PartitionQueue queue = loop.queueOf("shop", 0);
            Request request = inFlight(queue, 1);
            loop.takeSubmitted();
            RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, (short) 9, "test", 1);
            loop.answered(request, new ClientResponse(header, null, "1", 0, 0, true, null, null, null));
            state(List.of(1, 1), Map.of(1, silent.getLocalPort()));
            assertThat(cluster.metadata().updateRequested()).isFalse();
            time.pass(Duration.ofMillis(100)); // the failed one's back-off

            startAndAwaitQuestion();
        }
    }

    /** As after a connection was closed because it was idle, when the leader is paused meanwhile. */
    @Test
    void theBrokersAreAskedForTheLeaderAlsoIfNothingWasSentToTheFormerOne() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            state(List.of(1), Map.of(1, silent.getLocalPort()));
            submit(0, 1);
            assertThat(cluster.metadata().updateRequested()).isFalse();
            time.passSeconds(1);

            startAndAwaitQuestion();
        }
    }

    /** Two leaders: a partition is looked at that must wait, and then another one, for which the loop connects. */
    @Test
    void noBatchIsSentToTheNextLeaderWhileOneIsUnansweredAtTheFormerOne() throws Exception {
        try (ServerSocketChannel next = ServerSocketChannel.open();
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            next.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            Map<Integer, Integer> ports = Map.of(1, 1, 2, next.socket().getLocalPort(), 3, other.getLocalPort());
            state(List.of(1, 3), ports);
            Request unused = inFlight(loop.queueOf("shop", 0), 1);
            state(List.of(2, 3), ports);
            submit(0, 1);
            submit(1, 1);
            other.setSoTimeout(60_000);

            loop.start();

            try (Socket connected = other.accept()) {
                assertThat(connected.isConnected()).isTrue();
            }
            endLoop();
            assertThat(next.accept()).as("a connection to the next leader").isNull();
        }
    }

    /** To the same one, and to the same topic, there may be several. */
    @Test
    void aFurtherBatchIsSentToALeaderAtWhichOneIsUnanswered() throws Exception {
        try (ServerSocket leader = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            state(List.of(1), Map.of(1, leader.getLocalPort()));
            Request unused = inFlight(loop.queueOf("shop", 0), 1);
            submit(0, 1);
            leader.setSoTimeout(60_000);

            loop.start();

            try (Socket connected = leader.accept()) {
                assertThat(connected.isConnected()).isTrue();
            }
            endLoop();
        }
    }

    /** Has the brokers state the leader of each partition. */
    private void state(List<Integer> leaders, Map<Integer, Integer> ports) {
        cluster.keep("shop");
        ClusterTest.updateWithLeaders(ports, leaders, cluster, new Uuid(1, 1));
    }

    /** Takes a batch of a partition for a broker, as it is sent, after one that was acknowledged, so that another one may follow. */
    private Request inFlight(PartitionQueue queue, int broker) {
        queue.add(batchOf(queue.partition(), 100));
        queue.add(batchOf(queue.partition(), 101));
        OutgoingBatch first = queue.takeNext(PRODUCER, time.nanos());
        assertThat(queue.acknowledged(first, 0, time.nanos())).containsExactly(first);
        Request request = new Request(new Node(broker, "127.0.0.1", 1));
        request.add(queue, queue.takeNext(PRODUCER, time.nanos()));
        assertThat(request.builder(cluster.topicIds(), 1)).isNotNull();
        return request;
    }

    private OutgoingBatch batchOf(int partition, int number) {
        RecordBatch records = writer.write(List.of(new Message("shop", partition, new byte[10])), limits::limitOf)
                .batches()
                .get(0);
        return new OutgoingBatch(records, List.of(callback(number, false)), time.nanos());
    }

    private void submit(int partition, int number) {
        submitTo(loop, partition, number);
    }

    private void submitTo(ProduceLoop to, int partition, int number) {
        to.submit(
                writer.write(List.of(new Message("shop", partition, new byte[10])), limits::limitOf),
                List.of(callback(number, false)));
    }

    /** Runs the loop until the brokers are to be asked. */
    private void startAndAwaitQuestion() throws InterruptedException {
        loop.start();
        try {
            await().until(() -> cluster.metadata().updateRequested());
        } finally {
            endLoop();
        }
    }

    private void endLoop() throws InterruptedException {
        loop.stop(new KafkaException("the end of the test"));
        loop.awaitEnd();
    }

    /** The next connection, and the end of the instance, would wait for it for ever. */
    @Test
    void aLoopForWhichThereIsNoThreadEnds() throws InterruptedException {
        ProduceLoop threadless = loop(run -> new Thread(run) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });

        submitTo(threadless, 0, 1);

        assertThatThrownBy(threadless::start).isInstanceOf(OutOfMemoryError.class);

        threadless.awaitEnd();
        assertThat(answered).as("before its end").containsExactly(1);
        assertThat(cluster.metadata().isClosed()).isTrue();
        submitTo(threadless, 0, 2);
        assertThat(answered).as("after its end").containsExactly(1, 2);
        threadless.awaitAnswers(Duration.ofDays(1));
    }

    /** It would be sent a second later otherwise: as long as the loop waits, at the most. */
    @Test
    @Timeout(60) // without the wake the client waits for ten minutes
    void aSubmissionEndsTheWaitThatTheLoopHasBegun() {
        state(List.of(1), Map.of(1, 1));
        loop.takeSubmitted();
        assertThat(loop.beginWait(600_000)).isEqualTo(600_000);

        submit(0, 1);

        assertThat(cluster.client().poll(600_000, cluster.nowMillis())).isEmpty();
        assertThat(loop.beginWait(600_000)).as("before it is taken").isZero();
    }

    /** Submits messages to two partitions, of which some fail when they are told. */
    private void submit(int count, Set<Integer> broken) {
        List<Message> messages = IntStream.range(0, count)
                .mapToObj(number -> new Message("shop", number % 2, new byte[10]))
                .toList();
        List<DeliveryCallback> callbacks = IntStream.range(0, count)
                .<DeliveryCallback>mapToObj(number -> callback(number, broken.contains(number)))
                .toList();
        loop.submit(writer.write(messages, limits::limitOf), callbacks);
    }

    private DeliveryCallback callback(int number, boolean isBroken) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                throw new AssertionError("there is no broker");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answered.add(number);
                if (isBroken) {
                    throw new OutOfMemoryError("no room for number " + number);
                }
            }
        };
    }
}
