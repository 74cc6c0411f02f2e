package io.sluice.connector.api.deliver.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginFailuresTest {
    private final HandTime time = new HandTime();
    private final LoginFailures failures = new LoginFailures(time);

    @Test
    void theFirstIsFinalIfNothingWasEverDelivered() {
        assertThat(failures.isFinal(0, false)).isTrue();
    }

    @Test
    void severalThatLastForAMinuteAreFinal() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7, false)).isFalse();
        }
        assertThat(failures.isFinal(7, false)).as("it has not lasted").isFalse();
        time.pass(LoginFailures.LIMIT);
        assertThat(failures.isFinal(7, false)).isTrue();
    }

    @Test
    void aFewAreNotFinalHoweverLongThePausesAre() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7, false)).isFalse();
            time.pass(LoginFailures.LIMIT);
        }
        assertThat(failures.isFinal(7, false)).isTrue();
    }

    @Test
    void whatIsDeliveredBetweenBeginsAnotherRow() {
        for (int delivered = 1; delivered < 20; delivered++) {
            assertThat(failures.isFinal(delivered, false)).isFalse();
            time.pass(LoginFailures.LIMIT);
        }
    }

    /** Such as a broker that could not be reached. */
    @Test
    void anotherFailureBeginsAnotherRow() {
        for (int i = 0; i < 20; i++) {
            assertThat(failures.isFinal(7, false)).isFalse();
            failures.interrupted();
            time.pass(LoginFailures.LIMIT);
        }
    }

    /** Such as while the server is down on which the login depends. */
    @Test
    void thoseThatMayPassAreFinalAfterTenMinutesAlsoIfNothingWasEverDelivered() {
        for (int minute = 0; minute < 10; minute++) {
            assertThat(failures.isFinal(0, true)).isFalse();
            time.pass(Duration.ofMinutes(1));
        }
        assertThat(failures.isFinal(0, true)).isTrue();
    }

    /** Such as a virtual host that is missing for a moment after the server of the accounts was down. */
    @Test
    void oneThatDoesNotPassIsNotFinalAfterOthersThatMay() {
        for (int i = 0; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7, true)).isFalse();
            time.pass(LoginFailures.LIMIT);
        }

        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(7, false)).isFalse();
            time.pass(Duration.ofSeconds(20));
        }
        assertThat(failures.isFinal(7, false)).isTrue();
    }

    /** As after a power failure, when nothing was delivered since. */
    @Test
    void oneThatDoesNotPassIsNotFinalAfterOthersThatMayAlsoIfNothingWasEverDelivered() {
        assertThat(failures.isFinal(0, true)).isFalse();

        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            assertThat(failures.isFinal(0, false)).isFalse();
            time.pass(Duration.ofSeconds(20));
        }
        assertThat(failures.isFinal(0, false)).isTrue();
    }

    /** As of an account that was changed, compared with one that never was right. */
    @Test
    void anInstanceThatHasDeliveredIsNotGivenUpSoonerThanOneThatHasNot() {
        for (boolean mayPass : new boolean[] {true, false}) {
            assertThat(attemptsUntilFinal(7, mayPass)).isGreaterThanOrEqualTo(attemptsUntilFinal(0, mayPass));
        }
    }

    private static int attemptsUntilFinal(long delivered, boolean mayPass) {
        HandTime time = new HandTime();
        LoginFailures failures = new LoginFailures(time);
        int attempts = 1;
        while (!failures.isFinal(delivered, mayPass)) {
            time.pass(Duration.ofSeconds(10));
            attempts++;
        }
        return attempts;
    }

    @Test
    void thoseOfBothKindsInTurnAreFinalAfterTenMinutes() {
        for (int minute = 0; minute < 10; minute++) {
            assertThat(failures.isFinal(7, minute % 2 == 0)).isFalse();
            time.pass(Duration.ofMinutes(1));
        }
        assertThat(failures.isFinal(7, true)).isTrue();
    }

    @Test
    void thoseThatMayPassHaveAPauseAfterFiveInARow() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            failures.isFinal(7, true);
            assertThat(failures.pause()).isZero();
        }
        failures.isFinal(7, true);
        assertThat(failures.pause()).isEqualTo(LoginFailures.PAUSE);
        failures.isFinal(8, true);
        assertThat(failures.pause()).as("it was admitted between").isZero();
    }

    /** As of a broker that is rejecting logins at one node while another one is down: the account may be locked all the same. */
    @Test
    void thoseThatMayPassHaveAPauseAfterFiveAlsoIfTheBrokerWasUnreachableBetween() {
        for (int i = 1; i < LoginFailures.ENOUGH; i++) {
            failures.isFinal(7, true);
            assertThat(failures.pause()).isZero();
            failures.interrupted();
        }
        failures.isFinal(7, true);
        assertThat(failures.pause()).isEqualTo(LoginFailures.PAUSE);
        failures.interrupted();
        assertThat(failures.pause()).as("after what is no login").isZero();
        failures.isFinal(7, true);
        assertThat(failures.pause()).isEqualTo(LoginFailures.PAUSE);
        failures.interrupted();
        failures.isFinal(8, true);
        assertThat(failures.pause()).as("it was admitted between").isZero();
    }

    @Test
    void thoseThatDoNotPassHaveNoPauseOfTheirOwn() {
        for (int i = 0; i < LoginFailures.ENOUGH; i++) {
            failures.isFinal(7, false);
        }
        assertThat(failures.pause()).isZero();
    }
}
