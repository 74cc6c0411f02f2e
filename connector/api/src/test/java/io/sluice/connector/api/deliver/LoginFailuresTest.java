package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.Test;

class LoginFailuresTest {
    private final HandTime time = new HandTime();
    private final LoginFailures failures = new LoginFailures(time);

    @Test
    void theFirstIsFinalIfNothingWasEverDelivered() {
        assertThat(failures.isFinal(0)).isTrue();
    }

    @Test
    void severalThatLastForAMinuteAreFinal() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7)).isFalse();
        }
        assertThat(failures.isFinal(7)).as("it has not lasted").isFalse();
        time.pass(LoginFailures.LIMIT);
        assertThat(failures.isFinal(7)).isTrue();
    }

    @Test
    void aFewAreNotFinalHoweverLongThePausesAre() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7)).isFalse();
            time.pass(LoginFailures.LIMIT);
        }
        assertThat(failures.isFinal(7)).isTrue();
    }

    @Test
    void whatIsDeliveredBetweenBeginsAnotherRow() {
        for (int delivered = 1; delivered < 20; delivered++) {
            assertThat(failures.isFinal(delivered)).isFalse();
            time.pass(LoginFailures.LIMIT);
        }
    }

    /** Such as a broker that could not be reached. */
    @Test
    void anotherFailureBeginsAnotherRow() {
        for (int i = 0; i < 20; i++) {
            assertThat(failures.isFinal(7)).isFalse();
            failures.interrupted();
            time.pass(LoginFailures.LIMIT);
        }
    }
}
