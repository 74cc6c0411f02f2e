package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.control.Throughput;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartStateTest {
    private static final List<ErrorLog.Item> ERRORS = List.of(
            new ErrorLog.Item(Instant.EPOCH, 1, "source", "purged", "the binlog is gone", "load the tables again"));

    @Test
    void anInstanceThatReadsHasStarted() {
        assertThat(state(InstanceState.RUNNING, null, true)).isEqualTo(new StartState(true, null));
    }

    /** A server refuses a binlog that it does not have by its first answer. */
    @Test
    void anInstanceWhoseSourceHasNotAnsweredMayStillFail() {
        assertThat(state(InstanceState.CONNECTING, null, false).isSettled()).isFalse();
        assertThat(state(InstanceState.RUNNING, null, false).isSettled()).isFalse();
    }

    @Test
    void anInstanceThatMayGiveUpSoonIsWaitedFor() {
        assertThat(state(InstanceState.RETRYING, SourceFailure.AUTHENTICATION, false)
                        .isSettled())
                .isFalse();
        assertThat(state(InstanceState.RETRYING, null, false).isSettled()).isFalse();
        assertThat(state(InstanceState.RETRYING, SourceFailure.UNREACHABLE, false))
                .isEqualTo(
                        new StartState(
                                true,
                                "shop: is tried again: the binlog is gone; remedy: load the tables again; more in logs/shop/shop.log"));
    }

    @Test
    void anInstanceThatHasFailedHasTheCauseAndTheRemedy() {
        StartState failed = state(InstanceState.FAILED, SourceFailure.PURGED, false);

        assertThat(failed)
                .isEqualTo(
                        new StartState(
                                true,
                                "shop: has failed: the binlog is gone; remedy: load the tables again; more in logs/shop/shop.log"));
    }

    @Test
    void anInstanceThatDoesNotRunHereIsNotWaitedFor() {
        assertThat(StartState.of(snapshot(Optional.empty()), false, false, null))
                .isEqualTo(new StartState(true, null));
        assertThat(StartState.of(
                        InstanceSnapshot.ofMissing("shop", new Missing(Missing.Reason.INVALID, "no such key")),
                        false,
                        false,
                        null))
                .isEqualTo(new StartState(true, "shop: its configuration is not right: no such key"));
    }

    /** Its candidate has only begun to ask which server owns the destination. */
    @Test
    void anInstanceThatNoServerOfAClusterRunsYetIsWaitedFor() {
        assertThat(StartState.of(snapshot(Optional.empty()), true, false, null))
                .isEqualTo(
                        new StartState(
                                false,
                                "shop: no server is known to run it yet: the former owner's lease may last, or ZooKeeper does not answer; more in logs/shop/shop.log"));
    }

    @Test
    void anInstanceThatHasFailedInAClusterIsNotWaitedFor() {
        InstanceHealth failed = new InstanceHealth("shop", InstanceState.FAILED, null, SourceFailure.PURGED);

        assertThat(StartState.of(snapshot(Optional.of(failed)), true, false, null)
                        .isSettled())
                .isTrue();
    }

    /** Also if it is tried again for some minutes: the password may be wrong. */
    @Test
    void aBrokerThatDoesNotAdmitTheInstanceIsNamed() {
        InstanceHealth running = new InstanceHealth("shop", InstanceState.RUNNING, null, null);
        NotAdmittedException refused =
                NotAdmittedException.thatMayPass("correct the password", new IllegalStateException());

        assertThat(StartState.of(snapshot(Optional.of(running)), false, true, refused))
                .isEqualTo(new StartState(
                        true, "shop: the delivery is tried again: correct the password; more in logs/shop/shop.log"));
    }

    private static StartState state(InstanceState state, @Nullable SourceFailure failure, boolean hasReceived) {
        return StartState.of(
                snapshot(Optional.of(new InstanceHealth("shop", state, null, failure))), false, hasReceived, null);
    }

    private static InstanceSnapshot snapshot(Optional<InstanceHealth> health) {
        return new InstanceSnapshot(
                "shop",
                false,
                Optional.empty(),
                health,
                new PaceStatus(false, null, null, null, RateLimits.NONE),
                ERRORS,
                Throughput.NONE,
                null,
                null);
    }
}
