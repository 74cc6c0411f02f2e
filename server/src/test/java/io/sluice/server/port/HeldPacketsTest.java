package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldPacketsTest {
    private static final int FREE = HeldPackets.FREE_BYTES;

    private final HeldPackets held = new HeldPackets(100_000);

    @Test
    void whatAConnectionMayHaveInAnyCaseIsNotRefused() {
        HeldPackets.OfConnection large = held.connection();
        assertThat(large.add(90_000 + FREE)).isTrue();
        HeldPackets.OfConnection other = held.connection();
        assertThat(other.add(FREE - 100)).isTrue();
        assertThat(other.add(20_000)).isFalse();
    }

    @Test
    void aSinglePacketIsAcceptedWhateverItsLength() {
        HeldPackets.OfConnection one = held.connection();
        assertThat(one.add(1 << 28)).isTrue();
        one.remove(1 << 28);
        assertThat(held.connection().add(90_000)).isTrue();
    }

    @Test
    void whatWasAnsweredOrClosedMakesRoom() {
        HeldPackets.OfConnection one = held.connection();
        one.add(50_000);
        one.add(50_000);
        one.remove(50_000);
        one.close();
        one.close();
        one.remove(50_000);
        assertThat(held.connection().add(100_000)).isTrue();
        assertThat(held.connection().add(2 * FREE)).isFalse();
    }
}
