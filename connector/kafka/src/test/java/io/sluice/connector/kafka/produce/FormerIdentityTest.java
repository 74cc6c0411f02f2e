package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.kafka.produce.FormerIdentity.Opened;
import org.junit.jupiter.api.Test;

class FormerIdentityTest {
    private final FormerIdentity<String> former = new FormerIdentity<>();

    @Test
    void theIdentityOfAProducerThatIsStillClosingIsContinued() {
        String[] epoch = {"1"};
        former.follow(former.newest(), () -> epoch[0]);

        epoch[0] = "2";

        assertThat(former.newest().identity()).isEqualTo("2");
    }

    @Test
    void aProducerThatClosesAfterTheNextWasOpenedReplacesNothing() {
        Opened<String> first = former.follow(former.newest(), () -> "1");
        Opened<String> second = former.follow(first, () -> "2");

        first.close();

        assertThat(former.newest()).isSameAs(second);
        assertThat(second.identity()).isEqualTo("2");
    }

    @Test
    void aProducerThatClosesWhileTheNextIsOpenedIsContinued() {
        Opened<String> first = former.follow(former.newest(), () -> "1");
        Opened<String> continued = former.newest();

        first.close();

        assertThat(former.follow(continued, () -> "2")).isSameAs(former.newest());
        assertThat(continued.identity()).isEqualTo("1");
    }

    /** As one that is restarted while it is closed, and hangs: the next producer has the same epoch already. */
    @Test
    void aProducerThatConnectsAgainAfterTheNextWasOpenedIsRejected() {
        Opened<String> first = former.follow(former.newest(), () -> "1");
        former.follow(first, () -> "2");

        assertThatThrownBy(() -> former.follow(first, () -> "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another producer of the destination was opened");
        assertThat(former.newest().identity()).isEqualTo("2");
    }
}
