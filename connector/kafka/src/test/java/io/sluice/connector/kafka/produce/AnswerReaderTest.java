package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker's answers do to the batches of a partition, without a broker. */
class AnswerReaderTest {
    private static final ProducerIdAndEpoch PRODUCER = new ProducerIdAndEpoch(1, (short) 0);
    private static final Node BROKER = new Node(1, "127.0.0.1", 1);
    private static final short VERSION = 9;

    private final HandTime time = new HandTime();
    private final List<String> delivered = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<FailureKind> kinds = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private final PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, 1, 0);
    private final RecordBatchWriter writer =
            new RecordBatchWriter(Compression.NONE, List.of(), BatchBuffers.forHeap(1 << 20), time);
    private final BatchLimits limits = new BatchLimits(1_000);
    private final Cluster cluster = ClusterTest.unconnected();
    private final ProduceLoop loop = loop();
    private Uuid topicId = new Uuid(1, 1);

    private ProduceLoop loop() {
        ProduceOptions options = new ProduceOptions(
                1_000_000,
                ProduceOptions.MAX_IN_FLIGHT,
                Duration.ofSeconds(10),
                Duration.ofSeconds(120),
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ZERO);
        return new ProduceLoop(
                Thread::new,
                cluster,
                options,
                PRODUCER,
                new BatchSplitter(writer, limits),
                new EndingListener(cause -> loop.stop(cause)),
                time);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Such an answer tells nothing of an earlier request, whose answer was lost with the connection. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "NOT_LEADER_OR_FOLLOWER",
                "NOT_ENOUGH_REPLICAS",
                "KAFKA_STORAGE_ERROR",
                "UNKNOWN_TOPIC_OR_PARTITION",
                "UNKNOWN_TOPIC_ID"
            })
    void whatTheBrokerHasIsFoundOutAfterARepetitionWasRejected(Errors passing) {
        submit(11);
        answer(Errors.NONE, 0);
        List<Request> lost = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lost.add(send());
        }
        lost.forEach(this::lose);

        // The broker has stored eight, and remembers the newest five.
        answer(passing, -1);
        String repeated = answerUntilAcknowledged();

        assertThat(failed).isEmpty();
        assertThat(loop.isEnding()).isFalse();
        assertThat(repeated).isIn("4", "5", "6", "7", "8");
    }

    /** Such an answer may come after the batch was appended: while other replicas were waited for. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "NOT_LEADER_OR_FOLLOWER",
                "KAFKA_STORAGE_ERROR",
                "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "REQUEST_TIMED_OUT"
            })
    void whatTheBrokerHasIsFoundOutAfterItHasCeasedToLead(Errors passing) {
        submit(11);
        answer(Errors.NONE, 0);
        List<Request> appended = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            appended.add(send());
        }
        appended.forEach(request -> answer(request, passing, -1));

        String repeated = answerUntilAcknowledged();

        assertThat(failed).isEmpty();
        assertThat(loop.isEnding()).isFalse();
        assertThat(repeated).isIn("4", "5", "6", "7", "8");
    }

    /** It may lack what the former one had, and did not remember. */
    @Test
    void theNextLeaderIsSentAllFromTheFirstOnThatTheFormerOneDidNotRemember() {
        submit(11);
        answer(Errors.NONE, 0);
        List<Request> lost = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lost.add(send());
        }
        lost.forEach(this::lose);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        Node next = new Node(2, "127.0.0.1", 2);

        Request third = send(next);
        assertThat(numberIn(third)).isEqualTo(3);
        answer(third, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        for (int number = 1; number <= 10; number++) {
            time.passSeconds(1);
            Request repeated = send(next);
            assertThat(numberIn(repeated)).isEqualTo(number);
            answer(repeated, Errors.NONE, number);
        }

        assertThat(failed).isEmpty();
        assertThat(delivered).hasSize(11).endsWith("10");
        assertThat(loop.isEnding()).isFalse();
    }

    /** So the topic was deleted and created, or the broker has forgotten the producer: what was passed over is not there. */
    @Test
    void anAcknowledgementThatLeavesNoRoomForWhatWasPassedOverEndsTheAttempt() {
        submit(4);
        answer(Errors.NONE, 0);
        List.of(send(), send(), send()).forEach(this::lose);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);

        answer(Errors.NONE, 1);

        assertThat(delivered).containsExactly("0");
        assertThat(failed).containsExactly("2");
        assertThat(kinds).containsExactly(FailureKind.PASSING);
        assertThat(loop.isEnding()).isTrue();
    }

    /** A request of the broken connection that has arrived late was stored meanwhile: only alone it tells what it has in front of it. */
    @Test
    void aRepetitionThatMayBeForgottenIsSentAgainAlone() {
        submit(4);
        answer(Errors.NONE, 0);
        List.of(send(), send(), send()).forEach(this::lose);
        answer(Errors.NONE, 1);
        Request second = send();
        Request third = send();

        answer(second, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        answer(third, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        answer(Errors.NONE, 2);
        answer(Errors.NONE, 3);

        assertThat(delivered).containsExactly("0", "1", "2", "3");
        assertThat(failed).isEmpty();
        assertThat(loop.isEnding()).isFalse();
    }

    /** Old brokers answer so to what they have. */
    @Test
    void aRepetitionThatIsReportedAsSuchIsAcknowledged() {
        submit(2);
        answer(Errors.NONE, 0);
        lose(send());

        answer(Errors.DUPLICATE_SEQUENCE_NUMBER, -1);

        assertThat(delivered).containsExactly("0", "1");
        assertThat(loop.isEnding()).isFalse();
    }

    /** By its next epoch the next attempt is a new beginning for the broker. */
    @ParameterizedTest
    @EnumSource(names = {"OUT_OF_ORDER_SEQUENCE_NUMBER", "UNKNOWN_PRODUCER_ID", "INVALID_PRODUCER_EPOCH"})
    void aLeaderThatDoesNotKnowWhatWasAcknowledgedEndsTheAttempt(Errors error) {
        submit(3);
        answer(Errors.NONE, 0);

        answer(error, -1);

        assertThat(delivered).containsExactly("0");
        assertThat(failed).containsExactly("1");
        assertThat(kinds).containsExactly(FailureKind.PASSING);
        assertThat(loop.isEnding()).isTrue();
    }

    private String answerUntilAcknowledged() {
        int before = delivered.size();
        while (delivered.size() == before && !loop.isEnding()) {
            time.passSeconds(1);
            Request request = send();
            int number = numberIn(request);
            boolean isRemembered = number >= 4 && number <= 8;
            answer(request, isRemembered ? Errors.NONE : Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, number);
        }
        return delivered.isEmpty() ? "" : delivered.get(delivered.size() - 1);
    }

    private static int numberIn(Request request) {
        RecordBatch records = request.parts().iterator().next().batch().records();
        return Integer.parseInt(new String(records.message(0).value(), StandardCharsets.US_ASCII));
    }

    /** Kafka's client would log it and continue, so that the messages after it would wait for ever. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "TOPIC_AUTHORIZATION_FAILED"})
    void whatACallbackThrowsLeavesNoMessageWithoutAnAnswer(Errors error) throws Exception {
        broken.add("1");
        submit(List.of("0", "1", "2"));

        answer(error, 0);

        assertThat(loop.isEnding()).isTrue();
        loop.start();
        loop.awaitEnd();

        List<String> answered = new ArrayList<>(delivered);
        answered.addAll(failed);
        assertThat(answered).containsExactly("0", "1", "1", "2");
    }

    /** An old broker rejects a batch for one of its records and does not tell which; the error of one record is about that record. */
    @Test
    void anInvalidRecordThatTheBrokerDoesNotNameIsFoundAlone() {
        submit(List.of("0", "1", "2"));

        answer(Errors.INVALID_RECORD, -1);
        assertThat(failed).isEmpty();
        answer(Errors.NONE, 0);
        answer(Errors.INVALID_RECORD, -1);

        assertThat(delivered).containsExactly("0");
        assertThat(failed).containsExactly("1");
        assertThat(kinds).containsExactly(FailureKind.INVALID);
        assertThat(loop.isEnding()).isTrue();
    }

    /** What is waited for is the answer to each part: the cursor of a stream that ends depends on it. */
    @Test
    void aBatchThatWasSplitIsAnsweredWhenAllItsPartsAre() {
        Message message = new Message("shop", 0, new byte[] {'0'});
        PartitionQueue sent = loop.queueOf("shop", 0);
        loop.submit(writer.write(List.of(message, message), limits::limitOf), List.of(noting("0"), noting("1")));
        loop.takeSubmitted();
        answer(send(sent, BROKER), Errors.INVALID_RECORD, -1);
        time.passSeconds(1);
        answer(send(sent, BROKER), Errors.NONE, 0);
        assertThat(delivered).containsExactly("0");

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> loop.awaitAnswers(Duration.ofDays(1))).isInstanceOf(InterruptedException.class);
    }

    /** Those that it does not name are sent again. */
    @Test
    void onlyTheRecordsThatTheBrokerNamesAreInvalid() {
        submit(List.of("0", "1", "2"));
        time.passSeconds(1);

        answer(send(), Errors.INVALID_RECORD, -1, 1);

        assertThat(delivered).isEmpty();
        assertThat(failed).containsExactly("0", "1", "2");
        assertThat(kinds).containsExactly(FailureKind.PASSING, FailureKind.INVALID, FailureKind.PASSING);
        assertThat(loop.isEnding()).isTrue();
    }

    /** The one that is there now may be another one, of the same name, which only its id would tell. */
    @Test
    void nothingIsTakenForStoredInATopicThatIsUnknown() {
        topicId = Uuid.ZERO_UUID;
        submit(2);
        answer(Errors.NONE, 0);
        lose(send());
        time.passSeconds(1);
        Request repetition = send();
        OutgoingBatch batch = repetition.parts().iterator().next().batch();

        answer(repetition, Errors.UNKNOWN_TOPIC_OR_PARTITION, -1);

        assertThat(batch.isPossiblyStored()).isFalse();
        assertThat(queue.hasUnsent()).isTrue();
    }

    /** Otherwise what is sent again would go to the former one until the brokers are asked at their interval. */
    @Test
    void theBrokersAreAskedForTheLeaderWhenABrokerCeasesToLead() {
        cluster.keep("shop");
        ClusterTest.update(cluster, topicId, Errors.NONE, 1);
        submit(2);
        answer(Errors.NONE, 0);
        assertThat(cluster.metadata().updateRequested()).isFalse();

        answer(Errors.NOT_LEADER_OR_FOLLOWER, -1);

        assertThat(cluster.metadata().updateRequested()).isTrue();
    }

    /** With many partitions and a slow line its turn comes late. */
    @Test
    void whatWasNotSentDoesNotTimeOutWhileItsBrokerAnswersOthers() {
        cluster.keep("shop");
        ClusterTest.update(cluster, topicId, Errors.NONE, 2);
        PartitionQueue waiting = loop.queueOf("shop", 1);
        submit(5);
        waiting.add(batch("waits"));
        for (int offset = 0; offset < 5; offset++) {
            time.passSeconds(60);
            answer(Errors.NONE, offset);
            long unused = loop.expire(time.nanos());
            assertThat(loop.isEnding()).isFalse();
        }

        time.passSeconds(119);
        long left = loop.expire(time.nanos());
        assertThat(loop.isEnding()).isFalse();
        assertThat(left).isBetween(1L, 1_001L);
        time.passSeconds(1);
        long unused = loop.expire(time.nanos());

        assertThat(loop.isEnding()).isTrue();
        assertThat(failed).containsExactly("waits");
    }

    /** It timed out while its request was on its way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchThatHasFailedIsNotAnsweredAgainWhenItsRequestIsAnsweredOrLost(boolean isAnswered) {
        PartitionQueue sent = loop.queueOf("shop", 0);
        sent.add(batch("late"));
        Request late = send(sent, BROKER);
        time.passSeconds(120);
        long unused = loop.expire(time.nanos());
        assertThat(failed).containsExactly("late");

        if (isAnswered) {
            answer(late, Errors.NONE, 1);
        } else {
            lose(late);
        }

        assertThat(delivered).isEmpty();
        assertThat(sent.drain()).isEmpty();
        assertThat(failed).containsExactly("late");
    }

    /** Others of its broker do not count then: it may be that it has too few replicas. */
    @Test
    void whatWasSentTimesOutThoughItsBrokerAnswersOthers() {
        cluster.keep("shop");
        ClusterTest.update(cluster, topicId, Errors.NONE, 2);
        PartitionQueue sent = loop.queueOf("shop", 1);
        submit(5);
        sent.add(batch("sent"));
        OutgoingBatch batch = sent.takeNext(PRODUCER, time.nanos());
        sent.sendAgain(batch, time.nanos());
        time.passSeconds(119);
        answer(Errors.NONE, 0);

        long unused = loop.expire(time.nanos());

        assertThat(failed).containsExactly("sent");
    }

    /** The operator is told by that what to change. */
    @Test
    void whatTheBrokerAnswersIsTheCauseAtTheDeliveryTimeout() {
        submit(3);
        answer(Errors.NONE, 0);
        answer(Errors.NOT_ENOUGH_REPLICAS, -1);

        assertThat(loop.timeoutOf(queue))
                .hasMessage("not acknowledged within 120000 ms: topic shop, partition 0: "
                        + Errors.NOT_ENOUGH_REPLICAS.message())
                .hasCauseInstanceOf(NotEnoughReplicasException.class);
        answer(Errors.NONE, 1);
        assertThat(loop.timeoutOf(queue)).hasMessage("not acknowledged within 120000 ms: topic shop, partition 0");
    }

    /** Submits batches of one message each, which is its number. */
    private void submit(int batches) {
        for (int i = 0; i < batches; i++) {
            queue.add(batch(Integer.toString(i)));
        }
    }

    private OutgoingBatch batch(String value) {
        Message message = new Message("shop", 0, value.getBytes(StandardCharsets.US_ASCII));
        RecordBatch records =
                writer.write(List.of(message), limits::limitOf).batches().get(0);
        return new OutgoingBatch(records, List.of(noting(value)), time.nanos());
    }

    /** Submits a batch of messages. */
    private void submit(List<String> numbers) {
        List<Message> messages = numbers.stream()
                .map(number -> new Message("shop", 0, number.getBytes(StandardCharsets.US_ASCII)))
                .toList();
        RecordBatch records = writer.write(messages, limits::limitOf).batches().get(0);
        queue.add(new OutgoingBatch(records, numbers.stream().map(this::noting).toList(), time.nanos()));
    }

    private DeliveryCallback noting(String number) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                delivered.add(number);
                fail();
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                failed.add(number);
                kinds.add(kind);
                fail();
            }

            private void fail() {
                if (broken.remove(number)) {
                    throw new IllegalStateException("a defect");
                }
            }
        };
    }

    private Request send() {
        return send(BROKER);
    }

    private Request send(Node broker) {
        return send(queue, broker);
    }

    private Request send(PartitionQueue from, Node broker) {
        Objects.requireNonNull(from.sendable(time.nanos()), "nothing may be sent");
        Request request = new Request(broker);
        OutgoingBatch batch = from.takeNext(PRODUCER, time.nanos());
        batch.sentTo(topicId);
        request.add(from, batch);
        return request;
    }

    private void lose(Request request) {
        loop.answered(request, new ClientResponse(header(), null, BROKER.idString(), 0, 0, true, null, null, null));
    }

    private void answer(Errors error, long offset) {
        time.passSeconds(1);
        answer(send(), error, offset);
    }

    private void answer(Request request, Errors error, long offset, int... invalid) {
        TopicProduceResponseCollection topics = new TopicProduceResponseCollection();
        topics.add(new TopicProduceResponse()
                .setName("shop")
                .setPartitionResponses(List.of(new PartitionProduceResponse()
                        .setIndex(0)
                        .setErrorCode(error.code())
                        .setBaseOffset(offset)
                        .setRecordErrors(Arrays.stream(invalid)
                                .mapToObj(record -> new BatchIndexAndErrorMessage().setBatchIndex(record))
                                .toList()))));
        loop.answered(
                request,
                new ClientResponse(
                        header(),
                        null,
                        BROKER.idString(),
                        0,
                        0,
                        false,
                        null,
                        null,
                        new ProduceResponse(new ProduceResponseData().setResponses(topics))));
    }

    private static RequestHeader header() {
        return new RequestHeader(ApiKeys.PRODUCE, VERSION, "test", 1);
    }
}
