package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static final ServerAddress ADDRESS = new ServerAddress("localhost", 3306);

    @Test
    void hidePasswords() {
        KeyStoreFile store = new KeyStoreFile("", "client.p12", "store-secret");
        ConnectOptions options = ConnectOptions.of(ADDRESS, "canal", "login-secret")
                .withTls(new TlsOptions(TlsMode.VERIFY_CA, TlsOptions.DEFAULT_PROTOCOLS, store, store));

        assertThat(options.toString()).contains("canal", "client.p12").doesNotContain("secret");
    }

    @Test
    void rejectTimeoutsThatNeverEndOrAreNegative() {
        ConnectOptions options = ConnectOptions.of(ADDRESS, "canal", "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(-1)));
    }

    @Test
    void rejectANulThatWouldEndTheField() {
        assertThatIllegalArgumentException().isThrownBy(() -> ConnectOptions.of(ADDRESS, "a\0b", ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectOptions.of(ADDRESS, "a", "").withDatabase("a\0b"));
    }
}
