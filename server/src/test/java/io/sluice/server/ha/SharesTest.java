package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final List<String> DESTINATIONS = List.of("c", "a", "d", "b");

    @Test
    void everyServerHasItsShareAndEveryDestinationOneServer() {
        for (String destination : DESTINATIONS) {
            assertThat(List.of("s1", "s2", "s3").stream()
                            .map(server -> Shares.turnOf(server, destination, DESTINATIONS, List.of("s2", "s3", "s1"))))
                    .containsExactlyInAnyOrder(0, 1, 2);
        }
        assertThat(DESTINATIONS.stream()
                        .filter(name -> Shares.turnOf("s1", name, DESTINATIONS, List.of("s2", "s1")) == 0))
                .containsExactly("c", "a");
    }

    @Test
    void aLoneServerIsAlwaysFirst() {
        assertThat(Shares.turnOf("s1", "d", DESTINATIONS, List.of("s1"))).isZero();
    }

    @Test
    void aServerThatIsNoCandidateIsLast() {
        assertThat(Shares.turnOf("s9", "d", DESTINATIONS, List.of("s1", "s2"))).isEqualTo(2);
    }
}
