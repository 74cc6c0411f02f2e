package io.sluice.connector.kafka.produce;

import static io.sluice.connector.kafka.produce.LoopParts.BROKER;
import static io.sluice.connector.kafka.produce.LoopParts.DELIVERY_TIMEOUT;
import static io.sluice.connector.kafka.produce.LoopParts.PRODUCER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a partition without an acknowledgement ends a loop, without a broker. */
class ProgressTimeoutTest {
    private static final Uuid TOPIC_ID = new Uuid(1, 1);

    private final LoopParts loop = new LoopParts();
    private final HandTime time = loop.time;

    @AfterEach
    void close() {
        loop.close();
    }

    /** As through a slow line: all would be sent again otherwise, and again. */
    @Test
    void aPartitionThatIsAcknowledgedSteadilyDoesNotTimeOut() {
        PartitionQueue queue = queueWith(10);
        OutgoingBatch first = queue.takeNext(PRODUCER, time.nanos());
        for (int offset = 0; offset < 9; offset++) {
            OutgoingBatch second = queue.takeNext(PRODUCER, time.nanos());
            time.passSeconds(100);
            check();
            assertThat(loop.stop.isSet()).isFalse();
            assertThat(queue.acknowledged(first, offset, time.nanos())).containsExactly(first);
            first = second;
        }

        time.pass(DELIVERY_TIMEOUT);
        check();

        assertThat(loop.stop.isSet()).isTrue();
        assertThat(loop.failed).containsExactly("9");
    }

    /** What is in flight is not answered meanwhile, and a new connection would have it stored and throttled again. */
    @Test
    void aPauseByWhichABrokerKeepsAQuotaIsNoTimeWithoutProgress() {
        ClusterTest.update(loop.cluster, TOPIC_ID, Errors.NONE, 1);
        loop.cluster.keep("shop");
        ClusterTest.update(loop.cluster, TOPIC_ID, Errors.NONE, 1);
        OutgoingBatch unused = queueWith(1).takeNext(PRODUCER, time.nanos());
        Duration pause = DELIVERY_TIMEOUT.multipliedBy(3);
        loop.answer(new Request(BROKER), new ProduceResponseData().setThrottleTimeMs((int) pause.toMillis()));

        time.pass(pause);
        long untilTimeout = loop.timeout.check(time.nanos());
        assertThat(loop.stop.isSet()).isFalse();
        assertThat(untilTimeout).isBetween(DELIVERY_TIMEOUT.toMillis(), DELIVERY_TIMEOUT.toMillis() + 1);
        time.pass(DELIVERY_TIMEOUT);
        untilTimeout = loop.timeout.check(time.nanos());

        assertThat(loop.stop.isSet()).isTrue();
        assertThat(untilTimeout).isZero();
        assertThat(loop.failed).containsExactly("0");
    }

    /** With many partitions and a slow line its turn comes late. */
    @Test
    void whatWasNotSentDoesNotTimeOutWhileItsBrokerAnswersOthers() {
        loop.cluster.keep("shop");
        ClusterTest.update(loop.cluster, TOPIC_ID, Errors.NONE, 2);
        PartitionQueue answered = queueWith(5);
        loop.queues.add(loop.batch(1, "waits"));
        for (int offset = 0; offset < 5; offset++) {
            time.passSeconds(60);
            answerNext(answered, Errors.NONE, offset);
            check();
            assertThat(loop.stop.isSet()).isFalse();
        }

        time.passSeconds(119);
        long left = loop.timeout.check(time.nanos());
        assertThat(loop.stop.isSet()).isFalse();
        assertThat(left).isBetween(1L, 1_001L);
        time.passSeconds(1);
        check();

        assertThat(loop.stop.isSet()).isTrue();
        assertThat(loop.failed).containsExactly("waits");
    }

    /** Others of its broker do not count then: it may be that it has too few replicas. */
    @Test
    void whatWasSentTimesOutThoughItsBrokerAnswersOthers() {
        loop.cluster.keep("shop");
        ClusterTest.update(loop.cluster, TOPIC_ID, Errors.NONE, 2);
        PartitionQueue answered = queueWith(5);
        PartitionQueue sent = loop.queues.of("shop", 1);
        sent.add(loop.batch(1, "sent"));
        sent.sendAgain(sent.takeNext(PRODUCER, time.nanos()), time.nanos());
        time.passSeconds(119);
        answerNext(answered, Errors.NONE, 0);

        check();

        assertThat(loop.failed).containsExactly("sent");
    }

    /** The operator is told by that what to change. */
    @Test
    void whatTheBrokerAnswersIsTheCauseAtTheDeliveryTimeout() {
        PartitionQueue queue = queueWith(3);
        answerNext(queue, Errors.NONE, 0);
        answerNext(queue, Errors.NOT_ENOUGH_REPLICAS, -1);

        assertThat(loop.timeout.failureOf(queue))
                .hasMessage("not acknowledged within 120000 ms: topic shop, partition 0: "
                        + Errors.NOT_ENOUGH_REPLICAS.message())
                .hasCauseInstanceOf(NotEnoughReplicasException.class);
        answerNext(queue, Errors.NONE, 1);
        assertThat(loop.timeout.failureOf(queue))
                .hasMessage("not acknowledged within 120000 ms: topic shop, partition 0");
    }

    /** The queue of partition 0 with batches of one message each, which is its number. */
    private PartitionQueue queueWith(int batches) {
        PartitionQueue queue = loop.queues.of("shop", 0);
        for (int i = 0; i < batches; i++) {
            queue.add(loop.batch(0, Integer.toString(i)));
        }
        return queue;
    }

    private void answerNext(PartitionQueue queue, Errors error, long offset) {
        time.passSeconds(1);
        loop.answer(loop.send(queue, BROKER, TOPIC_ID), error, offset);
    }

    private void check() {
        long unused = loop.timeout.check(time.nanos());
    }
}
