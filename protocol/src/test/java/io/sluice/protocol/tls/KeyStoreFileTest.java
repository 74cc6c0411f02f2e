package io.sluice.protocol.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyStoreFileTest {
    @ParameterizedTest
    @CsvSource({
        "conf/trust.p12, conf/trust.p12",
        "file:/etc/trust.p12, /etc/trust.p12",
        "file:///etc/trust.p12, /etc/trust.p12",
        "file:../conf/trust.p12, ../conf/trust.p12",
        "file:/etc/a%20b.p12, /etc/a b.p12",
        "file:/etc/a b.p12, /etc/a b.p12",
    })
    void takesPathsAndFileUrls(String location, String path) {
        assertThat(new KeyStoreFile("", location, "").path()).isEqualTo(Path.of(path));
    }

    @ParameterizedTest
    @CsvSource({"pkcs12, PKCS12", "' Jks ', JKS", "pem, PEM", "'', ''"})
    void takesTypesInAnyCase(String type, String expected) {
        assertThat(new KeyStoreFile(type, "trust", "").type()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"BKS, trust.bks", "'', ''", "'', http://example.com/trust.p12", "'', jar:file:/a.jar!/trust.p12"})
    void rejectsOtherStores(String type, String location) {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyStoreFile(type, location, ""));
    }

    @Test
    void doesNotShowThePassword() {
        assertThat(new KeyStoreFile("", "client.p12", "store-secret").toString())
                .contains("client.p12")
                .doesNotContain("secret");
    }
}
