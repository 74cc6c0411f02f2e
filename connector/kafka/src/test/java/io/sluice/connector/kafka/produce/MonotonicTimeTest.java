package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The time of Kafka's client when clocks are set. */
class MonotonicTimeTest {
    private final HandTime clocks = new HandTime();
    private final MonotonicTime time = new MonotonicTime(clocks);

    @Test
    void aWallClockThatIsSetBackChangesNoDuration() {
        long begin = time.milliseconds();
        assertThat(begin).isEqualTo(clocks.millis());

        clocks.passWall(Duration.ofHours(-1));
        clocks.passMonotonic(Duration.ofSeconds(2));

        assertThat(time.milliseconds() - begin).isEqualTo(2_000);
    }
}
