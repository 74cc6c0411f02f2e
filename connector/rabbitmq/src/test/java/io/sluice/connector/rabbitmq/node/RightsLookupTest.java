package io.sluice.connector.rabbitmq.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RightsLookupTest {
    private final HandTime time = new HandTime();
    private final RightsLookup lookup = new RightsLookup(time);

    @Test
    void theNodeIsLeftOnceInTenSecondsInWhichNothingIsConfirmed() {
        assertThat(lookup.failed()).isFalse();
        time.passSeconds(10);
        assertThat(lookup.failed()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(lookup.failed()).isTrue();
        assertThat(lookup.failed()).isFalse();
        time.passSeconds(11);
        assertThat(lookup.failed()).isTrue();
    }

    @Test
    void aConfirmationBeginsAgain() {
        assertThat(lookup.failed()).isFalse();
        time.passSeconds(11);
        lookup.confirmed();

        assertThat(lookup.failed()).isFalse();
        time.passSeconds(11);
        assertThat(lookup.failed()).isTrue();
    }
}
