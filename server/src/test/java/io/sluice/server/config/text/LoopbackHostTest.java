package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackHostTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.1.2.3",
                "127.255.255.255",
                "localhost",
                "LocalHost",
                "[::1]",
                "[0:0:0:0:0:0:0:1]",
                "[::ffff:127.0.0.1]",
                "[::FFFF:7f00:1]"
            })
    void isThisMachine(String host) {
        assertThat(LoopbackHost.is(URI.create("http://" + host + ":8089").getHost()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.evil.example",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "localhost.",
                "evil.127.0.0.1.example",
                "126.0.0.1",
                "128.0.0.1",
                "0.0.0.0",
                "10.0.0.1",
                "[::]",
                "[::2]",
                "[::ffff:10.0.0.1]",
                "[::127.0.0.1]",
                "[2001:db8::1]",
                "admin"
            })
    void isAnotherOne(String host) {
        assertThat(LoopbackHost.is(URI.create("http://" + host + ":8089").getHost()))
                .isFalse();
    }

    /** What is no host of a URL is no address either. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127",
                "127.1",
                "127.0.0",
                "127.0.0.256",
                "127.0.0.01",
                "127.0.0.1\n",
                "127.0.0.1.",
                "١27.0.0.1",
                "::1",
                "[::1",
                "[]",
                "[localhost]",
                "[127.0.0.1]"
            })
    void isNoAddress(String host) {
        assertThat(LoopbackHost.is(host)).isFalse();
    }
}
