package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttemptTest {
    private final IllegalStateException lost = new IllegalStateException("connection lost");

    /** As by the thread of a connection, before the thread that has made it continues. */
    @Test
    void aConnectionThatEndsItsAttemptWhileItIsMadeIsCutOnce() {
        FakeBroker broker = new FakeBroker();

        Attempt attempt = new Attempt(next -> {
            BrokerConnection made = broker.connect(next);
            next.end(lost);
            return made;
        });
        attempt.end(new IllegalStateException("a second end"));

        assertThat(attempt.failure()).isSameAs(lost);
        assertThat(attempt.hasEnded()).isTrue();
        assertThat(broker.last().cuts()).isEqualTo(1);
    }
}
