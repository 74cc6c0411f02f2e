package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    private static final ServerAddress ADDRESS = new ServerAddress("localhost", 3306);

    @Test
    void tellNoPassword() {
        KeyStoreFile store = new KeyStoreFile("", "client.p12", "store-secret");
        ConnectOptions options = ConnectOptions.of(ADDRESS, "canal", "login-secret")
                .withTls(TlsOptions.of(TlsMode.VERIFY_CA).withTrust(store).withClient(store));

        assertThat(options.toString()).contains("canal", "client.p12").doesNotContain("secret");
    }

    @Test
    void refuseTimeoutsThatNeverEndOrAreNegative() {
        ConnectOptions options = ConnectOptions.of(ADDRESS, "canal", "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(-1)));
    }

    @Test
    void refuseANulThatWouldEndTheField() {
        assertThatIllegalArgumentException().isThrownBy(() -> ConnectOptions.of(ADDRESS, "a\0b", ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectOptions.of(ADDRESS, "a", "").withDatabase("a\0b"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', trust.jks, JKS",
        "'', trust.p12, PKCS12",
        "'', trust, PKCS12",
        "'', CA.PEM, PEM",
        "'', ca.crt, PEM",
        "pkcs12, trust.jks, PKCS12",
        "pem, trust, PEM",
    })
    void goByTheEndingIfTheTypeIsBlank(String type, String location, String expected) {
        assertThat(new KeyStoreFile(type, location, "").type()).isEqualTo(expected);
    }

    @Test
    void takePathsAndFileUrls() {
        assertThat(new KeyStoreFile("", "conf/trust.p12", "").path()).isEqualTo(Path.of("conf/trust.p12"));
        assertThat(new KeyStoreFile("", "file:/etc/trust.p12", "").path()).isEqualTo(Path.of("/etc/trust.p12"));
        assertThat(new KeyStoreFile("", "file:///etc/trust.p12", "").path()).isEqualTo(Path.of("/etc/trust.p12"));
    }

    @ParameterizedTest
    @CsvSource({"BKS, trust.bks", "'', ''", "'', http://example.com/trust.p12", "'', jar:file:/a.jar!/trust.p12"})
    void refuseOtherStores(String type, String location) {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyStoreFile(type, location, ""));
    }
}
