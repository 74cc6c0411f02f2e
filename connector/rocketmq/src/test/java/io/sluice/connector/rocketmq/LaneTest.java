package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.Lane.Waiting;
import java.util.List;
import java.util.function.Predicate;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final DeliveryCallback NOBODY = new DeliveryCallback() {
        @Override
        public void delivered() {}

        @Override
        public void failed(Exception cause, FailureKind kind) {}
    };

    private final Lane lane = new Lane("orders", 0);

    @Test
    void whatCameMeanwhileGoesInOneRequest() {
        add(0, 10);
        List<Waiting> first = lane.take(100, LaneTest::none);
        add(1, 10);
        add(2, 10);
        assertThat(lane.take(100, LaneTest::none)).isEmpty();
        lane.free();

        assertThat(sequences(first)).containsExactly(0L);
        assertThat(sequences(lane.take(100, LaneTest::none))).containsExactly(1L, 2L);
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
    void aRefusedRequestIsSentAgainInHalvesAndWhatFollowsTogether() {
        for (int i = 0; i < 4; i++) {
            add(i, 10);
        }
        List<Waiting> refused = lane.take(100, LaneTest::none);
        add(4, 10);
        add(5, 10);

        lane.sendInHalves(refused);

        assertThat(sequences(next(100))).containsExactly(0L, 1L);
        List<Waiting> refusedAgain = lane.take(100, LaneTest::none);
        assertThat(sequences(refusedAgain)).containsExactly(2L, 3L);
        lane.sendInHalves(refusedAgain);
        assertThat(sequences(next(100))).containsExactly(2L);
        assertThat(sequences(next(100))).containsExactly(3L);
        assertThat(sequences(next(100))).containsExactly(4L, 5L);
    }

    @Test
    void dropsOnlyWhatIsBehind() {
        add(3, 10);
        add(5, 10);
        add(8, 10);

        assertThat(sequences(lane.dropBehind(4))).containsExactly(5L, 8L);
        assertThat(sequences(next(100))).containsExactly(3L);
    }

    @Test
    void whatIsBeingAnsweredForIsNotGivenUpAgain() {
        add(0, 10);
        List<Waiting> request = lane.take(100, LaneTest::none);
        assertThat(lane.isOnTheWay(request)).isTrue();
        lane.beginAnswer();
        add(1, 10);

        assertThat(lane.take(100, LaneTest::none)).isEmpty();
        assertThat(sequences(lane.dropAll())).containsExactly(1L);
        assertThat(lane.isOnTheWay(request)).isFalse();
    }

    private void add(long sequence, int bytes) {
        lane.add(new Waiting(sequence, new Message("orders", new byte[bytes]), bytes, NOBODY));
    }

    private static boolean none(Message message) {
        return false;
    }

    private List<Waiting> next(int bytes) {
        return next(bytes, LaneTest::none);
    }

    private List<Waiting> next(int bytes, Predicate<Message> single) {
        List<Waiting> taken = lane.take(bytes, single);
        lane.free();
        return taken;
    }

    private static List<Long> sequences(List<Waiting> some) {
        return some.stream().map(Waiting::sequence).toList();
    }
}
