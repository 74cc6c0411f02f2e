package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Candidates of two servers for one destination, whose share is that of the first. */
class CandidateTest {
    private static final Duration BALANCE_DELAY = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final HandTime time = new HandTime();
    private final SharedNodes nodes = new SharedNodes("shop", time);
    private final List<Candidate> candidates = new ArrayList<>();
    private final RecordingService first = new RecordingService();
    private final RecordingService second = new RecordingService();

    private Candidate join(int number, RecordingService service) {
        return join(number, service, BALANCE_DELAY);
    }

    private Candidate join(int number, RecordingService service, Duration balanceDelay) {
        Candidate candidate = nodes.candidate("10.0.0." + number, service, balanceDelay, () -> {});
        candidates.add(candidate);
        return candidate;
    }

    private Candidate wanted(int number, RecordingService service) {
        Candidate candidate = join(number, service);
        candidate.want();
        return candidate;
    }

    /** Each candidate makes its steps, twice in a second. */
    private void pass(Duration length) {
        for (long steps = length.dividedBy(LOOK); steps >= 0; steps--) {
            candidates.forEach(CandidateTest::makeSteps);
            time.pass(LOOK);
        }
    }

    private static void makeSteps(Candidate candidate) {
        Wait wait = candidate.step();
        while (wait.longest().isZero() && wait.kind() != Wait.Kind.END) {
            wait = candidate.step();
        }
    }

    @Test
    void aFailureIsKnownUntilTheDestinationRunsHereAgain() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        assertThat(candidate.absence()).isEmpty();

        first.fail();
        Instant failure = Instant.ofEpochMilli(time.millis());
        pass(Duration.ofSeconds(1));
        assertThat(candidate.absence()).hasValueSatisfying(absence -> {
            assertThat(absence.hasFailed()).isTrue();
            assertThat(absence.retryAt())
                    .isBetween(failure.plus(Duration.ofSeconds(5)), failure.plus(Duration.ofSeconds(11)));
        });

        pass(Duration.ofSeconds(11));
        assertThat(first.isRunning()).isTrue();
        assertThat(candidate.absence()).isEmpty();
    }

    @Test
    void aStartThatFailsIsKnownWhileItIsTriedAgain() {
        first.breakDown(true);
        Candidate candidate = wanted(1, first);

        for (int i = 0; i < 60; i++) {
            pass(Duration.ofSeconds(1));
            assertThat(candidate.absence())
                    .hasValueSatisfying(
                            absence -> assertThat(absence.hasFailed()).isTrue());
        }
        assertThat(first.calls()).hasSizeGreaterThan(2);
    }

    @Test
    void aFailureDoesNotCountWhileAnotherServerRunsTheDestination() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        wanted(2, second);
        first.fail();
        pass(Duration.ofSeconds(6));

        assertThat(second.isRunning()).isTrue();
        assertThat(candidate.absence()).isEmpty();

        first.breakDown(true);
        second.fail();
        second.breakDown(true);
        pass(Duration.ofSeconds(6));
        assertThat(candidate.absence())
                .hasValueSatisfying(absence -> assertThat(absence.hasFailed()).isTrue());
    }

    @Test
    void aFailureFromBeforeAnotherServerHasRunItForLongIsForgotten() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        join(2, second, Duration.ZERO).want();
        first.fail();
        pass(Duration.ofMinutes(17));
        assertThat(second.isRunning()).isTrue();

        first.breakDown(false);
        candidates.get(1).close(Duration.ZERO);
        makeSteps(candidates.get(1));
        makeSteps(candidate);
        assertThat(candidate.absence().filter(Absence::hasFailed)).isEmpty();
    }

    @Test
    void withoutAnAnswerNoServerIsKnownToRunIt() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        nodes.setDown(true);
        pass(Duration.ofSeconds(100));

        assertThat(first.isRunning()).isFalse();
        assertThat(candidate.absence()).hasValueSatisfying(absence -> {
            assertThat(absence.hasFailed()).isFalse();
            assertThat(absence.lasting()).isBetween(Duration.ofSeconds(80), Duration.ofSeconds(95));
        });
        assertThat(first.obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.message()).startsWith("ZooKeeper does not answer: "));

        nodes.setDown(false);
        pass(Duration.ofSeconds(5));
        assertThat(first.isRunning()).isTrue();
        assertThat(candidate.absence()).isEmpty();
    }

    /** Its remedy would send an operator to the network. */
    @Test
    void aRefusalByZooKeeperIsNoSilence() {
        wanted(1, first);
        nodes.setDown(true);
        pass(Duration.ofSeconds(10));
        nodes.fail(new KeeperException.NoAuthException());
        pass(Duration.ofSeconds(10));

        assertThat(first.obstacles()).hasSize(2);
        assertThat(first.obstacles().get(1).message()).startsWith("ZooKeeper rejects this server's login or request: ");
        assertThat(first.obstacles().get(1).remedy()).contains("canal.zookeeper.auth.user");
    }

    /** As when the node of the former owner has the text of a later version. */
    @Test
    void aStateThatCannotBeUsedIsToldOnceWithItsCause() {
        wanted(1, first);
        nodes.failWins(new IllegalStateException("an unknown text, delete the node"));
        pass(Duration.ofMinutes(2));

        assertThat(first.obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.message())
                        .startsWith("it cannot be decided whether the instance may run here: ")
                        .endsWith("an unknown text, delete the node"));

        nodes.failWins(null);
        pass(Duration.ofSeconds(5));
        assertThat(first.isRunning()).isTrue();
    }

    /** As where some nodes were made with the access control list of another server. */
    @Test
    void aRefusalOfAnotherNodeIsToldToo() {
        wanted(1, first);
        nodes.failWins(KeeperException.create(KeeperException.Code.NOAUTH, "/first"));
        pass(Duration.ofSeconds(10));
        nodes.failWins(KeeperException.create(KeeperException.Code.NOAUTH, "/second"));
        pass(Duration.ofSeconds(10));

        assertThat(first.obstacles())
                .extracting(Obstacle::message)
                .satisfiesExactly(
                        message -> assertThat(message).endsWith(" /first"),
                        message -> assertThat(message).endsWith(" /second"));
    }

    @Test
    void aSilenceInElectionsAloneIsToldOnce() {
        wanted(1, first);
        nodes.failWins(new KeeperException.ConnectionLossException());
        pass(Duration.ofMinutes(2));

        assertThat(first.obstacles()).hasSize(1);
    }

    /** A lazy one is in no election that would end what looks have told. */
    @Test
    void whatALookHasToldIsOverWhenALookIsAnswered() {
        join(1, first);
        for (int i = 0; i < 2; i++) {
            nodes.fail(new IllegalStateException("no thread can be started"));
            pass(Duration.ofSeconds(20));
            nodes.setDown(false);
            pass(Duration.ofSeconds(20));
        }

        assertThat(first.obstacles()).hasSize(2);
    }

    /** A restart that is under way is waited for. */
    @Test
    void aFailedOneWhoseOwnershipIsLostBeforeItIsStoppedDoesNotCountAsFailed() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        first.onStop(() -> time.pass(Duration.ofSeconds(11)));
        first.fail();
        makeSteps(candidate);

        assertThat(candidate).hasToString("Deferring");
        assertThat(candidate.absence())
                .hasValueSatisfying(absence -> assertThat(absence.hasFailed()).isFalse());
        pass(Duration.ofSeconds(6));
        assertThat(first.isRunning()).isTrue();
        assertThat(nodes.candidates()).containsExactly("10.0.0.1");
    }

    @Test
    void aFailedOneThatDoesNotStopCountsAsFailed() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        first.onStop(() -> {
            throw new IllegalStateException("it was made not to stop");
        });
        first.fail();
        makeSteps(candidate);

        assertThat(candidate).hasToString("BackingOff");
        assertThat(nodes.candidates()).isEmpty();
    }

    /** As by a restart that was under way. */
    @Test
    void anOwnerKeepsADestinationThatWasStartedAgainAfterItsFailure() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        first.recover();
        first.fail();
        pass(Duration.ofSeconds(10));

        assertThat(first.calls()).containsExactly("start");
        assertThat(candidate.isOwner()).isTrue();
    }

    @Test
    void anAnswerThatFailsDoesNotEndTheRest() {
        first.breakDown(true);
        Candidate candidate = wanted(1, first);
        for (int i = 0; i < 40 && first.calls().size() < 4; i++) {
            pass(LOOK);
        }
        nodes.setDown(true);
        pass(Duration.ofSeconds(6));
        nodes.setDown(false);

        assertThat(candidate).hasToString("BackingOff");
        assertThat(first.calls()).containsExactly("broken", "abandon", "broken", "abandon");
    }

    @Test
    void anOperatorEndsTheRestAfterAFailure() {
        first.breakDown(true);
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(1));
        first.breakDown(false);

        assertThat(candidate.retryNow()).isTrue();
        makeSteps(candidate);

        assertThat(first.isRunning()).isTrue();
        assertThat(candidate.retryNow()).isFalse();
    }

    /** An operator is told that it runs already. */
    @Test
    void anOwnerThatHasRecoveredByItselfIsNotStarted() {
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(2));
        first.fail();
        pass(Duration.ofSeconds(15));
        assertThat(first.isRunning()).isTrue();

        assertThat(candidate.retryNow()).isFalse();
    }

    @Test
    void oneThatIsNotWantedIsNotMissed() {
        Candidate candidate = join(1, first);
        pass(Duration.ofMinutes(2));

        assertThat(candidate.absence()).isEmpty();
        candidate.want();
        assertThat(candidate.absence())
                .hasValueSatisfying(absence -> assertThat(absence.lasting()).isZero());
    }

    /** The first, whose share it is, cannot run it; the second does. */
    private Candidate failOnTheFirst() {
        first.breakDown(true);
        Candidate candidate = wanted(1, first);
        pass(Duration.ofSeconds(1));
        wanted(2, second);
        pass(Duration.ofMinutes(10));
        return candidate;
    }

    @Test
    void aServerOnWhichItHasFailedDoesNotTakeItFromOneThatRunsIt() {
        Candidate candidate = failOnTheFirst();

        assertThat(second.calls()).containsExactly("start");
        assertThat(nodes.candidates()).containsExactly("10.0.0.2");

        candidates.get(1).close(Duration.ZERO);
        first.breakDown(false);
        pass(Duration.ofSeconds(6));
        assertThat(first.isRunning()).as("one that is free is tried").isTrue();
        assertThat(candidate.isOwner()).isTrue();
    }

    @Test
    void aServerOnWhichItHasFailedGetsItsShareAgainAfterAnOperatorHasStartedIt() {
        Candidate candidate = failOnTheFirst();
        first.breakDown(false);
        assertThat(candidate.retryNow()).isTrue();

        pass(BALANCE_DELAY.plusSeconds(15));

        assertThat(first.isRunning()).isTrue();
        assertThat(second.calls()).containsExactly("start", "stop");
    }

    @Test
    void aServerOnWhichItHasFailedGetsItsShareAgainAfterHours() {
        failOnTheFirst();
        first.breakDown(false);

        pass(Duration.ofMinutes(75));

        assertThat(first.isRunning()).isTrue();
        assertThat(second.calls()).containsExactly("start", "stop");
    }

    @Test
    void aRestIsShortAgainAfterItHasServedForLong() {
        first.breakDown(true);
        Candidate candidate = wanted(1, first);
        pass(Duration.ofMinutes(20));
        first.breakDown(false);
        pass(Duration.ofMinutes(26));
        assertThat(first.isRunning()).isTrue();

        first.fail();
        Instant failure = Instant.ofEpochMilli(time.millis());
        pass(Duration.ofSeconds(1));

        assertThat(candidate.absence())
                .hasValueSatisfying(
                        absence -> assertThat(absence.retryAt()).isBefore(failure.plus(Duration.ofSeconds(12))));
    }

    @Test
    void oneThatIsNotBalancedStaysOnTheServerThatRunsIt() {
        second.stayWhereItIs();
        wanted(2, second);
        pass(Duration.ofSeconds(2));
        join(1, first);
        pass(Duration.ofMinutes(2));

        assertThat(nodes.candidates()).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
        assertThat(second.calls()).containsExactly("start");
    }
}
