package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.log.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StallLogTest {
    private static final Stall OF_SOURCE = new Stall(Stage.SOURCE, Duration.ofSeconds(60));

    private final StallLog log = new StallLog();

    @Test
    void aStallIsLoggedOnceAndSoIsItsEnd() {
        try (LogLines lines = LogLines.of(StallLog.class)) {
            log.add("shop", InstanceState.RETRYING, null);
            log.add("shop", InstanceState.RETRYING, OF_SOURCE);
            log.add("shop", InstanceState.RETRYING, OF_SOURCE);
            log.add("shop", InstanceState.RUNNING, null);
            log.add("shop", InstanceState.RUNNING, null);

            assertThat(lines.texts())
                    .satisfiesExactly(
                            begin -> assertThat(begin)
                                    .startsWith("no progress while there is work: instance=shop stage=source"),
                            end -> assertThat(end)
                                    .isEqualTo(
                                            "instance is making progress again: instance=shop stalled_stage=source"));
        }
    }

    /** It reads nothing more, and is as stuck as before when it is started again. */
    @ParameterizedTest
    @EnumSource(names = {"STOPPING", "STOPPED", "FAILED"})
    void aStalledInstanceThatIsStoppedMakesNoProgress(InstanceState state) {
        log.add("shop", InstanceState.RETRYING, OF_SOURCE);

        try (LogLines lines = LogLines.of(StallLog.class)) {
            log.add("shop", state, null);

            assertThat(lines.texts()).isEmpty();
        }
    }
}
