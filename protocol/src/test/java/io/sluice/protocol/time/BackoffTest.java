package io.sluice.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(1));

    @Test
    void doublesUpToTheCapLessARandomPart() {
        for (long most : new long[] {100, 200, 400, 800, 1000, 1000, 1000}) {
            assertThat(backoff.next()).isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
        }
    }

    @Test
    void startsOverAfterAReset() {
        backoff.next();
        backoff.next();

        backoff.reset();

        assertThat(backoff.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    }

    @Test
    void isNotTheSameForTwoInstances() {
        Backoff other = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(2));

        assertThat(other.next()).isNotEqualTo(backoff.next());
    }
}
