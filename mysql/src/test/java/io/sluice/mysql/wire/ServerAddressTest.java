package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @Test
    void readsHostAndPort() {
        assertThat(ServerAddress.parse(" db.example.com:3306 ")).isEqualTo(new ServerAddress("db.example.com", 3306));
    }

    @Test
    void readsIpv6InBrackets() {
        ServerAddress address = ServerAddress.parse("[::1]:3306");

        assertThat(address).isEqualTo(new ServerAddress("::1", 3306));
        assertThat(address).hasToString("[::1]:3306");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                ":3306",
                "host:",
                "host:x",
                "host:0",
                "host:65536",
                "::1:3306",
                "[::1]",
                "[]:1",
                "a,b:1"
            })
    void rejectsAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ServerAddress.parse(text));
    }

    @Test
    void reportsWhatItExpected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddress.parse("localhost"))
                .withMessage("not a server address: 'localhost': it has no port;"
                        + " expected host:port or [IPv6 address]:port");
    }
}
