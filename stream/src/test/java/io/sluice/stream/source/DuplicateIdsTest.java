package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateIdsTest {
    private final HandTime time = new HandTime();
    private final DuplicateIds ids = new DuplicateIds(time);

    @Test
    void theFifthOfARowIsOneTooMany() {
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(ids.isOneTooMany());
            time.passSeconds(60);
        }

        assertThat(answers).containsExactly(false, false, false, false, true);
    }

    /** A copy that is started by mistake must not end the one that has run before. */
    @Test
    void oneThatHadReadForAMinuteBeforeTheFirstIsNeverOneTooMany() {
        ids.reads(time.nanos());
        time.passSeconds(60);
        requireThatNoneIsOneTooMany();
        assertThat(ids.isInDoubleUse()).isTrue();
    }

    /** Else two that are both established would end each other's dumps for ever, and deliver all changes twice. */
    @Test
    void oneThatComesBackAfterAnOutageIsTheNewcomer() {
        ids.reads(time.nanos());
        time.passSeconds(3600);
        ids.lost();
        time.passSeconds(3600);
        ids.reads(time.nanos());
        requireThatTheFifthIsOneTooMany(5);
    }

    @Test
    void oneThatHasReadForAMinuteAfterAnOutageIsEstablishedAgain() {
        ids.reads(time.nanos());
        ids.lost();
        time.passSeconds(3600);
        ids.reads(time.nanos());
        time.passSeconds(60);
        requireThatNoneIsOneTooMany();
    }

    @Test
    void whatWasReadBetweenTheEndsDoesNotCount() {
        ids.reads(time.nanos());
        time.passSeconds(59);
        requireThatTheFifthIsOneTooMany(60);
    }

    @Test
    void theIdIsInDoubleUseUntilAMinuteAfterTheLastEnd() {
        ids.isOneTooMany();
        assertThat(ids.isInDoubleUse()).as("a last time").isFalse();
        ids.isOneTooMany();
        time.passSeconds(59);
        assertThat(ids.isInDoubleUse()).isTrue();
        ids.isOneTooMany();
        time.passSeconds(59);
        assertThat(ids.isInDoubleUse()).isTrue();
        time.passSeconds(1);
        assertThat(ids.isInDoubleUse()).isFalse();
    }

    @Test
    void aLongQuietEndsTheRow() {
        assertThat(ids.isRecent()).isFalse();
        for (int i = 0; i < 20; i++) {
            assertThat(ids.isOneTooMany()).isFalse();
            assertThat(ids.isRecent()).isTrue();
            time.passSeconds(600);
            assertThat(ids.isRecent()).isFalse();
        }
    }

    private void requireThatTheFifthIsOneTooMany(int secondsBetween) {
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(ids.isOneTooMany());
            ids.reads(time.nanos());
            time.passSeconds(secondsBetween);
        }
        assertThat(answers).containsExactly(false, false, false, false, true);
    }

    private void requireThatNoneIsOneTooMany() {
        for (int i = 0; i < 20; i++) {
            assertThat(ids.isOneTooMany()).isFalse();
            ids.reads(time.nanos());
            time.passSeconds(5);
        }
    }
}
