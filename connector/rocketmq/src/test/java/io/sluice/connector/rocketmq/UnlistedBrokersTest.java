package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnlistedBrokersTest {
    private final HandTime time = new HandTime();
    private final UnlistedBrokers brokers = new UnlistedBrokers(Duration.ofSeconds(10), time);

    @Test
    void aBrokerIsGoneWhenItHasNotBeenListedForTheLimit() {
        assertThat(brokers.gone(List.of("a", "b"), Set.of("b"))).isEmpty();
        time.passSeconds(10);
        assertThat(brokers.gone(List.of("a", "b"), Set.of())).isEmpty();
        time.passSeconds(1);
        assertThat(brokers.gone(List.of("a", "b"), Set.of())).containsExactly("a");
        time.passSeconds(10);
        assertThat(brokers.gone(List.of("a", "b"), Set.of())).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aBrokerThatIsListedOrAnswersAgainGetsTheWholeTimeAgain() {
        brokers.gone(List.of("a", "b"), Set.of());
        time.passSeconds(9);
        brokers.gone(List.of("b"), Set.of("b"));
        time.passSeconds(9);
        assertThat(brokers.gone(List.of("a", "b"), Set.of())).isEmpty();
        time.passSeconds(9);
        assertThat(brokers.gone(List.of("a", "b"), Set.of())).isEmpty();
    }
}
