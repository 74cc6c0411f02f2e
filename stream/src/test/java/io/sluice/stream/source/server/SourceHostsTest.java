package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SourceHostsTest {
    @Test
    void aHostIsLeftWhenItFailedTooOften() {
        SourceHosts hosts = hosts(2, "a", "b", "c");

        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isFalse();
        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isFalse();
        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isTrue();
        assertThat(name(hosts)).isEqualTo("b");
    }

    @Test
    void unreachableHostsAreSkippedAtOnceUntilOneIsReached() {
        SourceHosts hosts = hosts(1, "a", "b", "c");
        hosts.failed(SourceFailure.UNREACHABLE);
        hosts.failed(SourceFailure.UNREACHABLE);

        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isTrue();
        assertThat(name(hosts)).isEqualTo("c");
        assertThat(hosts.areAllFailing()).isFalse();
        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isTrue();
        assertThat(hosts.areAllFailing()).isTrue();
        hosts.recordSuccess();
        assertThat(hosts.areAllFailing()).isFalse();
        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isFalse();
        assertThat(name(hosts)).isEqualTo("a");
    }

    /** The password of an account is changed at the source first, and here minutes later. */
    @Test
    void aHostThatWasReadMayRefuseTheLoginForMinutes() {
        SourceHosts hosts = hosts(10, "a");
        hosts.failed(SourceFailure.AUTHENTICATION);
        hosts.recordSuccess();

        requireGivenUpAfter(40, SourceFailure.AUTHENTICATION, hosts);
    }

    /** As a reader of a cluster, to which the writer's address still leads after a fail-over. */
    @Test
    void aHostThatWasReadMayHaveNoBinlogForMinutes() {
        SourceHosts hosts = hosts(10, "a");
        hosts.recordSuccess();

        requireGivenUpAfter(40, SourceFailure.NO_BINLOG, hosts);
    }

    /** As by the run before a restart. */
    @Test
    void aHostWhoseBinlogWasReadBeforeMayHaveNoneForMinutes() {
        SourceHosts hosts = hosts(10, "a");
        hosts.recordBinlog();

        requireGivenUpAfter(40, SourceFailure.NO_BINLOG, hosts);
    }

    @Test
    void failuresOfTwoKindsDoNotCountTogether() {
        SourceHosts hosts = hosts(20, "a");
        hosts.recordSuccess();
        for (int i = 0; i < 8; i++) {
            hosts.failed(SourceFailure.NO_BINLOG);
        }

        requireGivenUpAfter(5, SourceFailure.CORRUPT, hosts);
    }

    /** Such as a maintenance of the source, in which the password is changed. */
    @Test
    void failuresOfAnotherKindAreNoRefusedLogins() {
        SourceHosts hosts = hosts(10, "a");
        hosts.recordSuccess();

        for (int i = 0; i < 100; i++) {
            hosts.failed(SourceFailure.UNREACHABLE);
        }
        hosts.failed(SourceFailure.AUTHENTICATION);

        assertThat(hosts.areAllGivenUp()).isFalse();
    }

    @Test
    void aHostThatWasNeverReadIsGivenUpAfterFiveRefusedLogins() {
        SourceHosts hosts = hosts(10, "a");

        requireGivenUpAfter(5, SourceFailure.AUTHENTICATION, hosts);
    }

    @Test
    void theOnlyHostIsNeverLeft() {
        SourceHosts hosts = hosts(0, "a");

        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isFalse();
        assertThat(hosts.leave()).isFalse();
    }

    @Test
    void allHostsAreGivenUpWhenARetryWouldNotHelpAnywhere() {
        SourceHosts hosts = hosts(3, "a", "b");

        assertThat(hosts.failed(SourceFailure.MISCONFIGURED)).isTrue();
        assertThat(hosts.areAllGivenUp()).as("b was not tried").isFalse();
        assertThat(hosts.failed(SourceFailure.UNREACHABLE)).isTrue();
        assertThat(hosts.failed(SourceFailure.MISCONFIGURED)).isTrue();
        assertThat(hosts.areAllGivenUp()).as("b may come back").isFalse();
        assertThat(hosts.failed(SourceFailure.PURGED)).isTrue();
        assertThat(hosts.areAllGivenUp()).isTrue();
        assertThat(hosts.chooseGivenUpFor(SourceFailure.DIVERGED)).isFalse();
        assertThat(hosts.chooseGivenUpFor(SourceFailure.PURGED)).isTrue();
        assertThat(name(hosts)).isEqualTo("b");
        hosts.recordSuccess();
        assertThat(hosts.areAllGivenUp()).isFalse();
    }

    @Test
    void aHostIsGivenUpAfterSeveralUnreadableEvents() {
        SourceHosts hosts = hosts(3, "a");

        for (int attempt = 1; attempt < 5; attempt++) {
            assertThat(hosts.failed(SourceFailure.CORRUPT)).isFalse();
            assertThat(hosts.areAllGivenUp()).isFalse();
        }
        hosts.failed(SourceFailure.CORRUPT);
        assertThat(hosts.areAllGivenUp()).isTrue();
    }

    @Test
    void aFailureOfTheHistoryDoesNotSwitchTheHost() {
        SourceHosts hosts = hosts(0, "a", "b");

        assertThat(hosts.failed(SourceFailure.HISTORY_UNREACHABLE)).isFalse();
        assertThat(hosts.failed(SourceFailure.HISTORY_UNREACHABLE)).isFalse();
        assertThat(name(hosts)).isEqualTo("a");
    }

    @Test
    void aCursorChoosesItsHost() {
        SourceHosts hosts = hosts(0, "127.0.0.1", "::1");

        assertThat(hosts.choose("::1", 3306)).isTrue();
        assertThat(name(hosts)).isEqualTo("::1");
        assertThat(hosts.choose("localhost", 3306))
                .as("by the IP that a name resolves to")
                .isTrue();
        assertThat(hosts.choose("127.0.0.1", 3307)).isFalse();
        assertThat(hosts.choose("nobody.invalid", 3306)).isFalse();
        assertThat(hosts.choose("", 3306)).as("a cursor without a host").isTrue();
        assertThat(name(hosts)).isEqualTo("127.0.0.1");
    }

    private static void requireGivenUpAfter(int failures, SourceFailure failure, SourceHosts hosts) {
        for (int i = 1; i < failures; i++) {
            hosts.failed(failure);
            assertThat(hosts.areAllGivenUp()).as("after %d failures", i).isFalse();
        }
        hosts.failed(failure);
        assertThat(hosts.areAllGivenUp()).isTrue();
    }

    private static SourceHosts hosts(int failuresBorne, String... names) {
        return new SourceHosts(
                Arrays.stream(names)
                        .map(name -> new SourceHost(
                                ConnectOptions.of(new ServerAddress(name, 3306), "canal", ""),
                                new ConfiguredStart.Newest()))
                        .toList(),
                failuresBorne);
    }

    private static String name(SourceHosts hosts) {
        return hosts.current().login().address().host();
    }
}
