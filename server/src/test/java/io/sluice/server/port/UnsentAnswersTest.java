package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnsentAnswersTest {
    private static final int LARGE = 400_000;

    private final UnsentAnswers unsent = new UnsentAnswers(1_000_000);

    @Test
    void noMoreIsAcceptedThanMayBeUnsentUntilOneHasLeft() {
        assertThat(unsent.add(LARGE)).isTrue();
        assertThat(unsent.add(LARGE)).isTrue();
        assertThat(unsent.add(LARGE)).isFalse();

        unsent.remove(LARGE);

        assertThat(unsent.add(LARGE)).isTrue();
    }

    @Test
    void aSingleAnswerMayBeLargerThanAll() {
        assertThat(unsent.add(5_000_000)).isTrue();
        assertThat(unsent.add(LARGE)).isFalse();
    }

    @Test
    void aSingleAnswerOfACallerMayBeLargerThanItsPart() {
        assertThat(unsent.add("a", 5_000_000)).isTrue();
        assertThat(unsent.add("a", LARGE)).isFalse();
    }

    @Test
    void aCallerThatReadsNothingLeavesRoomForOthers() {
        int part = 200_000;
        assertThat(unsent.add("a", part)).isTrue();
        assertThat(unsent.add("a", part)).isFalse();
        assertThat(unsent.add("b", part)).isTrue();

        unsent.remove("a", part);

        assertThat(unsent.add("a", part)).isTrue();
        assertThat(unsent.add("c", part)).isTrue();
        assertThat(unsent.add("d", part)).isTrue();
        assertThat(unsent.add("e", part)).isTrue();
        assertThat(unsent.add("f", part)).isFalse();
    }

    @Test
    void theLastQuarterIsForCallersThatHaveNothingUnread() {
        UnsentAnswers room = new UnsentAnswers(4_000_000);
        for (int i = 0; i < 3; i++) {
            assertThat(room.add("a", 300_000)).isTrue();
            assertThat(room.add("b", 300_000)).isTrue();
            assertThat(room.add("c", 300_000)).isTrue();
        }
        assertThat(room.add("d", 300_000)).isTrue();
        assertThat(room.add("d", 300_000)).as("this part is full").isFalse();
        assertThat(room.add("e", 300_000)).isTrue();
        assertThat(room.add("f", 300_000)).isTrue();
    }

    @Test
    void theCallersThatHaveMostUnreadAreNamed() {
        assertThat(unsent.largest()).isEmpty();
        unsent.add("a", 100_000);
        unsent.add("b", 300_000);
        unsent.add("c", 200_000);
        unsent.add("d", 70_000);

        assertThat(unsent.largest()).isEqualTo("b=300000,c=200000,a=100000");
    }

    @Test
    void whatACallerHasNotReadIsTheSumOfItsAnswers() {
        int half = 100_000;
        assertThat(unsent.add("a", half)).isTrue();
        assertThat(unsent.add("a", half)).isTrue();
        assertThat(unsent.add("a", half)).isFalse();

        unsent.remove("a", half);

        assertThat(unsent.add("a", 2 * half)).as("beside the other one").isFalse();
        unsent.remove("a", half);
        assertThat(unsent.add("a", 2 * half)).isTrue();
    }

    @Test
    void smallAnswersAreAlwaysAccepted() {
        assertThat(unsent.add(5_000_000)).isTrue();
        for (int i = 0; i < 1000; i++) {
            assertThat(unsent.add(10_000)).isTrue();
        }
    }
}
