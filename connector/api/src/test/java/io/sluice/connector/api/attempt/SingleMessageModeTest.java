package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SingleMessageModeTest {
    private final SingleMessageMode mode = new SingleMessageMode();

    @Test
    void endsWhenSoManyMessagesInARowHavePassed() {
        mode.begin(3);
        mode.passed();
        mode.passed();
        mode.begin(3);
        mode.passed();
        mode.passed();
        assertThat(mode.isOn()).isTrue();

        mode.passed();

        assertThat(mode.isOn()).isFalse();
    }

    /** A message that is rejected while messages are sent one by one is the only one in flight. */
    @Test
    void isNotShortenedByAnotherRejection() {
        mode.begin(3);
        mode.begin(1);

        mode.passed();

        assertThat(mode.isOn()).isTrue();
    }
}
