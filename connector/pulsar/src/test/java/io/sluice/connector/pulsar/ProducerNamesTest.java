package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.Test;

class ProducerNamesTest {
    private final HandTime time = new HandTime();
    private final ProducerNames names = new ProducerNames("sluice-shop", true, time);

    @Test
    void aNameThatIsNeverOursIsGivenUpAfterTheLimit() {
        names.busy("t-0");
        time.pass(ProducerNames.LIMIT);
        names.busy("t-0");
        assertThat(names.of("t-0")).isEqualTo("sluice-shop");

        time.passSeconds(1);
        names.busy("t-0");

        assertThat(names.of("t-0")).matches("sluice-shop-[0-9a-f]{16}").isEqualTo(names.of("t-0"));
        assertThat(names.of("t-1")).isEqualTo("sluice-shop");
    }

    /** What was sent by that name may still be on its way. */
    @Test
    void aNameThatWasOursIsNotGivenUp() {
        names.made("t-0");
        names.busy("t-0");
        time.pass(ProducerNames.LIMIT.plusSeconds(1));
        names.busy("t-0");

        assertThat(names.of("t-0")).isEqualTo("sluice-shop");
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
