package io.sluice.parse.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs in to a real MySQL 8.0.31, whose favourite plugin is caching_sha2_password. */
class LoginIT {
    private static final String PASSWORD = "p\u00e4ss'w\u00f6rd \u4e2d";

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
        for (String plugin : new String[] {"caching_sha2_password", "mysql_native_password", "sha256_password"}) {
            createUser(plugin, plugin, PASSWORD);
            createUser("empty_" + plugin, plugin, "");
            createUser("long_" + plugin, plugin, "x".repeat(150));
        }
        createUser("locked", "caching_sha2_password", PASSWORD);
        server.execute("alter user locked account lock", "create database shop");
    }

    private static void createUser(String name, String plugin, String password) {
        server.execute(
                "create user %s identified with %s by '%s'".formatted(name, plugin, password.replace("'", "''")));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Empties the server's cache of passwords, so that caching_sha2_password asks for the password itself. */
    @BeforeEach
    void forgetPasswords() {
        server.execute("flush privileges");
    }

    @ParameterizedTest
    @CsvSource({
        "caching_sha2_password, DISABLED",
        "caching_sha2_password, REQUIRED",
        "mysql_native_password, DISABLED",
        "mysql_native_password, REQUIRED",
        "sha256_password, DISABLED",
        "sha256_password, REQUIRED",
    })
    void logsIn(String plugin, TlsMode mode) throws IOException {
        assertCanLogIn(plugin, PASSWORD, mode); // in full
        assertCanLogIn(plugin, PASSWORD, mode); // from the cache, if the plugin has one
        assertCanLogIn("long_" + plugin, "x".repeat(150), mode);
        assertCanLogIn("empty_" + plugin, "", mode);
    }

    private static void assertCanLogIn(String user, String password, TlsMode mode) throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options(user, password, mode))) {
            assertThat(connection.isEncrypted()).isEqualTo(mode == TlsMode.REQUIRED);
            assertThat(connection.query("select current_user()").firstRow().text(0))
                    .isEqualTo(user + "@%");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "caching_sha2_password, DISABLED",
        "caching_sha2_password, REQUIRED",
        "mysql_native_password, DISABLED",
        "sha256_password, DISABLED",
        "sha256_password, REQUIRED",
        "empty_caching_sha2_password, DISABLED",
        "empty_mysql_native_password, DISABLED",
        "nobody, DISABLED",
    })
    void saysThatThePasswordIsWrong(String user, TlsMode mode) {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(options(user, "not the password", mode)))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1045))
                .withMessageContaining("as %s: server error 1045", user)
                .withMessageNotContaining("not the password");
    }

    @Test
    void saysThatThePasswordIsWrongIfTheCacheKnowsTheRightOne() throws IOException {
        assertCanLogIn("caching_sha2_password", PASSWORD, TlsMode.DISABLED);

        saysThatThePasswordIsWrong("caching_sha2_password", TlsMode.DISABLED);
    }

    @Test
    void saysThatAnAccountIsLocked() {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(options("locked", PASSWORD, TlsMode.DISABLED)))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(3118))
                .withMessageEndingWith("unlock the account at the server");
    }

    @Test
    void usesTheDefaultDatabase() throws IOException {
        ConnectOptions root = options("root", "", TlsMode.DISABLED);
        try (MySqlConnection connection = MySqlConnection.open(root.withDatabase("shop"))) {
            assertThat(connection.query("select database()").firstRow().text(0)).isEqualTo("shop");
        }
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(root.withDatabase("nowhere")))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1049))
                .withMessageEndingWith("the default database does not exist");
    }

    @Test
    void saysWhatTheServerIs() throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options("root", "", TlsMode.DISABLED))) {
            assertThat(connection.serverVersion()).isEqualTo(new ServerVersion(8, 0, 31, "8.0.31", false));
            assertThat(connection.query("select connection_id()").firstRow().text(0))
                    .isEqualTo(Long.toString(connection.connectionId()));
        }
    }

    private static ConnectOptions options(String user, String password, TlsMode mode) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, password)
                .withTls(TlsOptions.of(mode));
    }
}
