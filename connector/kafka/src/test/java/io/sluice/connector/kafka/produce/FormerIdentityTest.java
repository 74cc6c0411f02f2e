package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.kafka.produce.FormerIdentity.Turn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormerIdentityTest {
    private final FormerIdentity<String> former = new FormerIdentity<>();

    private Turn<String> connected(String identity) {
        Turn<String> turn = former.next();
        turn.connect(() -> identity);
        return turn;
    }

    @Test
    void theIdentityOfAProducerThatIsStillClosingIsContinued() {
        String[] epoch = {"1"};
        former.next().connect(() -> epoch[0]);

        epoch[0] = "2";

        assertThat(former.next().identity()).isEqualTo("2");
    }

    @Test
    void aProducerThatClosesAfterTheNextHasConnectedReplacesNothing() {
        Turn<String> first = connected("1");
        Turn<String> second = connected("2");

        first.close();

        assertThat(second.identity()).isEqualTo("2");
        assertThat(former.next().identity()).isEqualTo("2");
    }

    @Test
    void aProducerThatClosesWhileTheNextIsMadeIsContinued() {
        Turn<String> first = connected("1");
        Turn<String> second = former.next();

        first.close();

        assertThat(second.identity()).isEqualTo("1");
        second.connect(() -> "2");
        assertThat(second.identity()).isEqualTo("2");
    }

    /** As after a failure to connect, which makes the next producer. */
    @Test
    void aProducerThatHasNotConnectedKeepsTheIdentityOfTheOneBefore() {
        String[] epoch = {"1"};
        Turn<String> first = former.next();
        first.connect(() -> epoch[0]);
        former.next().close();
        epoch[0] = "2";

        first.close();

        assertThat(former.next().identity()).isEqualTo("2");
    }

    /** As one that is restarted while it is closed, and hangs: the next producer has the same epoch already, or will have it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProducerThatConnectsAgainAfterTheNextWasMadeIsRejected(boolean hasNextConnected) {
        Turn<String> first = connected("1");
        Turn<String> second = former.next();
        if (hasNextConnected) {
            second.connect(() -> "2");
        }

        assertThatThrownBy(() -> first.connect(() -> "1, again"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the next producer of the destination was made");

        second.connect(() -> "3");
        assertThat(former.next().identity()).isEqualTo("3");
    }
}
