package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.FailureReactions.Next;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureReactionsTest {
    private static final SourceHost A = host("a");
    private static final SourceHost B = host("b");
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);

    private final HandTime time = new HandTime();
    private static final BinlogPosition BEYOND = new BinlogPosition("binlog.000001", 1 << 20);

    private final AtomicInteger relocations = new AtomicInteger();

    private final List<LostEndException> nextFiles = new ArrayList<>();

    /** How often a host fails before another one is tried. */
    private int failuresBorne = 10;

    private FailureReactions reactions = reactions(false, A);

    private static SourceHost host(String name) {
        return new SourceHost(
                ConnectOptions.of(new ServerAddress(name, 3306), "sluice", ""), new ConfiguredStart.Newest());
    }

    private FailureReactions reactions(boolean mayResetToNewest, SourceHost... hosts) {
        return new FailureReactions(
                "shop",
                mayResetToNewest,
                new SourceHosts(List.of(hosts), failuresBorne),
                relocations::incrementAndGet,
                nextFiles::add,
                time,
                new Random(1));
    }

    private Next after(SourceHost host, SourceFailure failure) {
        return reactions.after(host, failure, new SourceException(failure, "a failure"));
    }

    /** The wait after the second of two failures, which is twice the first one at the most, unless others came before. */
    private Duration waitAfter(SourceFailure failure) {
        assertThat(after(A, failure)).isInstanceOf(Next.BackOff.class);
        return ((Next.BackOff) after(A, failure)).delay();
    }

    @Test
    void theNewestPositionFollowsWhenAllHostsHavePurgedTheBinlog() {
        reactions = reactions(true, A, B);
        assertThat(after(A, SourceFailure.PURGED)).isEqualTo(new Next.Switch(B, Duration.ZERO));
        assertThat(relocations).hasValue(0);

        assertThat(after(B, SourceFailure.PURGED)).isEqualTo(new Next.Reconnect(A));

        assertThat(relocations).hasValue(1);
        assertThat(reactions.resets()).isEqualTo(1);
    }

    /** Other instances may have taken it. */
    @Test
    void ofAHeapWithoutRoomNoOtherHostIsTried() {
        failuresBorne = 0;
        reactions = reactions(false, A, B);
        Exception noRoom = ResultTooLargeException.ofProcess("there is no room", "raise -Xmx");

        assertThat(reactions.after(A, SourceFailure.UNREACHABLE, new IOException("it is not read", noRoom)))
                .isInstanceOf(Next.BackOff.class);

        Exception large = new ResultTooLargeException("an answer is large", "exclude tables");
        assertThat(reactions.after(A, SourceFailure.UNREACHABLE, large)).isInstanceOf(Next.Switch.class);
    }

    @ParameterizedTest
    @CsvSource({"1700000000, 0", "0, 1"})
    void theNextFileFollowsOneWhoseEndIsLost(long begunSeconds, int resets) {
        LostEndException lost = lostEnd(begunSeconds);
        reactions = reactions(true, A, B);
        assertThat(reactions.after(A, lost.failure(), lost)).isEqualTo(new Next.Switch(B, Duration.ZERO));

        assertThat(after(B, SourceFailure.PURGED)).isEqualTo(new Next.Reconnect(A));

        assertThat(nextFiles).containsExactly(lost);
        assertThat(relocations).hasValue(0);
        assertThat(reactions.resets()).isEqualTo(resets);
    }

    /** It counts as no loss: by time nothing is skipped, and if that fails, the newest position follows, which is one. */
    /** Its binlog was reset meanwhile, and the file that followed is another one or gone. */
    @Test
    void aLostEndIsForgottenWhenTheHostHasPurgedTheFile() {
        LostEndException lost = lostEnd(DumpStart.at(BEYOND, new LastEvent(1_700_000_000_000L, 8)));
        reactions = reactions(true, A, B);
        reactions.after(A, lost.failure(), lost);
        after(A, SourceFailure.PURGED);

        assertThat(after(B, SourceFailure.PURGED)).isInstanceOf(Next.Reconnect.class);
        assertThat(nextFiles).isEmpty();
    }

    @Test
    void aLostEndThatIsProbablyOfAnotherServerIsFollowedByATime() {
        LostEndException lost = lostEnd(DumpStart.at(BEYOND, new LastEvent(1_700_000_000_000L, 8)));
        assertThat(lost.isProbablyOfAnotherServer()).isTrue();
        reactions = reactions(true, A, B);
        reactions.after(A, lost.failure(), lost);

        assertThat(after(B, SourceFailure.PURGED)).isEqualTo(new Next.Reconnect(A));
        assertThat(nextFiles).containsExactly(lost);
        assertThat(reactions.resets()).isZero();

        assertThat(after(A, SourceFailure.PURGED)).isInstanceOf(Next.Reconnect.class);
        assertThat(nextFiles).hasSize(1);
        assertThat(relocations).hasValue(1);
    }

    @Test
    void theNextFileFollowsNothingUnlessAnOperatorHasAllowedIt() {
        LostEndException lost = lostEnd(1_700_000_000);

        assertThat(reactions.after(A, lost.failure(), lost)).isEqualTo(new Next.End());

        assertThat(nextFiles).isEmpty();
    }

    private static LostEndException lostEnd(long begunSeconds) {
        return lostEnd(DumpStart.at(BEYOND, new LastEvent(0, 7)).inFileBegunAt(begunSeconds));
    }

    private static LostEndException lostEnd(DumpStart start) {
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MYSQL_ANONYMOUS,
                7,
                UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"),
                1_700_000_000,
                false);
        OneBinlog server = new OneBinlog(new ServerAddress("a", 3306), binlog);
        binlog.crash();
        return catchThrowableOfType(
                LostEndException.class, () -> new DumpCheck("shop").require(start, 0, server, server));
    }

    @Test
    void nothingIsSkippedUnlessAnOperatorHasAllowedIt() {
        assertThat(after(A, SourceFailure.PURGED)).isEqualTo(new Next.End());

        assertThat(relocations).hasValue(0);
    }

    @Test
    void nothingIsSkippedForAnotherFailure() {
        reactions = reactions(true, A);

        assertThat(after(A, SourceFailure.DIVERGED)).isEqualTo(new Next.End());

        assertThat(relocations).hasValue(0);
        assertThat(reactions.resets()).isZero();
    }

    /** What is skipped might be what the failure is about. */
    @Test
    void nothingIsSkippedAfterAFailureThatStopsThoughAnotherHostHasPurgedTheBinlog() {
        reactions = reactions(true, A, B);
        assertThat(after(A, SourceFailure.PURGED)).isEqualTo(new Next.Switch(B, Duration.ZERO));

        assertThat(after(B, SourceFailure.SCHEMA_MISMATCH)).isEqualTo(new Next.End());

        assertThat(relocations).hasValue(0);
    }

    @Test
    void hostsAreTriedWithoutAWaitUntilEachHasFailed() {
        failuresBorne = 0;
        reactions = reactions(false, A, B);

        assertThat(after(A, SourceFailure.UNREACHABLE)).isEqualTo(new Next.Switch(B, Duration.ZERO));
        assertThat(after(B, SourceFailure.UNREACHABLE)).isInstanceOfSatisfying(Next.Switch.class, next -> {
            assertThat(next.host()).isEqualTo(A);
            assertThat(next.delay()).isPositive();
        });
    }

    @Test
    void theNewcomerOfTwoWithOneServerIdEnds() {
        requireEndAfterFive(A);
    }

    @Test
    void anInstanceThatHasReadForLongOutlivesTheNewcomer() {
        reactions.onProgress(time.nanos());
        time.pass(Duration.ofMinutes(2));

        for (int i = 0; i < 10; i++) {
            assertThat(after(A, SourceFailure.DUPLICATE_SERVER_ID)).isInstanceOf(Next.BackOff.class);
        }
        assertThat(reactions.isServerIdInDoubleUse()).isTrue();
    }

    /** Another one may have begun to use the id meanwhile. */
    @Test
    void anInstanceThatReturnsAfterAnotherFailureIsTheNewcomer() {
        reactions.onProgress(time.nanos());
        time.pass(Duration.ofMinutes(2));
        assertThat(after(A, SourceFailure.UNREACHABLE)).isInstanceOf(Next.BackOff.class);

        requireEndAfterFive(A);
    }

    @Test
    void anInstanceIsTheNewcomerAtTheHostForWhichItHasLeftAnother() {
        reactions = reactions(false, A, B);
        reactions.onProgress(time.nanos());
        time.pass(Duration.ofMinutes(2));
        SourceException moved = new SourceException(SourceFailure.UNREACHABLE, "it has moved");
        assertThat(reactions.leave(A, SourceFailure.UNREACHABLE, moved)).isEqualTo(new Next.Switch(B, Duration.ZERO));

        requireEndAfterFive(B);
    }

    private void requireEndAfterFive(SourceHost host) {
        for (int i = 1; i < 5; i++) {
            assertThat(after(host, SourceFailure.DUPLICATE_SERVER_ID)).isNotEqualTo(new Next.End());
        }
        assertThat(after(host, SourceFailure.DUPLICATE_SERVER_ID)).isEqualTo(new Next.End());
    }

    @Test
    void theWaitIsShortAgainWhenTheSourceHasBeenRead() {
        assertThat(waitAfter(SourceFailure.UNREACHABLE)).isGreaterThanOrEqualTo(FIRST_WAIT);
        assertThat(waitAfter(SourceFailure.UNREACHABLE)).isGreaterThan(FIRST_WAIT.multipliedBy(2));
        reactions.onProgress(time.nanos());

        assertThat(((Next.BackOff) after(A, SourceFailure.UNREACHABLE)).delay()).isLessThanOrEqualTo(FIRST_WAIT);
    }

    /** The other replica can be ended meanwhile. */
    @Test
    void theWaitGrowsWhileAnotherReplicaHasTheServerIdThoughEachReadsInBetween() {
        assertThat(waitAfter(SourceFailure.DUPLICATE_SERVER_ID)).isGreaterThanOrEqualTo(FIRST_WAIT);
        reactions.onProgress(time.nanos());

        assertThat(waitAfter(SourceFailure.DUPLICATE_SERVER_ID)).isGreaterThan(FIRST_WAIT.multipliedBy(2));
    }
}
