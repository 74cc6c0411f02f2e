package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProducerNamesTest {
    private final HandTime time = new HandTime();
    private final ProducerNames names = new ProducerNames("sluice-shop", true, time);

    @Test
    void aNameThatIsNeverOursIsGivenUpAfterTheLimitAndThenEverywhereAtOnce() {
        names.busy("t-0");
        lookFor(ProducerNames.LIMIT.minusSeconds(1), "t-0");
        assertThat(names.of("t-0")).isEqualTo("sluice-shop");

        lookFor(Duration.ofSeconds(1), "t-0");

        assertThat(names.of("t-0")).matches("sluice-shop-[0-9a-f]{16}").isEqualTo(names.of("t-0"));
        assertThat(names.of("t-1")).isEqualTo("sluice-shop");
        names.busy("t-1");
        assertThat(names.of("t-1")).isEqualTo(names.of("t-0"));
    }

    /** What was sent by that name may still be on its way. */
    @Test
    void aNameThatWasOursIsGivenUpLater() {
        names.made("t-0");
        names.busy("t-0");
        lookFor(ProducerNames.LIMIT_OF_OURS.minusSeconds(1), "t-0");
        assertThat(names.of("t-0")).isEqualTo("sluice-shop");

        lookFor(Duration.ofSeconds(1), "t-0");

        assertThat(names.of("t-0")).startsWith("sluice-shop-");
    }

    /** As while a broker was paused: it may not have found yet that the client is gone. */
    @Test
    void timeInWhichNothingWasSeenDoesNotCount() {
        names.busy("t-0");
        time.pass(ProducerNames.LIMIT.plus(TakenPartitions.LONGEST_GAP));
        names.busy("t-0");

        assertThat(names.of("t-0")).isEqualTo("sluice-shop");
    }

    private void lookFor(Duration duration, String partition) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            time.passSeconds(1);
            names.busy(partition);
        }
    }

    @Test
    void aNameOfTheOperatorsIsNotGivenUp() {
        ProducerNames chosen = new ProducerNames("mine", false, time);
        chosen.busy("t-0");
        time.pass(ProducerNames.LIMIT.plusSeconds(1));
        chosen.busy("t-0");

        assertThat(chosen.of("t-0")).isEqualTo("mine");
    }
}
