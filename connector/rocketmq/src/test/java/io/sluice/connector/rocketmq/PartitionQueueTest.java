package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.PartitionQueue.Waiting;
import java.util.List;
import java.util.function.Predicate;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;

class PartitionQueueTest {
    private static final DeliveryCallback IGNORED = new DeliveryCallback() {
        @Override
        public void delivered() {}

        @Override
        public void failed(Exception cause, FailureKind kind) {}
    };

    private final PartitionQueue queue = new PartitionQueue("orders", 0);

    @Test
    void whatCameMeanwhileGoesInOneRequest() {
        add(0, 10);
        List<Waiting> first = queue.take(100, PartitionQueueTest::none);
        add(1, 10);
        add(2, 10);
        assertThat(queue.take(100, PartitionQueueTest::none)).isEmpty();
        queue.free();

        assertThat(sequences(first)).containsExactly(0L);
        assertThat(sequences(queue.take(100, PartitionQueueTest::none))).containsExactly(1L, 2L);
    }

    @Test
    void aRequestStaysWithinItsSizeUnlessOneMessageIsLarger() {
        add(0, 40);
        add(1, 40);
        add(2, 40);
        add(3, 400);

        assertThat(sequences(next(100))).containsExactly(0L, 1L);
        assertThat(sequences(next(100))).containsExactly(2L);
        assertThat(sequences(next(100))).containsExactly(3L);
        assertThat(next(100)).isEmpty();
    }

    @Test
    void whatIsToBeCompressedGoesAlone() {
        add(0, 10);
        add(1, 60);
        add(2, 10);
        Predicate<Message> large = message -> message.getBody().length > 50;

        assertThat(sequences(next(100, large))).containsExactly(0L);
        assertThat(sequences(next(100, large))).containsExactly(1L);
        assertThat(sequences(next(100, large))).containsExactly(2L);
    }

    @Test
    void aRejectedRequestIsSentAgainInHalvesAndWhatFollowsTogether() {
        for (int i = 0; i < 4; i++) {
            add(i, 10);
        }
        List<Waiting> refused = queue.take(100, PartitionQueueTest::none);
        add(4, 10);
        add(5, 10);

        queue.sendInHalves(refused);

        assertThat(sequences(next(100))).containsExactly(0L, 1L);
        List<Waiting> refusedAgain = queue.take(100, PartitionQueueTest::none);
        assertThat(sequences(refusedAgain)).containsExactly(2L, 3L);
        queue.sendInHalves(refusedAgain);
        assertThat(sequences(next(100))).containsExactly(2L);
        assertThat(sequences(next(100))).containsExactly(3L);
        assertThat(sequences(next(100))).containsExactly(4L, 5L);
    }

    @Test
    void dropsOnlyWhatFollows() {
        add(3, 10);
        add(5, 10);
        add(8, 10);

        assertThat(sequences(queue.dropBehind(4))).containsExactly(5L, 8L);
        assertThat(sequences(next(100))).containsExactly(3L);
    }

    @Test
    void whatIsBeingAnsweredForIsNotGivenUpAgain() {
        add(0, 10);
        List<Waiting> request = queue.take(100, PartitionQueueTest::none);
        assertThat(queue.isOnTheWay(request)).isTrue();
        queue.beginAnswer();
        add(1, 10);

        assertThat(queue.take(100, PartitionQueueTest::none)).isEmpty();
        assertThat(sequences(queue.dropAll())).containsExactly(1L);
        assertThat(queue.isOnTheWay(request)).isFalse();
    }

    private void add(long sequence, int bytes) {
        queue.add(new Waiting(sequence, new Message("orders", new byte[bytes]), bytes, IGNORED));
    }

    private static boolean none(Message message) {
        return false;
    }

    private List<Waiting> next(int bytes) {
        return next(bytes, PartitionQueueTest::none);
    }

    private List<Waiting> next(int bytes, Predicate<Message> single) {
        List<Waiting> taken = queue.take(bytes, single);
        queue.free();
        return taken;
    }

    private static List<Long> sequences(List<Waiting> some) {
        return some.stream().map(Waiting::sequence).toList();
    }
}
