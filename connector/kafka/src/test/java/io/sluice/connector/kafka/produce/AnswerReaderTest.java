package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker's answers do to the batches of a partition, without a broker. */
class AnswerReaderTest {
    private static final Node BROKER = LoopParts.BROKER;

    private final LoopParts loop = new LoopParts();
    private final HandTime time = loop.time;
    private final List<String> delivered = loop.delivered;
    private final List<String> failed = loop.failed;
    private final List<FailureKind> kinds = loop.kinds;
    private final PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, 1, 0);
    private Uuid topicId = new Uuid(1, 1);

    @AfterEach
    void close() {
        loop.close();
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
        lost.forEach(loop::lose);

        // The broker has stored eight, and remembers the newest five.
        answer(passing, -1);
        String repeated = answerUntilAcknowledged();

        assertThat(failed).isEmpty();
        assertThat(loop.stop.isSet()).isFalse();
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
        appended.forEach(request -> loop.answer(request, passing, -1));

        String repeated = answerUntilAcknowledged();

        assertThat(failed).isEmpty();
        assertThat(loop.stop.isSet()).isFalse();
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
        lost.forEach(loop::lose);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        Node next = new Node(2, "127.0.0.1", 2);

        Request third = send(next);
        assertThat(numberIn(third)).isEqualTo(3);
        loop.answer(third, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        for (int number = 1; number <= 10; number++) {
            time.passSeconds(1);
            Request repeated = send(next);
            assertThat(numberIn(repeated)).isEqualTo(number);
            loop.answer(repeated, Errors.NONE, number);
        }

        assertThat(failed).isEmpty();
        assertThat(delivered).hasSize(11).endsWith("10");
        assertThat(loop.stop.isSet()).isFalse();
    }

    /** So the topic was deleted and created, or the broker has forgotten the producer: what was passed over is not there. */
    @Test
    void anAcknowledgementThatLeavesNoRoomForWhatWasPassedOverEndsTheAttempt() {
        submit(4);
        answer(Errors.NONE, 0);
        List.of(send(), send(), send()).forEach(loop::lose);
        answer(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);

        answer(Errors.NONE, 1);

        assertThat(delivered).containsExactly("0");
        assertThat(failed).containsExactly("2");
        assertThat(kinds).containsExactly(FailureKind.PASSING);
        assertThat(loop.stop.isSet()).isTrue();
    }

    /** A request of the broken connection that has arrived late was stored meanwhile: only alone it tells what it has in front of it. */
    @Test
    void aRepetitionThatMayBeForgottenIsSentAgainAlone() {
        submit(4);
        answer(Errors.NONE, 0);
        List.of(send(), send(), send()).forEach(loop::lose);
        answer(Errors.NONE, 1);
        Request second = send();
        Request third = send();

        loop.answer(second, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        loop.answer(third, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, -1);
        answer(Errors.NONE, 2);
        answer(Errors.NONE, 3);

        assertThat(delivered).containsExactly("0", "1", "2", "3");
        assertThat(failed).isEmpty();
        assertThat(loop.stop.isSet()).isFalse();
    }

    /** Old brokers answer so to what they have. */
    @Test
    void aRepetitionThatIsReportedAsSuchIsAcknowledged() {
        submit(2);
        answer(Errors.NONE, 0);
        loop.lose(send());

        answer(Errors.DUPLICATE_SEQUENCE_NUMBER, -1);

        assertThat(delivered).containsExactly("0", "1");
        assertThat(loop.stop.isSet()).isFalse();
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
        assertThat(loop.stop.isSet()).isTrue();
    }

    private String answerUntilAcknowledged() {
        int before = delivered.size();
        while (delivered.size() == before && !loop.stop.isSet()) {
            time.passSeconds(1);
            Request request = send();
            int number = numberIn(request);
            boolean isRemembered = number >= 4 && number <= 8;
            loop.answer(request, isRemembered ? Errors.NONE : Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, number);
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
    void whatACallbackThrowsLeavesNoMessageWithoutAnAnswer(Errors error) {
        loop.broken.add("1");
        submit(List.of("0", "1", "2"));

        answer(error, 0);

        assertThat(loop.stop.isSet()).isTrue();
        loop.end.reach();

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
        assertThat(loop.stop.isSet()).isTrue();
    }

    /** What is waited for is the answer to each part: the cursor of a stream that ends depends on it. */
    @Test
    void aBatchThatWasSplitIsAnsweredWhenAllItsPartsAre() {
        Message message = new Message("shop", 0, new byte[] {'0'});
        PartitionQueue sent = loop.queues.of("shop", 0);
        assertThat(loop.submitted.add(
                        loop.writer.write(List.of(message, message), loop.limits::limitOf),
                        List.of(loop.noting("0"), loop.noting("1"))))
                .isTrue();
        loop.submitted.moveTo(loop.queues::add);
        loop.answer(loop.send(sent, BROKER, topicId), Errors.INVALID_RECORD, -1);
        time.passSeconds(1);
        loop.answer(loop.send(sent, BROKER, topicId), Errors.NONE, 0);
        assertThat(delivered).containsExactly("0");

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> loop.submitted.awaitAnswers(Duration.ofDays(1)))
                .isInstanceOf(InterruptedException.class);
    }

    /** Those that it does not name are sent again. */
    @Test
    void onlyTheRecordsThatTheBrokerNamesAreInvalid() {
        submit(List.of("0", "1", "2"));
        time.passSeconds(1);

        loop.answer(send(), Errors.INVALID_RECORD, -1, 1);

        assertThat(delivered).isEmpty();
        assertThat(failed).containsExactly("0", "1", "2");
        assertThat(kinds).containsExactly(FailureKind.PASSING, FailureKind.INVALID, FailureKind.PASSING);
        assertThat(loop.stop.isSet()).isTrue();
    }

    /** The one that is there now may be another one, of the same name, which only its id would tell. */
    @Test
    void nothingIsTakenForStoredInATopicThatIsUnknown() {
        topicId = Uuid.ZERO_UUID;
        submit(2);
        answer(Errors.NONE, 0);
        loop.lose(send());
        time.passSeconds(1);
        Request repetition = send();
        OutgoingBatch batch = repetition.parts().iterator().next().batch();

        loop.answer(repetition, Errors.UNKNOWN_TOPIC_OR_PARTITION, -1);

        assertThat(batch.isPossiblyStored()).isFalse();
        assertThat(queue.hasUnsent()).isTrue();
    }

    /** Otherwise what is sent again would go to the former one until the brokers are asked at their interval. */
    @Test
    void theBrokersAreAskedForTheLeaderWhenABrokerCeasesToLead() {
        loop.cluster.keep("shop");
        ClusterTest.update(loop.cluster, topicId, Errors.NONE, 1);
        submit(2);
        answer(Errors.NONE, 0);
        assertThat(loop.cluster.metadata().updateRequested()).isFalse();

        answer(Errors.NOT_LEADER_OR_FOLLOWER, -1);

        assertThat(loop.cluster.metadata().updateRequested()).isTrue();
    }

    /** It timed out while its request was on its way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchThatHasFailedIsNotAnsweredAgainWhenItsRequestIsAnsweredOrLost(boolean isAnswered) {
        PartitionQueue sent = loop.queues.of("shop", 0);
        sent.add(loop.batch(0, "late"));
        Request late = loop.send(sent, BROKER, topicId);
        time.passSeconds(120);
        long unused = loop.timeout.check(time.nanos());
        assertThat(failed).containsExactly("late");

        if (isAnswered) {
            loop.answer(late, Errors.NONE, 1);
        } else {
            loop.lose(late);
        }

        assertThat(delivered).isEmpty();
        assertThat(sent.drain()).isEmpty();
        assertThat(failed).containsExactly("late");
    }

    /** Queues batches of one message each, which is its number. */
    private void submit(int batches) {
        for (int i = 0; i < batches; i++) {
            queue.add(loop.batch(0, Integer.toString(i)));
        }
    }

    /** Queues a batch of messages. */
    private void submit(List<String> numbers) {
        queue.add(loop.batch(0, numbers.toArray(String[]::new)));
    }

    private Request send() {
        return send(BROKER);
    }

    private Request send(Node broker) {
        return loop.send(queue, broker, topicId);
    }

    private void answer(Errors error, long offset) {
        time.passSeconds(1);
        loop.answer(send(), error, offset);
    }
}
