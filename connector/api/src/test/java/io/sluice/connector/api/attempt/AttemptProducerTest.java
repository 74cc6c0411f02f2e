package io.sluice.connector.api.attempt;

import static io.sluice.testkit.time.Waiting.await;
import static io.sluice.testkit.time.Waiting.untilEndedOrBlocked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttemptProducerTest {
    private final IllegalStateException lost = new IllegalStateException("connection lost");

    private final FakeBroker broker = new FakeBroker();
    private final HandTime time = new HandTime();
    private final List<String> answers = new ArrayList<>();
    private boolean isOwner = true;
    private final AttemptProducer producer = new AttemptProducer(broker, new SwitchedOwnership(), time);

    private final class SwitchedOwnership implements Ownership {
        @Override
        public boolean isHeld() {
            return isOwner;
        }

        @Override
        public long epoch() {
            return 0;
        }
    }

    private void send(int number) {
        send(producer, number);
    }

    private void send(AttemptProducer by, int number) {
        by.send(FakeBroker.message(number, 0), new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add(number + " delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(number + " " + kind + " " + cause.getMessage());
            }
        });
    }

    @Test
    void messagesAreHandedOverInOrderAndAnsweredOnce() throws InterruptedException {
        send(1);
        send(2);
        producer.flush();

        assertThat(answers).containsExactly("1 delivered", "2 delivered");
        assertThat(broker.stored(0)).containsExactly(1, 2);
    }

    @Test
    void aRejectedMessageHaltsWhatFollowsAndWhatWasTakenContinues() throws InterruptedException {
        send(1);
        broker.last().rejectNext(new IllegalArgumentException("no key"));
        send(2);
        send(3);
        producer.flush();

        assertThat(answers)
                .containsExactly(
                        "2 INVALID no key",
                        "3 PASSING not sent: an earlier message failed: java.lang.IllegalArgumentException: no key",
                        "1 delivered");
        producer.restart();
        send(3);
        producer.flush();
        assertThat(broker.stored(0)).containsExactly(1, 3);
        assertThat(broker.connections()).hasSize(1);
    }

    /** Such as an exception of a client that was closed for an earlier message. */
    @Test
    void whatIsThrownAfterAFailureIsNotTheFaultOfTheMessage() {
        broker.last().rejectNext(new IllegalArgumentException("closed"), lost);
        send(1);

        assertThat(answers).containsExactly("1 PASSING closed");
    }

    /** As of a connection that learns of the rejection by itself, while a message asks for its topic. */
    @Test
    void whatIsThrownAfterARejectedLoginIsToldAsThatLogin() {
        NotAdmittedException rejected = NotAdmittedException.thatMayPass("wrong password", lost);
        broker.last().rejectNext(new IllegalArgumentException("closed"), rejected);
        send(1);
        producer.restart();
        broker.last().rejectNext(NotAdmittedException.thatMayPass("the same answer", lost), rejected);
        send(2);

        assertThat(answers).containsExactly("1 BROKEN wrong password", "2 BROKEN wrong password");
    }

    @Test
    void aLostConnectionFailsTheRestAndTheNextAttemptConnectsAgain() throws InterruptedException {
        send(1);
        send(2);
        broker.last().loseAndEnd(lost);
        send(3);

        assertThat(answers)
                .containsExactly(
                        "1 PASSING connection lost",
                        "2 PASSING connection lost",
                        "3 PASSING not sent: an earlier message failed: " + lost);
        producer.restart();
        send(1);
        producer.flush();
        assertThat(broker.connections()).hasSize(2);
        assertThat(broker.connections().get(0).cuts()).isEqualTo(1);
        assertThat(broker.stored(0)).containsExactly(1);
    }

    @Test
    void abandoningFailsWhatIsNotAnswered() {
        send(1);
        producer.abandon();
        producer.abandon();

        assertThat(answers).containsExactly("1 PASSING not sent: abandoned: the broker does not answer");
        assertThat(broker.last().cuts()).isEqualTo(1);
    }

    @Test
    void withoutAFailureARestartDoesNothing() {
        send(1);
        producer.restart();

        assertThat(broker.last().inFlight()).isEqualTo(1);
        assertThat(broker.connections()).hasSize(1);
    }

    /** Only another connection reads renewed certificates. What is on its way is not touched before it is answered. */
    @Test
    void aLoginThatFailsWhenPartitionsAreAskedForIsTriedByAnotherConnection() throws InterruptedException {
        send(1);
        broker.concealPartitions(new PartitionsUnknownException(
                "t", new NotAdmittedException("wrong password", lost), FailureKind.BROKEN));
        assertThatThrownBy(() -> producer.partitionsOf("t")).isInstanceOf(PartitionsUnknownException.class);
        send(2);
        producer.flush();
        assertThat(answers).containsExactly("1 delivered", "2 delivered");

        producer.restart();
        producer.restart();

        assertThat(broker.connections()).hasSize(2);
    }

    @Test
    void aBrokerThatCannotBeAskedForPartitionsKeepsItsConnection() {
        broker.concealPartitions(new PartitionsUnknownException("t", "no answer"));
        assertThatThrownBy(() -> producer.partitionsOf("t")).isInstanceOf(PartitionsUnknownException.class);

        producer.restart();

        assertThat(broker.connections()).hasSize(1);
    }

    @Test
    void aFormerOwnerSendsNothing() {
        isOwner = false;
        send(1);
        isOwner = true;
        send(2);

        assertThat(answers)
                .containsExactly(
                        "1 PASSING not sent: ownership of the destination is not confirmed",
                        "2 PASSING not sent: ownership of the destination is not confirmed");
        assertThat(broker.last().taken()).isZero();
        producer.restart();
        send(1);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    /** A halted attempt would still send what it was given, after what the next owner sends. */
    @Test
    void aFormerOwnerDoesNotSendWhatItWasGivenBefore() {
        send(1);
        isOwner = false;
        send(2);

        assertThat(answers)
                .containsExactly(
                        "1 PASSING not sent: ownership of the destination is not confirmed",
                        "2 PASSING not sent: ownership of the destination is not confirmed");
        assertThat(broker.last().cuts()).isEqualTo(1);
    }

    @Test
    void aCheckEndsTheAttemptOfAFormerOwnerAndOfNoOther() {
        send(1);
        producer.checkOwnership();
        assertThat(answers).isEmpty();

        isOwner = false;
        producer.checkOwnership();
        producer.checkOwnership();

        assertThat(answers).containsExactly("1 PASSING not sent: ownership of the destination is not confirmed");
        assertThat(broker.last().cuts()).isEqualTo(1);
    }

    /** What was taken before a failure would still be sent. */
    @Test
    void aCheckAlsoEndsAnAttemptThatIsHalted() {
        send(1);
        broker.last().rejectNext(new IllegalArgumentException("no key"));
        send(2);
        isOwner = false;
        producer.checkOwnership();

        assertThat(answers)
                .containsExactly(
                        "2 INVALID no key", "1 PASSING not sent: ownership of the destination is not confirmed");
        assertThat(broker.last().cuts()).isEqualTo(1);
    }

    /** Sent before, they could be stored before what is still on its way. */
    @Test
    void nothingIsSentWhileMessagesOfTheAttemptBeforeMayStillArrive() {
        broker.last().loseAndEnd(lost);
        broker.last().keepStraggler(new IllegalStateException("broker a does not answer"));
        producer.restart();
        send(1);
        assertThat(answers)
                .containsExactly("1 PASSING not sent: an earlier message failed:"
                        + " java.lang.IllegalStateException: broker a does not answer");

        broker.last().keepStraggler(null);
        producer.restart();
        send(1);
        assertThat(broker.connections()).hasSize(2);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    @Test
    void aConnectionThatCannotBeMadeIsTriedAgainAtTheNextRestart() {
        broker.last().loseAndEnd(lost);
        broker.beUnreachable(new IllegalStateException("unknown host"));
        producer.restart();
        send(1);
        assertThat(answers.get(0)).contains("unknown host");

        broker.beUnreachable(null);
        producer.restart();
        send(1);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    /** Such as while what gives out tokens is down. */
    @Test
    void aLoginThatCannotBePreparedFailsMessagesUntilItCan() throws InterruptedException {
        broker.beUnreachable(NotAdmittedException.thatMayPass("no token", lost));
        try (AttemptProducer late = new AttemptProducer(broker, new SwitchedOwnership(), time)) {
            send(late, 1);
            late.restart();
            send(late, 1);
            assertThat(answers).containsExactly("1 BROKEN no token", "1 BROKEN no token");
            broker.concealPartitions(new PartitionsUnknownException("t", "there is no connection"));
            assertThatThrownBy(() -> late.partitionsOf("t"))
                    .isInstanceOfSatisfying(PartitionsUnknownException.class, unknown -> {
                        assertThat(unknown.kind()).isEqualTo(FailureKind.BROKEN);
                        assertThat(unknown).hasCauseInstanceOf(NotAdmittedException.class);
                    });

            broker.beUnreachable(null);
            late.restart();
            send(late, 1);
            late.flush();
            assertThat(broker.stored(0)).containsExactly(1);
        }
        assertThat(broker.isClosed()).isTrue();
    }

    @Test
    void aLoginThatCannotBePreparedLaterIsToldAsSuchNotAsAFailureBefore() {
        broker.last().loseAndEnd(lost);
        broker.beUnreachable(NotAdmittedException.thatMayPass("no token", lost));
        producer.restart();
        send(1);
        broker.beUnreachable(new IllegalStateException("unknown host"));
        producer.restart();
        send(1);

        assertThat(answers)
                .containsExactly(
                        "1 BROKEN no token",
                        "1 PASSING not sent: an earlier message failed: java.lang.IllegalStateException: unknown host");
    }

    /** As by a client that connects by itself. */
    @Test
    void aLoginThatIsRejectedBeforeThereIsAMessageFailsTheFirstOne() {
        broker.last().loseAndEnd(NotAdmittedException.thatMayPass("wrong password", lost));
        send(1);
        assertThat(answers).containsExactly("1 BROKEN wrong password");
        assertThat(broker.last().taken()).isZero();

        producer.restart();
        send(1);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    /** The cause may be corrected by now, and nothing has told it. */
    @Test
    void aLoginThatWasRejectedLongBeforeTheFirstMessageIsTriedAgain() throws InterruptedException {
        broker.last().loseAndEnd(new NotAdmittedException("no such mechanism", lost));
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        send(1);
        send(2);
        producer.flush();

        assertThat(answers).containsExactly("1 delivered", "2 delivered");
        assertThat(broker.connections()).hasSize(2);
    }

    /** A later message must not be sent after one before it has failed. */
    @Test
    void aLoginIsTriedAgainForTheFirstMessageOnly() {
        broker.last().loseAndEnd(new NotAdmittedException("no such mechanism", lost));
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        broker.beUnreachable(NotAdmittedException.thatMayPass("no token", lost));
        send(1);
        broker.beUnreachable(null);
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        send(2);

        assertThat(answers).containsExactly("1 BROKEN no token", "2 BROKEN no token");
        producer.restart();
        send(1);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    @Test
    void aQuestionForPartitionsTriesALoginAgainThatWasRejectedLongBefore() {
        broker.last().loseAndEnd(new NotAdmittedException("no such mechanism", lost));
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        broker.concealPartitions(new PartitionsUnknownException("t", "there is no answer"));

        assertThatThrownBy(() -> producer.partitionsOf("t"))
                .isInstanceOfSatisfying(
                        PartitionsUnknownException.class,
                        unknown -> assertThat(unknown.kind()).isEqualTo(FailureKind.PASSING));
        assertThat(broker.connections()).hasSize(2);
    }

    /** Or the pause between logins, which keeps the account from being locked, would be cut short by converters. */
    @Test
    void aQuestionThatWasAnsweredByARejectedLoginTriesItNotAgain() {
        broker.last().loseAndEnd(NotAdmittedException.thatMayPass("wrong password", lost));
        broker.concealPartitions(new PartitionsUnknownException("t", "there is no connection"));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> producer.partitionsOf("t")).hasCauseInstanceOf(NotAdmittedException.class);
            time.pass(AttemptProducer.FRESH.plusMillis(1));
        }
        assertThat(broker.connections()).hasSize(1);

        producer.restart();
        broker.concealPartitions(new PartitionsUnknownException(
                "t", NotAdmittedException.thatMayPass("wrong password", lost), FailureKind.BROKEN));
        assertThatThrownBy(() -> producer.partitionsOf("t")).hasCauseInstanceOf(NotAdmittedException.class);
        broker.last().loseAndEnd(NotAdmittedException.thatMayPass("wrong password", lost));
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        assertThatThrownBy(() -> producer.partitionsOf("t")).hasCauseInstanceOf(NotAdmittedException.class);
        assertThat(broker.connections()).hasSize(2);
    }

    /** Another question connects meanwhile. The message before would fail, and those after it be sent. */
    @Test
    void aQuestionThatFailsWhileItsAttemptIsReplacedDoesNotFailAMessage() throws Exception {
        CountDownLatch connecting = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Thread other = new Thread(() -> producer.partitionsOf("other"));
        NotAdmittedException rejected = NotAdmittedException.thatMayPass("wrong password", lost);
        broker.beforeConnect(() -> {
            connecting.countDown();
            await().until(() -> answered.getCount() == 0);
        });
        broker.beforeAnswer(() -> {
            broker.last().loseAndEnd(rejected);
            time.pass(AttemptProducer.FRESH.plusMillis(1));
            other.start();
            await().until(() -> connecting.getCount() == 0);
            throw new PartitionsUnknownException("t", rejected, FailureKind.BROKEN);
        });
        assertThatThrownBy(() -> producer.partitionsOf("t")).hasCause(rejected);

        Thread sender = untilEndedOrBlocked(() -> send(1));
        answered.countDown();
        other.join();
        sender.join();
        send(2);
        producer.flush();

        assertThat(answers).containsExactly("1 delivered", "2 delivered");
        assertThat(broker.stored(0)).containsExactly(1, 2);
    }

    @Test
    void aLoginThatCouldNotBeTriedAgainIsNotTriedByEachQuestion() {
        broker.last().loseAndEnd(NotAdmittedException.thatMayPass("wrong password", lost));
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        broker.beUnreachable(NotAdmittedException.thatMayPass("no token", lost));
        AtomicInteger tries = new AtomicInteger();
        broker.beforeConnect(tries::incrementAndGet);

        producer.partitionsOf("t"); // answered from what was known before
        producer.partitionsOf("t");
        assertThat(tries).hasValue(1);

        broker.beUnreachable(null);
        time.pass(AttemptProducer.FRESH.plusMillis(1));
        send(1);
        assertThat(broker.last().inFlight()).isEqualTo(1);
    }

    @Test
    void aClosedProducerWaitsThenFailsTheRestAndTakesNothing() {
        send(1);
        producer.close(Duration.ofSeconds(3));
        producer.close(Duration.ofSeconds(3));
        producer.restart();
        send(2);

        assertThat(broker.last().settled()).isEqualTo(Duration.ofSeconds(3));
        assertThat(broker.last().cuts()).isEqualTo(1);
        assertThat(broker.isClosed()).isTrue();
        assertThat(answers)
                .containsExactly(
                        "1 PASSING not sent: the producer was closed", "2 BROKEN not sent: the producer was closed");
    }

    @Test
    void anInterruptedSendFailsAndKeepsTheInterrupt() {
        broker.last().rejectNext(new InterruptedException("waiting for room"));
        send(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answers).containsExactly("1 PASSING waiting for room");
    }

    /** As Kafka's may, if a plugin of it does not close. */
    @Test
    void aClientThatFailsWhileItIsClosedLeavesNothingUnansweredOrOpen() {
        send(1);
        broker.last().failToSettle(new IllegalStateException("a plugin cannot be closed"));

        assertThatThrownBy(() -> producer.close(Duration.ofSeconds(1))).hasMessage("a plugin cannot be closed");

        assertThat(answers).containsExactly("1 PASSING not sent: the producer was closed");
        assertThat(broker.isClosed()).isTrue();
    }
}
