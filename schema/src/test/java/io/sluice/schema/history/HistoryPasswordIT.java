package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.MySqlDatabase;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The password of a schema history in MySQL is protected as that of a source is, and its server is verified as the URL says. */
class HistoryPasswordIT {
    private static final Path BASE = Path.of("/opt/sluice/bin");

    private static PasswordOptions rules(String parameters) {
        HistoryLocation location = HistoryLocation.parse("jdbc:mysql://db:3306/history" + parameters, BASE);
        return ((HistoryLocation.MySql) location).passwords();
    }

    @Test
    void parametersMeanTheSameAsToTheJdbcDriver() {
        assertThat(rules("")).isEqualTo(PasswordOptions.STRICT);
        assertThat(rules("?sslMode=DISABLED&allowPublicKeyRetrieval=true"))
                .isEqualTo(new PasswordOptions(true, null, false));
        assertThat(rules("?allowPublicKeyRetrieval=false")).isEqualTo(PasswordOptions.STRICT);
        assertThat(rules("?serverRSAPublicKeyFile=../conf/server%20key.pem"))
                .isEqualTo(new PasswordOptions(false, Path.of("/opt/sluice/conf/server key.pem"), false));
    }

    @Test
    void thePasswordIsNotSentToAServerThatMayBeAnother() throws IOException {
        Optional<InetAddress> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(candidate -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
                .findFirst();
        assumeThat(own).as("an address that is not a loopback address").isPresent();
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().with("bind-address", "*"))) {
            server.createUser("history", "secret", AuthPlugin.CACHING_SHA2_PASSWORD);
            server.execute("grant all on *.* to history", "flush privileges");
            String url = "jdbc:mysql://%s:%d/history?sslMode=DISABLED"
                    .formatted(own.orElseThrow().getHostAddress(), server.port());

            assertThatThrownBy(() -> query(url)).hasCauseInstanceOf(UnprotectedPasswordException.class);
            query(url + "&serverRSAPublicKeyFile=" + server.publicKey());
            server.execute("flush privileges");
            query(url + "&allowPublicKeyRetrieval=true");

            String verified = url.replace("sslMode=DISABLED", "useSSL=true&verifyServerCertificate=true");
            assertThatThrownBy(() -> query(verified)).hasMessageContaining("TLS handshake failed");
            query(verified + "&trustCertificateKeyStoreUrl=file:" + server.caCertificate());
        }
    }

    private static void query(String url) throws IOException {
        try (MySqlDatabase database =
                new MySqlDatabase((HistoryLocation.MySql) HistoryLocation.parse(url, BASE), "history", "secret")) {
            assertThat(database.query("SELECT 1")).hasSize(1);
        }
    }
}
