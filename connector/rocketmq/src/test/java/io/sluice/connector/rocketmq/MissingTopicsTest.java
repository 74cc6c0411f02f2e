package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MissingTopicsTest {
    private final HandTime time = new HandTime();
    private final MissingTopics missing = new MissingTopics(Duration.ofMinutes(2), time);

    @Test
    void aTopicIsUnavailableWhenItHasBeenMissingForLong() {
        assertThat(missing.notFound("orders", "a")).isEqualTo(FailureKind.PASSING);
        time.pass(Duration.ofMinutes(1));
        assertThat(missing.notFound("orders", "a")).isEqualTo(FailureKind.PASSING);
        assertThat(missing.notFound("orders", "b")).isEqualTo(FailureKind.PASSING);
        time.pass(Duration.ofMinutes(1));
        assertThat(missing.notFound("orders", "a")).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(missing.notFound("orders", "b")).isEqualTo(FailureKind.PASSING);
    }

    @Test
    void aBrokerThatWasNotAskedForLongHasANewGrace() {
        missing.notFound("orders", "b");
        time.pass(Duration.ofDays(3)); // its partitions were elsewhere
        assertThat(missing.notFound("orders", "b")).isEqualTo(FailureKind.PASSING);
        time.pass(Duration.ofMinutes(2));
        assertThat(missing.notFound("orders", "b")).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @Test
    void aTopicThatWasFoundIsNotMissing() {
        missing.notFound("orders", "a");
        time.pass(Duration.ofMinutes(1));
        missing.found("orders", "a");
        time.pass(Duration.ofMinutes(1));
        assertThat(missing.notFound("orders", "a")).isEqualTo(FailureKind.PASSING);
    }
}
