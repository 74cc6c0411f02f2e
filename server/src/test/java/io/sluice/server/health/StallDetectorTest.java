package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.instance.InstanceState;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ProgressSample IDLE =
            new ProgressSample(InstanceState.RUNNING, 0, 1000, 0, 10, 10, false, false, Stage.SENDER);

    private final StallDetector detector = new StallDetector(LIMIT);
    private long seconds = -100; // a clock may begin anywhere

    @Test
    void anIdleInstanceIsHealthy() {
        assertThat(after(0, IDLE)).isNull();
        assertThat(after(1000, IDLE)).isNull();
    }

    @Test
    void aSourceThatIsUnreachableForTooLongIsTheStalledStage() {
        ProgressSample unreachable = in(InstanceState.RETRYING);

        assertThat(after(0, in(InstanceState.CONNECTING))).isNull();
        assertThat(after(59, unreachable)).isNull();
        assertThat(after(1, unreachable)).isEqualTo(stall(Stage.SOURCE, 60));
        assertThat(after(5, IDLE)).isNull();
        assertThat(after(59, unreachable)).as("counted from the start again").isNull();
    }

    @Test
    void theReaderIsTheStalledStageIfNoBinlogComesUnlessALaterStageBlocksIt() {
        ProgressSample behind =
                new ProgressSample(InstanceState.RUNNING, 500, 1000, 0, 10, 10, false, false, Stage.SENDER);
        ProgressSample full =
                new ProgressSample(InstanceState.RUNNING, 500, 1000, 0, 10, 10, true, false, Stage.SENDER);
        ProgressSample unknown =
                new ProgressSample(InstanceState.RUNNING, -1, 1000, 0, 10, 10, false, false, Stage.SENDER);

        after(0, behind);
        assertThat(after(60, behind)).isEqualTo(stall(Stage.READER, 60));
        assertThat(after(1, full)).isNull();
        assertThat(after(60, full)).isNull();
        assertThat(after(60, unknown)).isNull();
    }

    /** What is read from the file of a large transaction comes from no binlog. */
    @Test
    void aReplayThatFillsTheStoreIsProgress() {
        long put = 10;
        for (int i = 0; i < 10; i++) {
            put++;
            ProgressSample replaying =
                    new ProgressSample(InstanceState.RUNNING, 500, 1000, 0, put, put, false, false, Stage.SENDER);
            assertThat(after(59, replaying)).isNull();
        }
    }

    @Test
    void readingAnythingIsProgress() {
        long received = 0;
        for (int i = 0; i < 10; i++) {
            ProgressSample behind =
                    new ProgressSample(InstanceState.RUNNING, 500, received++, 0, 10, 10, false, false, Stage.SENDER);
            assertThat(after(59, behind)).isNull();
        }
    }

    @Test
    void theEncodersAreTheStalledStageIfChunksDoNotReachTheStore() {
        ProgressSample stuck =
                new ProgressSample(InstanceState.RUNNING, 500, 1000, 3, 10, 10, false, false, Stage.SENDER);

        after(0, stuck);
        assertThat(after(60, stuck)).isEqualTo(stall(Stage.ENCODERS, 60));
    }

    @Test
    void theLastStageWithoutProgressIsTheStalledOne() {
        ProgressSample stuck =
                new ProgressSample(InstanceState.RETRYING, 500, 1000, 3, 20, 10, true, false, Stage.BROKER);
        ProgressSample delivering =
                new ProgressSample(InstanceState.RETRYING, 500, 1000, 3, 20, 11, true, false, Stage.BROKER);

        after(0, stuck);
        assertThat(after(60, stuck)).isEqualTo(stall(Stage.BROKER, 60));
        assertThat(after(1, delivering)).isEqualTo(stall(Stage.SOURCE, 61));
    }

    @Test
    void acksAreProgressAndNewEntriesAreNot() {
        ProgressSample one = new ProgressSample(InstanceState.RUNNING, 0, 1000, 0, 20, 10, false, false, Stage.CLIENTS);
        ProgressSample more =
                new ProgressSample(InstanceState.RUNNING, 0, 1100, 0, 30, 10, false, false, Stage.CLIENTS);
        ProgressSample acked =
                new ProgressSample(InstanceState.RUNNING, 0, 1100, 0, 30, 11, false, false, Stage.CLIENTS);

        after(0, one);
        assertThat(after(60, more)).isEqualTo(stall(Stage.CLIENTS, 60));
        assertThat(after(1, acked)).isNull();
        assertThat(after(59, acked)).isNull();
        assertThat(after(1, acked)).isEqualTo(stall(Stage.CLIENTS, 60));
    }

    @Test
    void withoutALimitNothingStalls() {
        StallDetector unlimited = new StallDetector(Duration.ZERO);
        ProgressSample unreachable = in(InstanceState.RETRYING);

        assertThat(unlimited.look(unreachable, 0)).isNull();
        assertThat(unlimited.look(unreachable, TimeUnit.DAYS.toNanos(1))).isNull();
    }

    @Test
    void aStallOfClientsAloneIsHealthy() {
        assertThat(new InstanceHealth("shop", InstanceState.RUNNING, null, null).isWell())
                .isTrue();
        assertThat(new InstanceHealth("shop", InstanceState.RUNNING, stall(Stage.CLIENTS, 60), null).isWell())
                .isTrue();
        assertThat(new InstanceHealth("shop", InstanceState.RUNNING, stall(Stage.BROKER, 60), null).isWell())
                .isFalse();
        assertThat(new InstanceHealth("shop", InstanceState.FAILED, null, null).isWell())
                .isFalse();
    }

    /** Advances the clock, and takes a sample. */
    private Stall after(int more, ProgressSample sample) {
        seconds += more;
        return detector.look(sample, TimeUnit.SECONDS.toNanos(seconds));
    }

    private static ProgressSample in(InstanceState state) {
        return new ProgressSample(state, -1, 1000, 0, 10, 10, false, false, Stage.SENDER);
    }

    private static Stall stall(Stage stage, int seconds) {
        return new Stall(stage, Duration.ofSeconds(seconds));
    }
}
