package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.instance.InstanceState;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ProgressSample IDLE =
            sample(InstanceState.RUNNING, 0, 1000, 0, 10, 10, false, false, Stage.SENDER);

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
        ProgressSample behind = sample(InstanceState.RUNNING, 500, 1000, 0, 10, 10, false, false, Stage.SENDER);
        ProgressSample full = sample(InstanceState.RUNNING, 500, 1000, 0, 10, 10, true, false, Stage.SENDER);
        ProgressSample unknown = sample(InstanceState.RUNNING, -1, 1000, 0, 10, 10, false, false, Stage.SENDER);

        after(0, behind);
        assertThat(after(60, behind)).isEqualTo(stall(Stage.READER, 60));
        assertThat(after(1, full)).isNull();
        assertThat(after(60, full)).isNull();
        assertThat(after(60, unknown)).isNull();
    }

    /** As during a pause. */
    @Test
    void whatIsHeldBackInTheStoreIsNoStallUntilItIsReleased() {
        ProgressSample held = sample(InstanceState.RUNNING, 0, 1000, 0, 20, 10, false, true, Stage.SENDER);
        ProgressSample released = sample(InstanceState.RUNNING, 0, 1000, 0, 20, 10, false, false, Stage.SENDER);

        assertThat(after(0, held)).isNull();
        assertThat(after(600, held)).isNull();
        assertThat(after(1, released)).isNull();
        assertThat(after(59, released)).isNull();
        assertThat(after(1, released)).isEqualTo(stall(Stage.SENDER, 60));
    }

    /** What is read from the file of a large transaction comes from no binlog. */
    @Test
    void aReplayThatFillsTheStoreIsProgress() {
        long put = 10;
        for (int i = 0; i < 10; i++) {
            put++;
            ProgressSample replaying =
                    sample(InstanceState.RUNNING, 500, 1000, 0, put, put, false, false, Stage.SENDER);
            assertThat(after(59, replaying)).isNull();
        }
    }

    @Test
    void readingAnythingIsProgress() {
        long received = 0;
        for (int i = 0; i < 10; i++) {
            ProgressSample behind =
                    sample(InstanceState.RUNNING, 500, received++, 0, 10, 10, false, false, Stage.SENDER);
            assertThat(after(59, behind)).isNull();
        }
    }

    /** As of a line that breaks in each large packet, or a proxy that cuts each connection. */
    @Test
    void aSourceThatIsConnectedToAgainAndAgainWithoutANewEventIsTheStalledStage() {
        ProgressSample retrying = in(InstanceState.RETRYING, 40);
        ProgressSample connected = mute(InstanceState.RUNNING, 500, false);

        after(0, retrying);
        assertThat(after(15, connected)).isNull();
        assertThat(after(30, retrying)).isNull();
        assertThat(after(10, connected)).isNull();
        assertThat(after(10, connected))
                .as("it may have just been connected again")
                .isNull();
        assertThat(after(1, retrying)).isEqualTo(stall(Stage.SOURCE, 66));
        assertThat(after(4, connected)).isEqualTo(stall(Stage.SOURCE, 70));
        assertThat(after(1, sample(InstanceState.RUNNING, 500, 1100, 0, 10, 10, false, false, Stage.SENDER)))
                .as("with a new event")
                .isNull();
    }

    @Test
    void anIdleSourceWhoseConnectionsBreakIsHealthy() {
        for (int i = 0; i < 10; i++) {
            assertThat(after(20, in(InstanceState.RETRYING, 40))).isNull();
            assertThat(after(20, mute(InstanceState.RUNNING, 0, false))).isNull();
        }
    }

    @Test
    void aSourceThatSendsSomethingNewBeforeEachBreakIsHealthy() {
        for (int i = 0; i < 10; i++) {
            assertThat(after(30, in(InstanceState.RETRYING, 40 + i))).isNull();
            assertThat(after(30, mute(InstanceState.RUNNING, 500, false))).isNull();
        }
    }

    /** A gibibyte at 10 MB/s takes longer than the limit. */
    @Test
    void aSearchForTheStartIsNoStallAsLongAsItReads() {
        long searched = 0;
        for (int i = 0; i < 10; i++) {
            searched += 10_000_000;
            assertThat(after(59, in(InstanceState.CONNECTING, 40, searched))).isNull();
        }
        assertThat(after(60, in(InstanceState.CONNECTING, 40, searched))).isEqualTo(stall(Stage.SOURCE, 60));
    }

    /** A large transaction is read again from its beginning, or the source looks for the first event. */
    @Test
    void aConnectionThatStaysWithoutANewEventIsNoStallOfTheSource() {
        after(0, in(InstanceState.RETRYING, 40));

        for (int events = 50; events < 60; events++) {
            ProgressSample again = new ProgressSample(
                    InstanceState.RUNNING, 500, events, events, 40, 0, false, 0, 10, 10, false, false, Stage.SENDER);
            assertThat(after(59, again)).isNull();
        }
    }

    /** The source breaks a connection from which nothing is read for long. */
    @Test
    void aConnectionThatBreaksSinceTheStoreWasFullIsNoStallOfTheSource() {
        for (int i = 0; i < 10; i++) {
            assertThat(after(1, in(InstanceState.RETRYING, 40))).isNull();
            assertThat(after(60, mute(InstanceState.RUNNING, 500, true))).isNull();
        }
    }

    /** As of a dump that stayed on an isolated server when the address was moved to another one. */
    @Test
    void theReaderIsTheStalledStageIfOnlyHeartbeatsComeWhileTheLagGrows() {
        after(0, heartbeats(500, 1000, 50));
        after(30, heartbeats(500, 1050, 50));
        assertThat(after(29, heartbeats(600, 1100, 50))).isNull();
        assertThat(after(1, heartbeats(700, 1100, 50))).isEqualTo(stall(Stage.READER, 60));
        assertThat(after(1, heartbeats(700, 1200, 51))).isNull();
        assertThat(after(59, heartbeats(900, 1300, 51))).isNull();
    }

    /** As of one that sends its first event byte by byte, and answers no question for its lag. */
    @Test
    void theReaderIsTheStalledStageIfNothingWasEverReadAndTheLagIsNotKnown() {
        ProgressSample connected = neverRead(0);
        after(0, in(InstanceState.CONNECTING, 0));
        after(1, connected);

        assertThat(after(59, connected)).isNull();
        assertThat(after(1, connected)).isEqualTo(stall(Stage.READER, 60));
        assertThat(after(1, neverRead(100))).isNull();
        assertThat(after(600, neverRead(100))).as("it may be idle").isNull();
    }

    private static ProgressSample neverRead(long receivedBytes) {
        return new ProgressSample(
                InstanceState.RUNNING, -1, receivedBytes, 0, 0, 0, false, 0, 0, 0, false, false, Stage.SENDER);
    }

    /** What a source has at its end, and does not send, is not a stall. */
    @Test
    void heartbeatsWithoutAGrowingLagAreOfAnIdleSource() {
        for (int i = 0; i < 10; i++) {
            assertThat(after(59, heartbeats(500, 1000 + i, 50))).isNull();
        }
    }

    @Test
    void theEncodersAreTheStalledStageIfChunksDoNotReachTheStore() {
        ProgressSample stuck = sample(InstanceState.RUNNING, 500, 1000, 3, 10, 10, false, false, Stage.SENDER);

        after(0, stuck);
        assertThat(after(60, stuck)).isEqualTo(stall(Stage.ENCODERS, 60));
    }

    @Test
    void theLastStageWithoutProgressIsTheStalledOne() {
        ProgressSample stuck = sample(InstanceState.RETRYING, 500, 1000, 3, 20, 10, true, false, Stage.BROKER);
        ProgressSample delivering = sample(InstanceState.RETRYING, 500, 1000, 3, 20, 11, true, false, Stage.BROKER);

        after(0, stuck);
        assertThat(after(60, stuck)).isEqualTo(stall(Stage.BROKER, 60));
        assertThat(after(1, delivering)).isEqualTo(stall(Stage.SOURCE, 61));
    }

    @Test
    void acksAreProgressAndNewEntriesAreNot() {
        ProgressSample one = sample(InstanceState.RUNNING, 0, 1000, 0, 20, 10, false, false, Stage.CLIENTS);
        ProgressSample more = sample(InstanceState.RUNNING, 0, 1100, 0, 30, 10, false, false, Stage.CLIENTS);
        ProgressSample acked = sample(InstanceState.RUNNING, 0, 1100, 0, 30, 11, false, false, Stage.CLIENTS);

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

        assertThat(unlimited.sample(unreachable, 0)).isNull();
        assertThat(unlimited.sample(unreachable, TimeUnit.DAYS.toNanos(1))).isNull();
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
        return detector.sample(sample, TimeUnit.SECONDS.toNanos(seconds));
    }

    private static ProgressSample sample(
            InstanceState state,
            long lag,
            long received,
            int chunks,
            long put,
            long acked,
            boolean isFull,
            boolean isHeld,
            Stage reader) {
        return new ProgressSample(
                state, lag, received, received, received, 0, true, chunks, put, acked, isFull, isHeld, reader);
    }

    /** A sample of a connection on which nothing new has come. */
    private static ProgressSample mute(InstanceState state, long lag, boolean isFull) {
        return new ProgressSample(state, lag, 1000, 50, 40, 0, false, 0, 10, 10, isFull, false, Stage.SENDER);
    }

    private static ProgressSample heartbeats(long lag, long received, long events) {
        return new ProgressSample(
                InstanceState.RUNNING, lag, received, events, events, 0, true, 0, 10, 10, false, false, Stage.SENDER);
    }

    private static ProgressSample in(InstanceState state) {
        return in(state, 1000);
    }

    private static ProgressSample in(InstanceState state, long newEvents) {
        return in(state, newEvents, 0);
    }

    private static ProgressSample in(InstanceState state, long newEvents, long searchedBytes) {
        return new ProgressSample(
                state, -1, 1000, 1000, newEvents, searchedBytes, false, 0, 10, 10, false, false, Stage.SENDER);
    }

    private static Stall stall(Stage stage, int seconds) {
        return new Stall(stage, Duration.ofSeconds(seconds));
    }
}
