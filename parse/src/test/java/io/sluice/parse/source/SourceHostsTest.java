package io.sluice.parse.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.ServerAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SourceHostsTest {
    @Test
    void aHostIsLeftWhenItFailedTooOften() {
        SourceHosts hosts = hosts(2, "a", "b", "c");

        assertThat(hosts.failed()).isFalse();
        assertThat(hosts.failed()).isFalse();
        assertThat(hosts.failed()).isTrue();
        assertThat(name(hosts)).isEqualTo("b");
    }

    @Test
    void theNextOnesAreLeftAtOnceUntilOneIsReached() {
        SourceHosts hosts = hosts(1, "a", "b", "c");
        hosts.failed();
        hosts.failed();

        assertThat(hosts.failed()).isTrue();
        assertThat(name(hosts)).isEqualTo("c");
        assertThat(hosts.areAllFailing()).isFalse();
        assertThat(hosts.failed()).isTrue();
        assertThat(hosts.areAllFailing()).isTrue();
        hosts.reached();
        assertThat(hosts.areAllFailing()).isFalse();
        assertThat(hosts.failed()).isFalse();
        assertThat(name(hosts)).isEqualTo("a");
    }

    @Test
    void theOnlyHostIsNeverLeft() {
        SourceHosts hosts = hosts(0, "a");

        assertThat(hosts.failed()).isFalse();
        assertThat(hosts.leave()).isFalse();
    }

    @Test
    void aCursorChoosesItsHost() {
        SourceHosts hosts = hosts(0, "127.0.0.1", "::1");

        assertThat(hosts.choose("::1", 3306)).isTrue();
        assertThat(name(hosts)).isEqualTo("::1");
        assertThat(hosts.choose("localhost", 3306))
                .as("by the IP that a name stands for")
                .isTrue();
        assertThat(hosts.choose("127.0.0.1", 3307)).isFalse();
        assertThat(hosts.choose("nobody.invalid", 3306)).isFalse();
        assertThat(hosts.choose("", 3306)).as("a cursor without a host").isTrue();
        assertThat(name(hosts)).isEqualTo("127.0.0.1");
    }

    private static SourceHosts hosts(int failuresBorne, String... names) {
        return new SourceHosts(
                Arrays.stream(names)
                        .map(name -> new SourceHost(
                                ConnectOptions.of(new ServerAddress(name, 3306), "canal", ""),
                                new StartPosition.Newest()))
                        .toList(),
                failuresBorne);
    }

    private static String name(SourceHosts hosts) {
        return hosts.current().login().address().host();
    }
}
