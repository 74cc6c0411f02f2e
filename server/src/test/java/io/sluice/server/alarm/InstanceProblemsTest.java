package io.sluice.server.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.control.Throughput;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stage;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which problems an instance has, and what is said of them. */
class InstanceProblemsTest {
    private static final String SECRET = "jdbc://canal:hush@db1/x";

    @Test
    void aFailedInstanceSaysWhyAndWhatToDo() {
        InstanceProblems standing = InstanceProblems.of(snapshot(InstanceState.FAILED, SourceFailure.PURGED, null));

        assertThat(standing.calm()).isNull();
        assertThat(standing.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo(AlarmKind.FAILED);
            assertThat(problem.what()).startsWith("purged: ").doesNotContain("hush");
            assertThat(problem.remedy())
                    .startsWith(SourceFailure.PURGED.remedy())
                    .contains("sluice.sh errors shop", "sluice.sh start shop");
        });
    }

    @Test
    void anErrorThatMayQuoteRowsIsNotQuoted() {
        for (SourceFailure failure :
                List.of(SourceFailure.SCHEMA_MISMATCH, SourceFailure.CORRUPT, SourceFailure.INTERNAL)) {
            assertThat(InstanceProblems.of(snapshot(InstanceState.RETRYING, failure, null))
                            .problems())
                    .singleElement()
                    .satisfies(problem -> {
                        assertThat(problem.kind()).isEqualTo(AlarmKind.SOURCE_LOST);
                        assertThat(problem.what()).isEqualTo(failure.spelling());
                    });
        }
    }

    @Test
    void aStallIsAProblemUnlessItIsThatOfClientsOrOfALostSource() {
        assertThat(InstanceProblems.of(snapshot(InstanceState.RUNNING, null, Stage.ENCODERS))
                        .problems())
                .extracting(InstanceProblem::kind, InstanceProblem::lasting)
                .containsExactly(tuple(AlarmKind.STALLED, Duration.ofSeconds(70)));
        assertThat(InstanceProblems.of(snapshot(InstanceState.RUNNING, null, Stage.CLIENTS)))
                .isEqualTo(new InstanceProblems("shop", List.of(), "the instance runs and makes progress"));
        assertThat(InstanceProblems.of(snapshot(InstanceState.RETRYING, SourceFailure.UNREACHABLE, Stage.SOURCE))
                        .problems())
                .extracting(InstanceProblem::kind)
                .containsExactly(AlarmKind.SOURCE_LOST);
    }

    /** Its state is RUNNING between two failures, in which the alarm must not be over. */
    @Test
    void aSourceThatIsConnectedToAgainAndAgainInVainIsALostOneAllTheTime() {
        List<InstanceProblems> phases = List.of(
                InstanceProblems.of(snapshot(
                        InstanceState.RETRYING, SourceFailure.UNREACHABLE, SourceFailure.UNREACHABLE, Stage.SOURCE)),
                InstanceProblems.of(snapshot(InstanceState.RETRYING, null, SourceFailure.UNREACHABLE, Stage.SOURCE)),
                InstanceProblems.of(snapshot(InstanceState.RUNNING, null, SourceFailure.UNREACHABLE, Stage.SOURCE)));

        assertThat(phases).allSatisfy(phase -> {
            assertThat(phase.calm()).isNull();
            assertThat(phase.problems()).singleElement().satisfies(problem -> {
                assertThat(problem.kind()).isEqualTo(AlarmKind.SOURCE_LOST);
                assertThat(problem.what())
                        .startsWith("unreachable: cannot read")
                        .doesNotContain("hush");
                assertThat(problem.remedy()).startsWith(SourceFailure.UNREACHABLE.remedy());
                assertThat(problem.lasting()).isEqualTo(Duration.ofSeconds(70));
            });
        });
    }

    @Test
    void aStartThatTakesLongIsAStall() {
        assertThat(InstanceProblems.of(
                                snapshot(InstanceState.CONNECTING, null, SourceFailure.UNREACHABLE, Stage.SOURCE))
                        .problems())
                .extracting(InstanceProblem::kind)
                .containsExactly(AlarmKind.STALLED);
    }

    /** A login that is refused is tried for minutes, and is accepted only after an operator has acted. */
    @Test
    void aRefusedLoginIsCertain() {
        assertThat(InstanceProblems.of(snapshot(InstanceState.RETRYING, SourceFailure.AUTHENTICATION, null))
                        .problems())
                .extracting(InstanceProblem::kind, InstanceProblem::isCertain)
                .containsExactly(tuple(AlarmKind.SOURCE_LOST, true));
        assertThat(InstanceProblems.of(snapshot(InstanceState.RETRYING, SourceFailure.UNREACHABLE, null))
                        .problems())
                .extracting(InstanceProblem::isCertain)
                .containsExactly(false);
    }

    @Test
    void anInstanceThatTriesAgainIsNotWellYet() {
        assertThat(InstanceProblems.of(snapshot(InstanceState.CONNECTING, null, null)))
                .isEqualTo(new InstanceProblems("shop", List.of(), null));
    }

    @Test
    void aRefusedConfigurationIsAProblemWithoutItsPasswords() {
        assertThat(InstanceProblems.ofServer("canal.x = " + SECRET + ": no", null)
                        .problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).isEqualTo("canal.x = jdbc://canal:******@db1/x: no"));
        assertThat(InstanceProblems.ofServer(null, null).problems()).isEmpty();
    }

    @Test
    void anAddressThatAnotherServerHasIsAProblemBesideARefusedConfiguration() {
        assertThat(InstanceProblems.ofServer("no", "another server has 10.0.0.1:11111")
                        .problems())
                .extracting(InstanceProblem::kind)
                .containsExactly(AlarmKind.CONFIGURATION_REFUSED, AlarmKind.ADDRESS_SHARED);
    }

    @Test
    void anInstanceThatWaitsToBeAddedIsNoProblemAndOneWhoseRemovalHasFailedIs() {
        assertThat(InstanceProblems.of(
                                InstanceSnapshot.ofMissing("shop", new Missing(Missing.Reason.PENDING, "till waits")))
                        .problems())
                .isEmpty();
        assertThat(InstanceProblems.of(
                                InstanceSnapshot.ofMissing("shop", new Missing(Missing.Reason.NOT_ENDED, "no disk")))
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(AlarmKind.FAILED);
                    assertThat(problem.remedy()).contains("restart the server");
                });
    }

    @Test
    void anInstanceWhoseConfigurationWasNeverRightIsAProblem() {
        assertThat(InstanceProblems.of(
                                InstanceSnapshot.ofMissing("shop", new Missing(Missing.Reason.INVALID, "a bad line")))
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(AlarmKind.CONFIGURATION_REFUSED);
                    assertThat(problem.what()).isEqualTo("a bad line");
                    assertThat(problem.remedy()).endsWith("The instance does not run until then");
                });
    }

    @Test
    void aCursorThatIsNotWrittenForMinutesIsAProblem() {
        assertThat(InstanceProblems.cursor("shop", Duration.ofMinutes(5).minusNanos(1)))
                .isNull();
        assertThat(InstanceProblems.cursor("shop", Duration.ofMinutes(10))).satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo(AlarmKind.CURSOR_NOT_WRITTEN);
            assertThat(problem.lasting()).isEqualTo(Duration.ofMinutes(10));
            assertThat(problem.remedy()).contains("disk", "ZooKeeper", "shop");
        });
    }

    private static InstanceSnapshot snapshot(
            InstanceState state, @Nullable SourceFailure failure, @Nullable Stage stalled) {
        return snapshot(state, failure, failure, stalled);
    }

    /** @param logged the failure of the newest error */
    private static InstanceSnapshot snapshot(
            InstanceState state,
            @Nullable SourceFailure failure,
            @Nullable SourceFailure logged,
            @Nullable Stage stalled) {
        Stall stall = stalled == null ? null : new Stall(stalled, Duration.ofSeconds(70));
        List<ErrorLog.Item> errors = logged == null
                ? List.of()
                : List.of(new ErrorLog.Item(
                        Instant.EPOCH, 1, "source", logged.spelling(), "cannot read " + SECRET, logged.remedy()));
        return new InstanceSnapshot(
                "shop",
                false,
                Optional.empty(),
                Optional.of(new InstanceHealth("shop", state, stall, failure)),
                new PaceStatus(false, null, null, null, RateLimits.NONE),
                errors,
                Throughput.NONE,
                null,
                null);
    }
}
