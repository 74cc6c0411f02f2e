package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.attempt.SingleMessageMode;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.testkit.time.HandTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.Test;

class PulsarConnectionTest {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final Message MESSAGE = new Message("t", 0, new byte[] {1});

    private final Exception tooLarge = new PulsarClientException.NotAllowedException("Exceed maximum message size");

    private final List<String> answers = new ArrayList<>();
    private final SingleMessageMode singleMessages = new SingleMessageMode();
    private final FakeProducer broker = new FakeProducer();
    private final SendBuffer buffer = new SendBuffer(BUFFER_BYTES);
    private final Ownership ownership = new Ownership() {
        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public long epoch() {
            return 0;
        }
    };
    private boolean held = true;
    private Runnable duringWait = () -> {};

    /** The names of the topic's partitions at the broker. */
    private List<String> partitions = List.of("t");

    /** What the client answers when a producer is made. */
    private CompletableFuture<Producer<byte[]>> answer = new CompletableFuture<>();

    /** The names for which producers were made. */
    private final List<String> made = new ArrayList<>();

    private final HandTime time = new HandTime();
    private int asked;
    private String accessMode = "Shared";
    private PulsarConnection connection;

    /** It was answered only when the send timeout had passed, since the client's own helper throws such an exception again. */
    @Test
    void anUnexpectedExceptionOfTheClientIsAnsweredAtOnce() throws Exception {
        Attempt attempt = begin(failingProducer(new IllegalStateException("a defect of the client")));

        send("a");

        assertThat(answers).containsExactly("a PASSING");
        assertThat(attempt.failure()).hasMessage("a defect of the client");
    }

    /** As after a connection that was lost while nothing was in flight, if the broker does not take the producer again: it stays so. */
    @Test
    void aProducerThatTakesNoMoreMessagesIsNotUsedAgain() throws Exception {
        for (Exception cause : List.of(
                new PulsarClientException.ProducerFencedException("Producer was fenced"),
                new PulsarClientException.NotConnectedException(),
                new PulsarClientException.TopicTerminatedException("Topic was terminated"))) {
            accessMode = "Exclusive";
            Attempt attempt = begin(failingProducer(cause));

            send("a");

            assertThat(attempt.hasEnded()).as("%s", cause).isTrue();
        }
        assertThat(answers).containsExactly("a PASSING", "a PASSING", "a TOPIC_UNAVAILABLE");
    }

    @Test
    void aMessageThatTheClientFindsTooLargeEndsNothing() throws Exception {
        Attempt attempt = begin(failingProducer(new PulsarClientException.InvalidMessageException("too large")));

        send("a");

        assertThat(answers).containsExactly("a TOO_LARGE");
        assertThat(attempt.hasEnded()).isFalse();
    }

    /** All messages of a producer fail at once, in the only thread of the client: it has other producers to serve. */
    @Test
    void onlyTheFirstOfManyFailuresIsExplained() throws Exception {
        begin(broker.asProducer());
        for (String name : List.of("a", "b", "c")) {
            send(name);
        }
        AtomicInteger asked = new AtomicInteger();
        PulsarClientException later = new PulsarClientException("the producer was closed") {
            @Override
            public String getMessage() {
                asked.incrementAndGet();
                return super.getMessage();
            }
        };

        broker.failBatch(0, 1, new PulsarClientException.TopicTerminatedException("t was terminated"));
        broker.failBatch(1, 3, later);

        assertThat(answers).containsExactlyInAnyOrder("a TOPIC_UNAVAILABLE", "b PASSING", "c PASSING");
        assertThat(asked).hasValue(0);
    }

    @Test
    void noMessageIsBlamedForABatchThatIsTooLarge() throws Exception {
        Attempt attempt = begin(broker.asProducer());
        for (String name : List.of("a", "b", "c", "d")) {
            send(name);
        }
        broker.sent().get(0).complete(MessageId.latest);

        broker.failBatch(1, 3, tooLarge);

        assertThat(answers).containsExactlyInAnyOrder("a delivered", "b PASSING", "c PASSING", "d PASSING");
        assertThat(attempt.hasEnded()).isTrue();
    }

    @Test
    void afterABatchThatIsTooLargeMessagesAreSentOneByOne() throws Exception {
        begin(broker.asProducer());
        send("a");
        send("b");
        assertThat(broker.flushes()).isZero();
        broker.failBatch(0, 2, tooLarge);
        FakeProducer next = new FakeProducer();
        begin(next.asProducer());

        send("a");
        send("b");
        assertThat(next.flushes()).as("one for each message").isEqualTo(2);
        next.sent().get(0).complete(MessageId.latest);
        next.sent().get(1).complete(MessageId.latest);
        send("c");
        assertThat(next.flushes()).as("batches again").isEqualTo(2);
    }

    @Test
    void aMessageThatIsTooLargeByItselfIsFound() throws Exception {
        begin(broker.asProducer());
        send("a");
        send("b");
        broker.failBatch(0, 2, tooLarge);
        answers.clear();
        FakeProducer next = new FakeProducer();
        begin(next.asProducer());
        send("a");
        send("b");

        next.sent().get(0).complete(MessageId.latest);
        next.sent().get(1).completeExceptionally(tooLarge);

        assertThat(answers).containsExactly("a delivered", "b TOO_LARGE");
    }

    @Test
    void whatIsInFlightIsGivenUpWithTheOwnership() throws Exception {
        Attempt attempt = begin(broker.asProducer());
        send("a");
        connection.checkAnswers();
        assertThat(answers).isEmpty();

        held = false;
        connection.checkAnswers();

        assertThat(answers).containsExactly("a PASSING");
        assertThat(attempt.hasEnded()).isTrue();
        assertThat(broker.isClosed()).isTrue();
    }

    /** What is not acknowledged would be sent again by the client when it has connected again. */
    @Test
    void whatFollowsAnAcknowledgementWithoutTheOwnershipIsGivenUp() throws Exception {
        Attempt attempt = begin(broker.asProducer());
        send("a");
        send("b");
        held = false;

        broker.sent().get(0).complete(MessageId.latest);

        assertThat(answers).hasSize(2).contains("b PASSING");
        assertThat(attempt.hasEnded()).isTrue();
        assertThat(broker.isClosed()).isTrue();
    }

    @Test
    void nothingIsHandedOverIfTheOwnershipIsLostDuringAWait() throws Exception {
        begin(broker.asProducer());
        duringWait = () -> held = false;

        assertThatThrownBy(() -> send("a")).isInstanceOf(NotSentException.class);

        assertThat(broker.sent()).isEmpty();
        requireEmptyBuffer();
    }

    /** It would be stored, though it comes after one that is not. */
    @Test
    void nothingIsHandedOverIfAnotherMessageFailsDuringAWait() throws Exception {
        Attempt attempt = begin(broker.asProducer());
        duringWait = () -> assertThat(attempt.halt(tooLarge)).isTrue();

        assertThatThrownBy(() -> send("a")).isInstanceOf(NotSentException.class).hasCause(tooLarge);

        assertThat(broker.sent()).isEmpty();
        requireEmptyBuffer();
    }

    /** The second one would be sent again without end. */
    @Test
    void eachOfTheMessagesThatTheClientFindsTooLargeIsFound() {
        answer = CompletableFuture.completedFuture(
                failingProducer(new PulsarClientException.InvalidMessageException("too large")));
        AttemptProducer producer = new AttemptProducer(
                new Broker() {
                    @Override
                    public BrokerConnection connect(Attempt attempt) {
                        return PulsarConnectionTest.this.connect(attempt);
                    }

                    @Override
                    public int maxValueBytes() {
                        return Integer.MAX_VALUE;
                    }
                },
                ownership,
                time);

        producer.send(MESSAGE, callback("a"));
        producer.restart();
        producer.send(MESSAGE, callback("b"));

        assertThat(answers).containsExactly("a TOO_LARGE", "b TOO_LARGE");
    }

    /** The first use fails, as of a topic that is missing, and then the topic is made with partitions. */
    @Test
    void aTopicIsAskedForAgainWhenItsProducerCannotBeMade() throws Exception {
        begin(CompletableFuture.failedFuture(new PulsarClientException.TopicDoesNotExistException("t")));
        assertThatThrownBy(() -> send("a")).isInstanceOf(PulsarClientException.TopicDoesNotExistException.class);

        partitions = List.of("t-partition-0", "t-partition-1", "t-partition-2");
        answer = CompletableFuture.completedFuture(broker.asProducer());
        send("a");

        assertThat(made).containsExactly("t", "t-partition-0");
    }

    /** The topic was created again with fewer partitions: the message is for another one now, and not to be given up. */
    @Test
    void aMessageForAPartitionThatItsTopicHasNoMoreIsForAnotherOne() throws Exception {
        partitions = List.of("t-partition-0", "t-partition-1");
        begin(CompletableFuture.failedFuture(new PulsarClientException.TopicDoesNotExistException("t-partition-1")));
        duringWait = () -> partitions = List.of("t-partition-0");
        Message ofSecond = new Message("t", 1, new byte[] {1});

        assertThatThrownBy(() -> connection.send(ofSecond, callback("a")))
                .isInstanceOfSatisfying(
                        SendException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.PASSING));
        answer = CompletableFuture.completedFuture(broker.asProducer());
        connection.send(ofSecond, callback("a"));

        assertThat(made).containsExactly("t-partition-1", "t-partition-0");
        assertThat(broker.sent()).hasSize(1);
    }

    /** The topic got partitions after it was asked for. The client's producer of all of them would deal messages out to them in turn. */
    @Test
    void nothingIsSentByAProducerOfAllPartitions() throws Exception {
        FakeProducer ofAll = new FakeProducer(3);
        Attempt attempt = begin(ofAll.asProducer());

        assertThatThrownBy(() -> send("a"))
                .hasMessageContaining("has 3 partitions")
                .satisfies(failure -> assertThat(PulsarErrors.kindOf(failure, ProducerAccessMode.Shared))
                        .isEqualTo(FailureKind.PASSING));
        assertThat(ofAll.sent()).isEmpty();
        assertThat(ofAll.isClosed()).isTrue();
        assertThat(attempt.hasEnded()).isFalse();

        partitions = List.of("t-partition-0", "t-partition-1", "t-partition-2");
        answer = CompletableFuture.completedFuture(broker.asProducer());
        send("a");

        assertThat(made).containsExactly("t", "t-partition-0");
        assertThat(broker.sent()).hasSize(1);
    }

    /** Topics of dropped tables could not be deleted at the broker, and their producers were kept for as long as the connection. */
    @Test
    void aProducerWithoutMessagesIsClosedAndMadeAgain() throws Exception {
        begin(broker.asProducer());
        send("a");
        broker.sent().get(0).complete(MessageId.latest);
        time.pass(PulsarConnection.IDLE);
        connection.closeIdle();
        assertThat(broker.isClosed()).isFalse();

        time.pass(Duration.ofSeconds(1));
        connection.closeIdle();
        assertThat(broker.isClosed()).isTrue();
        FakeProducer next = new FakeProducer();
        answer = CompletableFuture.completedFuture(next.asProducer());
        send("b");

        assertThat(next.sent()).hasSize(1);
        assertThat(made).containsExactly("t", "t");
        assertThat(asked).as("the topic may be another one").isEqualTo(2);
    }

    @Test
    void theNextProducerIsMadeWhenTheIdleOneIsClosedAndItsNameIsFree() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        FakeProducer idle = new FakeProducer(closed);
        PartitionProducers producers = new PartitionProducers(
                partition -> {
                    made.add(partition);
                    return CompletableFuture.completedFuture((made.size() == 1 ? idle : broker).asProducer());
                },
                time);
        var unused = producers.of("t", "t");
        time.pass(Duration.ofMinutes(2));
        assertThat(producers.closeIdle(Duration.ofMinutes(1))).containsExactly("t");

        CompletableFuture<Producer<byte[]>> next = producers.of("t", "t");
        assertThat(next).isNotDone();
        assertThat(made).hasSize(1);
        closed.complete(null);

        assertThat(next).isCompleted();
        assertThat(made).hasSize(2);
    }

    /** As when the messages of two threads have waited for it. */
    @Test
    void whatIsDroppedTwiceIsReplacedOnce() throws Exception {
        PartitionProducers producers = new PartitionProducers(partition -> new CompletableFuture<>(), time);
        CompletableFuture<Producer<byte[]>> late = producers.of("t", "t");
        producers.drop("t", late);
        CompletableFuture<Producer<byte[]>> next = producers.of("t", "t");

        producers.drop("t", late);

        assertThat(producers.of("t", "t")).isSameAs(next).isNotSameAs(late);
    }

    @Test
    void aTopicIsInUseWhileAnyOfItsPartitionsIs() throws Exception {
        PartitionProducers producers =
                new PartitionProducers(partition -> CompletableFuture.completedFuture(broker.asProducer()), time);
        var unused1 = producers.of("t", "t-partition-0");
        var unused2 = producers.of("u", "u");
        time.pass(Duration.ofMinutes(2));
        var unused3 = producers.of("t", "t-partition-1");

        assertThat(producers.closeIdle(Duration.ofMinutes(1))).containsExactly("u");
        assertThat(producers.all()).hasSize(1);
    }

    /** An exclusive one would hold its partition, and nothing would close it. */
    @Test
    void noProducerIsMadeForAnAttemptThatHasEnded() throws Exception {
        Attempt attempt = begin(broker.asProducer());
        send("a");
        attempt.end(tooLarge);
        partitions = List.of("u");

        assertThatThrownBy(() -> connection.send(new Message("u", 0, new byte[] {1}), callback("b")))
                .isInstanceOf(NotSentException.class);

        assertThat(made).containsExactly("t");
    }

    /** Another client could take the partition. */
    @Test
    void anExclusiveProducerStays() throws Exception {
        accessMode = "Exclusive";
        begin(broker.asProducer());
        send("a");
        broker.sent().get(0).complete(MessageId.latest);

        time.pass(PulsarConnection.IDLE.plusSeconds(1));
        connection.closeIdle();

        assertThat(broker.isClosed()).isFalse();
    }

    private Attempt begin(Producer<byte[]> producer) {
        return begin(CompletableFuture.completedFuture(producer));
    }

    private Attempt begin(CompletableFuture<Producer<byte[]>> producer) {
        answer = producer;
        return new Attempt(this::connect);
    }

    private BrokerConnection connect(Attempt attempt) {
        PulsarSettings settings = PulsarSettingsReader.read(
                Map.of("pulsarmq.serverUrl", "pulsar://127.0.0.1:6650", "pulsarmq.accessMode", accessMode));
        Supplier<CompletableFuture<List<String>>> known = () -> {
            asked++;
            return CompletableFuture.completedFuture(partitions);
        };
        PulsarClient client = fake(PulsarClient.class, known);
        connection = new PulsarConnection(
                attempt,
                settings,
                ownership,
                time,
                new PulsarTopics(client, settings),
                buffer,
                singleMessages,
                partition -> {
                    duringWait.run();
                    made.add(partition);
                    return answer;
                },
                Runnable::run);
        return connection;
    }

    private void requireEmptyBuffer() throws Exception {
        Message larger = new Message("t", 0, new byte[2 * BUFFER_BYTES]);
        assertThat(buffer.acquire(larger, Duration.ZERO)).isEqualTo(BUFFER_BYTES / 256);
    }

    private void send(String name) throws Exception {
        connection.send(MESSAGE, callback(name));
    }

    private DeliveryCallback callback(String name) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add(name + " delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(name + " " + kind);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static Producer<byte[]> failingProducer(Exception cause) {
        TypedMessageBuilder<byte[]> builder = (TypedMessageBuilder<byte[]>) Proxy.newProxyInstance(
                PulsarConnectionTest.class.getClassLoader(),
                new Class<?>[] {TypedMessageBuilder.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("sendAsync")) {
                        if (cause instanceof RuntimeException unchecked) {
                            throw unchecked;
                        }
                        return CompletableFuture.failedFuture(cause);
                    }
                    return self;
                });
        return (Producer<byte[]>) Proxy.newProxyInstance(
                PulsarConnectionTest.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getNumOfPartitions" -> 0;
                    case "closeAsync" -> CompletableFuture.completedFuture(null);
                    default -> builder;
                });
    }

    /** One whose methods return the same. */
    private static <T> T fake(Class<T> type, Supplier<?> result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> result.get()));
    }
}
