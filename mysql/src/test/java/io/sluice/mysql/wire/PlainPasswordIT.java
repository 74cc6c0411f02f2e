package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logs in over a plain connection to an address of this machine that other machines reach, too. Without TLS, a server decrypts the password with its
 * key, and answers one in clear by ERROR 1045: a login that succeeds has proved that the password was encrypted.
 */
class PlainPasswordIT {
    private static final String PASSWORD = "p\u00e4ss'w\u00f6rd";

    private static MySqlServer server;
    private static String address;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServer() throws SocketException {
        Optional<InetAddress> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(candidate -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
                .findFirst();
        assumeThat(own).as("an address that is not a loopback address").isPresent();
        address = own.orElseThrow().getHostAddress();
        server = MySqlServer.start(MySqlOptions.defaults().with("bind-address", "*"));
        for (AuthPlugin plugin : AuthPlugin.values()) {
            if (server.release().authPlugins().contains(plugin)) {
                server.createUser(plugin.sqlName(), PASSWORD, plugin);
            }
        }
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void forgetPasswords() {
        server.execute("flush privileges");
    }

    private static ConnectOptions options(AuthPlugin plugin) {
        return ConnectOptions.of(new ServerAddress(address, server.port()), plugin.sqlName(), PASSWORD);
    }

    private static void logIn(ConnectOptions options) throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options)) {
            assertThat(connection.query("select current_user()").firstRow().text(0))
                    .isEqualTo(options.user() + "@%");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AuthPlugin.class,
            names = {"CACHING_SHA2_PASSWORD", "SHA256_PASSWORD"})
    void thePasswordIsNotEncryptedWithAReceivedKey(AuthPlugin plugin) {
        assertThatExceptionOfType(UnprotectedPasswordException.class)
                .isThrownBy(() -> logIn(options(plugin)))
                .withMessageStartingWith(
                        "cannot log in to %s:%d: the server asks for the password (%s) over a plain" + " connection",
                        address, server.port(), plugin.sqlName())
                .withMessageContaining("sslMode")
                .withMessageNotContaining(PASSWORD);
    }

    @ParameterizedTest
    @EnumSource(
            value = AuthPlugin.class,
            names = {"CACHING_SHA2_PASSWORD", "SHA256_PASSWORD"})
    void thePasswordIsEncryptedWithAReceivedKeyIfThatIsAllowed(AuthPlugin plugin) throws IOException {
        logIn(options(plugin).withPasswords(new PasswordOptions(true, null, false)));
    }

    @ParameterizedTest
    @EnumSource(
            value = AuthPlugin.class,
            names = {"CACHING_SHA2_PASSWORD", "SHA256_PASSWORD"})
    void thePasswordIsEncryptedWithTheKeyOfAFile(AuthPlugin plugin) throws IOException {
        logIn(options(plugin).withPasswords(new PasswordOptions(false, server.publicKey(), false)));
    }

    @Test
    void theKeyOfAnotherServerIsNamedAsACause() throws Exception {
        Path key = Files.writeString(
                folder.resolve("other.pem"),
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(KeyPairGenerator.getInstance("RSA")
                                        .generateKeyPair()
                                        .getPublic()
                                        .getEncoded())
                        + "\n-----END PUBLIC KEY-----\n");

        assertThatThrownBy(() -> logIn(options(AuthPlugin.CACHING_SHA2_PASSWORD)
                        .withPasswords(new PasswordOptions(false, key, false))))
                .isInstanceOf(ServerErrorException.class)
                .hasMessageContaining("that serverRSAPublicKeyFile has the key of this server");
    }

    @Test
    void overTlsNoKeyIsNeeded() throws IOException {
        logIn(options(AuthPlugin.CACHING_SHA2_PASSWORD).withTls(TlsOptions.of(TlsMode.REQUIRED)));
        logIn(options(AuthPlugin.SHA256_PASSWORD).withTls(TlsOptions.of(TlsMode.PREFERRED)));
    }

    @Test
    void otherPluginsAreNotConcerned() throws IOException {
        logIn(options(AuthPlugin.MYSQL_NATIVE_PASSWORD));
    }

    /** Such logins fail after the next restart of the server. */
    @Test
    void aLoginThatDependsOnTheCacheIsWarnedOfOnce() throws IOException {
        try (LogLines log = LogLines.of(FastLoginNotice.class)) {
            ConnectOptions plain = options(AuthPlugin.CACHING_SHA2_PASSWORD);
            logIn(plain.withTls(
                    TlsOptions.of(TlsMode.REQUIRED))); // from now on the server has the account in its cache
            assertThat(log.texts()).isEmpty();

            logIn(plain);
            logIn(plain.withDatabase("mysql").withDatabase(""));

            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains(
                            "works only while the server has the account in its cache",
                            address,
                            "caching_sha2_password");

            logIn(plain.withPasswords(new PasswordOptions(true, null, false)));
            logIn(ConnectOptions.of(new ServerAddress("127.0.0.1", server.port()), plain.user(), PASSWORD));
            assertThat(log.texts()).hasSize(1);
        }
        server.execute("flush privileges");
        assertThatThrownBy(() -> logIn(options(AuthPlugin.CACHING_SHA2_PASSWORD)))
                .isInstanceOf(UnprotectedPasswordException.class);
    }
}
