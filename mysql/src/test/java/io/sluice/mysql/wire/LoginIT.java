package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs in to each server in all ways that it has. */
@ParameterizedClass
@EnumSource(ServerRelease.class)
class LoginIT {
    private static final String PASSWORD = "p\u00e4ss'w\u00f6rd \u4e2d";

    private static MySqlServer server;

    @Parameter
    private ServerRelease release;

    @BeforeParameterizedClassInvocation
    static void startServer(ServerRelease release) {
        server = MySqlServer.start(release);
        for (AuthPlugin plugin : release.authPlugins()) {
            String name = plugin.sqlName();
            server.createUser(name, PASSWORD, plugin);
            server.createUser("empty_" + shortened(name), "", plugin);
            server.createUser("long_" + name, "x".repeat(150), plugin);
        }
        server.execute("create user locked identified by 'secret'", "alter user locked account lock");
        server.execute("create database shop");
    }

    /** MySQL 5.7 allows 32 characters. */
    private static String shortened(String plugin) {
        return plugin.replace("password", "");
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    static Stream<Arguments> waysIn() {
        return server.release().authPlugins().stream()
                .flatMap(plugin -> modes().map(mode -> Arguments.of(plugin.sqlName(), mode)));
    }

    private static Stream<TlsMode> modes() {
        return server.release().hasTls() ? Stream.of(TlsMode.DISABLED, TlsMode.REQUIRED) : Stream.of(TlsMode.DISABLED);
    }

    /** Empties the server's cache of passwords, so that caching_sha2_password asks for the password itself. */
    @BeforeEach
    void forgetPasswords() {
        server.execute("flush privileges");
    }

    @ParameterizedTest
    @MethodSource("waysIn")
    void logsIn(String plugin, TlsMode mode) throws IOException {
        assertCanLogIn(plugin, PASSWORD, mode); // in full
        assertCanLogIn(plugin, PASSWORD, mode); // from the cache, if the plugin has one
        assertCanLogIn("long_" + plugin, "x".repeat(150), mode);
        assertCanLogIn("empty_" + shortened(plugin), "", mode);
    }

    private static void assertCanLogIn(String user, String password, TlsMode mode) throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options(user, password, mode))) {
            assertThat(connection.isEncrypted()).isEqualTo(mode == TlsMode.REQUIRED);
            assertThat(connection.query("select current_user()").firstRow().text(0))
                    .isEqualTo(user + "@%");
        }
    }

    @Test
    void isIndependentOfTheServersDefaultsForSessions() throws IOException {
        String user = release.authPlugins().iterator().next().sqlName();
        String limit = release.isMariaDb() ? "max_statement_time" : "max_execution_time";
        server.execute(
                "set global init_connect = 'set names latin1, autocommit = 0'",
                "set global %s = 1000".formatted(limit));
        try (MySqlConnection connection = MySqlConnection.open(options(user, PASSWORD, TlsMode.DISABLED))) {
            assertThat(connection
                            .query(
                                    "select convert(x'E8A1A8' using utf8mb4), char_length('\u8868'), @@autocommit, @@session."
                                            + limit)
                            .firstRow())
                    .satisfies(row -> {
                        assertThat(row.text(0)).isEqualTo("\u8868");
                        assertThat(row.text(1)).isEqualTo("1");
                        assertThat(row.text(2)).isEqualTo("1");
                        assertThat(Double.parseDouble(String.valueOf(row.text(3))))
                                .isZero();
                    });
        } finally {
            server.execute("set global init_connect = ''", "set global %s = 0".formatted(limit));
        }
    }

    static Stream<Arguments> wrongAccounts() {
        Stream<Arguments> emptyOnes = server.release().authPlugins().stream()
                .filter(plugin -> plugin != AuthPlugin.SHA256_PASSWORD)
                .map(plugin -> Arguments.of("empty_" + shortened(plugin.sqlName()), TlsMode.DISABLED));
        return Stream.concat(Stream.concat(waysIn(), emptyOnes), Stream.of(Arguments.of("nobody", TlsMode.DISABLED)));
    }

    @ParameterizedTest
    @MethodSource("wrongAccounts")
    void reportsThatThePasswordIsWrong(String user, TlsMode mode) {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(options(user, "not the password", mode)))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1045))
                .withMessageContaining("as %s: server error 1045", user)
                .withMessageNotContaining("not the password");
    }

    @Test
    void reportsThatThePasswordIsWrongIfTheCacheKnowsTheRightOne() throws IOException {
        String user = AuthPlugin.CACHING_SHA2_PASSWORD.sqlName();
        assumeThat(release.authPlugins()).contains(AuthPlugin.CACHING_SHA2_PASSWORD);
        assertCanLogIn(user, PASSWORD, TlsMode.DISABLED);

        reportsThatThePasswordIsWrong(user, TlsMode.DISABLED);
    }

    @Test
    void reportsThatAnAccountIsLocked() {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(options("locked", "secret", TlsMode.DISABLED)))
                .satisfies(e -> assertThat(e.errno()).isIn(3118, 4151))
                .withMessageEndingWith("unlock the account at the server");
    }

    /** As the attempts of an instance with the former password do while the password is changed. */
    @Test
    void reportsThatAnAccountIsLockedAfterFailedLogins() throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options("root", "", TlsMode.DISABLED))) {
            ServerVersion version = connection.serverVersion();
            assumeThat(version.mariaDb() || version.atLeast(8, 0, 19)).isTrue();
        }
        server.execute(
                release.isMariaDb()
                        ? "create user forgetful identified by 'secret'"
                        : "create user forgetful identified by 'secret' failed_login_attempts 2 password_lock_time 1");
        if (release.isMariaDb()) {
            server.execute("set global max_password_errors = 2");
        }
        try {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(ServerErrorException.class)
                        .isThrownBy(() -> MySqlConnection.open(options("forgetful", "wrong", TlsMode.REQUIRED)));
            }
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> MySqlConnection.open(options("forgetful", "secret", TlsMode.REQUIRED)))
                    .satisfies(e -> assertThat(e.errno()).isIn(3955, 4150))
                    .withMessageContaining("too many failed logins have locked the account");
            server.execute(release.isMariaDb() ? "flush privileges" : "alter user forgetful account unlock");
            MySqlConnection.open(options("forgetful", "secret", TlsMode.REQUIRED))
                    .close();
        } finally {
            server.execute(
                    release.isMariaDb() ? "set global max_password_errors = 4294967295" : "do 0",
                    "drop user forgetful");
        }
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
    void reportsWhatTheServerIs() throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options("root", "", TlsMode.DISABLED))) {
            ServerVersion version = connection.serverVersion();
            assertThat(version.mariaDb()).isEqualTo(release.isMariaDb());
            assertThat(server.query("select version()"))
                    .startsWith("%d.%d.%d".formatted(version.major(), version.minor(), version.patch()));
            assertThat(connection.query("select connection_id()").firstRow().text(0))
                    .isEqualTo(Long.toString(connection.connectionId()));
        }
    }

    private static ConnectOptions options(String user, String password, TlsMode mode) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, password)
                .withTls(TlsOptions.of(mode));
    }
}
