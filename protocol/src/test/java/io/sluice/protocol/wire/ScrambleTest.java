package io.sluice.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrambleTest {
    /** Made by canal's own client and server. */
    private static final byte[] SEED = {1, 2, 3, 4, 5, 6, 7, 8};

    private static final String STORED = "e3619321c1a937c46a0d8bd1dac39f93b27d4458";
    private static final String TOKEN = "7de44690d8e53782cb61804a2455c284a3bbfb06";

    @Test
    void makesTheTokenAndTheStoredFormThatCanalMakes() {
        assertThat(Scramble.stored("canal")).isEqualTo(STORED);
        assertThat(Scramble.token("canal", SEED)).isEqualTo(TOKEN);
    }

    @Test
    void acceptsATokenOfThePasswordForItsSeedOnly() {
        byte[] otherSeed = {1, 2, 3, 4, 5, 6, 7, 9};

        assertThat(Scramble.proves(TOKEN, SEED, STORED)).isTrue();
        assertThat(Scramble.proves(TOKEN, SEED, STORED.toUpperCase(Locale.ROOT)))
                .isTrue();
        assertThat(Scramble.proves(TOKEN, otherSeed, STORED)).isFalse();
        assertThat(Scramble.proves(Scramble.token("canal2", SEED), SEED, STORED))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7d", "zz", "7de44690d8e53782cb61804a2455c284a3bbfbXX", "canal"})
    void aMalformedTokenProvesNothing(String text) {
        assertThat(Scramble.proves(text, SEED, STORED)).isFalse();
    }

    @Test
    void recognizesAStoredPassword() {
        assertThat(Scramble.isStored(STORED)).isTrue();
        assertThat(Scramble.isStored("canal")).isFalse();
        assertThatThrownBy(() -> Scramble.proves(TOKEN, SEED, "canal")).isInstanceOf(IllegalArgumentException.class);
    }
}
