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

    /** Or its failure would be told, and another attempt take what follows. */
    @Test
    void itIsUsedOrDiscardedAndNotBoth() {
        Attempt used = new Attempt(new FakeBroker()::connect);
        assertThat(used.use()).isTrue();
        assertThat(used.discard()).isFalse();
        assertThat(used.isUsed()).isTrue();

        Attempt discarded = new Attempt(new FakeBroker()::connect);
        assertThat(discarded.discard()).isTrue();
        assertThat(discarded.use()).isFalse();
        assertThat(discarded.isUsed()).isFalse();
        discarded.keep();
        assertThat(discarded.use()).isTrue();
    }
}
