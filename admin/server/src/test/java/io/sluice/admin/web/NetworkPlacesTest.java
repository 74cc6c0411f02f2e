package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NetworkPlacesTest {
    private final NetworkPlaces places = new NetworkPlaces(4, 2);

    @Test
    void aNetworkLeavesPlacesForOthers() {
        assertThat(places.tryTake("2001:db8::1")).isTrue();
        assertThat(places.tryTake("2001:db8::2")).isTrue();
        assertThat(places.tryTake("2001:db8::3")).as("of the same 64 bits").isFalse();

        assertThat(places.tryTake("192.0.2.1")).isTrue();
        assertThat(places.tryTake("192.0.2.1")).isFalse();
        assertThat(places.tryTake("192.0.2.2")).isTrue();
        assertThat(places.tryTake("192.0.2.3")).as("all are taken").isFalse();
    }

    @Test
    void aPlaceThatIsReleasedCanBeTakenAgain() {
        assertThat(places.tryTake("192.0.2.1")).isTrue();
        assertThat(places.tryTake("192.0.2.1")).isTrue();
        assertThat(places.tryTake("192.0.2.1")).isFalse();

        places.release("192.0.2.1");
        assertThat(places.tryTake("192.0.2.1")).isTrue();
        places.release("192.0.2.1");
        places.release("192.0.2.1");

        for (String address : new String[] {"192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"}) {
            assertThat(places.tryTake(address)).isTrue();
        }
    }
}
