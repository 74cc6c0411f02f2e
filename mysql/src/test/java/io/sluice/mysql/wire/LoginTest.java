package io.sluice.mysql.wire;

import static io.sluice.mysql.wire.packet.Packets.concat;
import static io.sluice.mysql.wire.packet.Packets.packet;
import static io.sluice.mysql.wire.packet.Packets.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.auth.AuthPlugins;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.auth.PasswordSending;
import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.packet.Payload;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays what a MySQL 8.0.31 sent to accounts with the password "pässword". */
class LoginTest {
    private static final String PASSWORD = "p\u00e4ssword";
    private static final ConnectOptions OPTIONS =
            ConnectOptions.of(new ServerAddress("127.0.0.1", 3306), "canal", PASSWORD);

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    @Test
    void answersTheChallengeOfTheGreeting() throws IOException {
        Greeting greeting = login(recorded("login/caching-sha2-fast"), OPTIONS.withDatabase("shop"));

        assertThat(greeting.version()).isEqualTo("8.0.31");
        assertThat(greeting.connectionId()).isEqualTo(28);
        assertThat(greeting.plugin()).isEqualTo("caching_sha2_password");
        assertThat(greeting.challenge())
                .asHexString()
                .isEqualToIgnoringCase("296c5a513305230d2d4e7a70525a480f49106854");
        byte[] answer = scrambled("caching_sha2_password", greeting.challenge());
        assertThat(HexFormat.of().formatHex(sent.toByteArray(), 4 + 8, sent.size()))
                .isEqualTo("2d" + "00".repeat(23) + hex("canal\0") + "20"
                        + HexFormat.of().formatHex(answer) + hex("shop\0") + hex("caching_sha2_password\0"));
    }

    @Test
    void sendsThePasswordUnderTheServersKeyOnceItIsAskedFor() throws IOException {
        login(recorded("login/caching-sha2-full"), OPTIONS);

        byte[] all = sent.toByteArray();
        int keyLength = 256;
        byte[] keyRequest = Arrays.copyOfRange(all, all.length - 4 - keyLength - 5, all.length - 4 - keyLength);
        assertThat(keyRequest).isEqualTo(packet(3, new byte[] {2}));
        assertThat(sent.toString(StandardCharsets.UTF_8)).doesNotContain(PASSWORD);
    }

    @Test
    void answersTheChallengeOfASwitch() throws IOException {
        byte[] recording = recorded("login/native-after-switch");
        login(recording, OPTIONS);

        int nameEnd = new String(recording, StandardCharsets.ISO_8859_1).indexOf("mysql_native_password\0") + 22;
        byte[] challenge = Arrays.copyOfRange(recording, nameEnd, nameEnd + 20);
        byte[] all = sent.toByteArray();
        assertThat(Arrays.copyOfRange(all, all.length - 24, all.length))
                .isEqualTo(packet(3, scrambled("mysql_native_password", challenge)));
    }

    @Test
    void logsInWithSha256Password() throws IOException {
        login(recorded("login/sha256-after-switch"), OPTIONS);

        assertThat(sent.toString(StandardCharsets.UTF_8)).doesNotContain(PASSWORD);
    }

    @Test
    void answersAnEmptyPasswordWithAnEmptyResponse() throws IOException {
        login(recorded("login/no-password"), ConnectOptions.of(OPTIONS.address(), "canal", ""));

        assertThat(HexFormat.of().formatHex(sent.toByteArray()))
                .endsWith(hex("canal\0") + "00" + hex("caching_sha2_password\0"));
    }

    @Test
    void reportsTheRejectedUserAndTheRemedy() {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> login(recorded("login/wrong-password"), OPTIONS))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1045))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("28000"))
                .withMessage("cannot log in to 127.0.0.1:3306 as canal: server error 1045 (28000): Access denied for"
                        + " user 'sha2'@'localhost' (using password: YES); check user and password, and that the"
                        + " account may log in from this host");
    }

    @Test
    void reportsAnErrorInsteadOfAGreeting() {
        byte[] tooMany = packet(0, concat(new byte[] {(byte) 0xFF, 0x10, 0x04}, utf8("Too many connections")));

        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> login(tooMany, OPTIONS))
                .withMessageContaining("server error 1040 (HY000): Too many connections; raise max_connections");
    }

    /** Another attempt alone cannot help. */
    private static void assertStopsTheSource(SourceException refusal) {
        assertThat(refusal.failure()).isEqualTo(SourceFailure.AUTHENTICATION);
    }

    @Test
    void reportsAnUnsupportedPlugin() {
        byte[] switchTo = packet(2, concat(new byte[] {(byte) 0xFE}, utf8("client_ed25519\0"), new byte[32]));

        assertThatThrownBy(() -> login(concat(greeting(), switchTo), OPTIONS))
                .isInstanceOfSatisfying(SourceException.class, LoginTest::assertStopsTheSource)
                .hasMessage("server asks for authentication plugin client_ed25519, which is not supported; create the"
                        + " account with caching_sha2_password or mysql_native_password");
    }

    @Test
    void quotesNoMoreThanTheBeginOfALongName() throws IOException {
        byte[] switchTo = packet(2, concat(new byte[] {(byte) 0xFE}, utf8("x".repeat(50_000) + "\0"), new byte[32]));

        assertThatThrownBy(() -> login(concat(greeting(), switchTo), OPTIONS))
                .hasMessageStartingWith(
                        "server asks for authentication plugin %s…, which is not supported", "x".repeat(64));

        byte[] greeting = greeting();
        byte[] rest = Arrays.copyOfRange(greeting, 5, greeting.length);
        byte[] longVersion = concat(new byte[] {10}, utf8("8.0." + "9".repeat(1000)), rest);
        Greeting decoded = Greeting.decode(new Payload(longVersion, 0, longVersion.length));
        assertThat(decoded.version()).isEqualTo("8.0." + "9".repeat(60) + "…");
        assertThat(decoded.plugin()).isEqualTo("caching_sha2_password");
    }

    @Test
    void doesNotTakeAKeyFromAServerOnAnotherMachine() {
        for (String recording : List.of("login/caching-sha2-full", "login/sha256-after-switch")) {
            sent.reset();
            assertThatThrownBy(() -> login(recorded(recording), OPTIONS, false).run())
                    .isInstanceOfSatisfying(UnprotectedPasswordException.class, LoginTest::assertStopsTheSource)
                    .isInstanceOfSatisfying(
                            UnprotectedPasswordException.class,
                            refusal -> assertThat(refusal.remedy())
                                    .startsWith("set canal.instance.master.sslMode = REQUIRED"))
                    .hasMessageContaining(
                            "so it was not sent: set canal.instance.master.sslMode = REQUIRED or stricter, or"
                                    + " canal.instance.master.serverRSAPublicKeyFile")
                    .hasMessageContaining("canal.instance.master.allowPublicKeyRetrieval = true");
            assertThat(sent.size()).isLessThan(200); // less than what an RSA key makes of it
            assertThat(asksForKey()).isFalse();
        }
    }

    private boolean asksForKey() {
        byte[] all = sent.toByteArray();
        for (int at = 0; at < all.length; at += 4 + (all[at] & 0xFF) + ((all[at + 1] & 0xFF) << 8)) {
            if (all[at] == 1 && all[at + 1] == 0) { // a packet of one byte
                return true;
            }
        }
        return false;
    }

    @Test
    void takesAKeyFromAServerOnAnotherMachineIfThatIsAllowed() throws IOException {
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(true, null, false));
        for (String recording : List.of("login/caching-sha2-full", "login/sha256-after-switch")) {
            sent.reset();
            login(recorded(recording), options, false).run();
            assertThat(asksForKey()).isTrue();
            assertThat(sent.size()).isGreaterThan(256);
        }
    }

    /** The sender of a key can read what is encrypted by it, so no key is requested if one is configured. */
    @Test
    void usesTheConfiguredKeyAndNoOther(@TempDir Path folder) throws Exception {
        KeyPair trusted = rsa();
        Path file = Files.writeString(folder.resolve("public_key.pem"), pem(trusted));
        byte[] fullLogin = packet(2, new byte[] {1, 4});
        byte[] ok = packet(4, new byte[] {0, 0, 0, 2, 0, 0, 0});
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(true, file, false));

        Greeting greeting =
                login(concat(greeting(), fullLogin, ok), options, false).run();

        byte[] all = sent.toByteArray();
        byte[] underKey = Arrays.copyOfRange(all, all.length - 256, all.length);
        assertThat(decrypted(underKey, trusted, greeting.challenge())).isEqualTo(PASSWORD + "\0");
        assertThat(asksForKey()).isFalse();
    }

    @Test
    void reportsAnUnusableKeyFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("key.pem"), "no key");
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(false, file, false));

        assertThatThrownBy(() -> login(recorded("login/caching-sha2-full"), options, false)
                        .run())
                .hasMessageContaining("key.pem holds no RSA public key in PEM");
        Files.delete(file);
        assertThatThrownBy(() -> login(recorded("login/caching-sha2-full"), options, false)
                        .run())
                .hasMessageContaining("key.pem cannot be read");
    }

    @Test
    void doesNotBeginWithAPluginThatItWouldNotUse() throws IOException {
        byte[] greeting = greeting("sha256_password");
        byte[] ok = packet(2, new byte[] {0, 0, 0, 2, 0, 0, 0});

        login(concat(greeting, ok), OPTIONS, false).run();

        assertThat(sent.toString(StandardCharsets.UTF_8)).endsWith("caching_sha2_password\0");
    }

    @Test
    void knowsALoginThatDependsOnTheServersCache() throws IOException {
        Login remote = login(recorded("login/caching-sha2-fast"), OPTIONS, false);
        remote.run();
        assertThat(remote.dependsOnCache()).isTrue();
        Login local = login(recorded("login/caching-sha2-fast"), OPTIONS, true);
        local.run();
        assertThat(local.dependsOnCache()).isFalse();
        Login allowed = login(
                recorded("login/caching-sha2-fast"),
                OPTIONS.withPasswords(new PasswordOptions(true, null, false)),
                false);
        allowed.run();
        assertThat(allowed.dependsOnCache()).isFalse();
        Login other = login(recorded("login/native-after-switch"), OPTIONS, false);
        other.run();
        assertThat(other.dependsOnCache()).isFalse();
    }

    @Test
    void sendsAPasswordInClearOnlyIfThatIsEnabled() {
        for (boolean loopback : new boolean[] {true, false}) {
            for (TlsMode mode : new TlsMode[] {TlsMode.DISABLED, TlsMode.REQUIRED}) {
                int sequence = mode == TlsMode.DISABLED ? 2 : 3;
                Login login = new Login(
                        channel(concat(greeting(), clearPassword(sequence)), sent),
                        OPTIONS.withTls(TlsOptions.of(mode)),
                        loopback,
                        () -> {});
                assertThatThrownBy(login::run)
                        .isInstanceOf(UnprotectedPasswordException.class)
                        .hasMessageContaining(
                                "is not enabled, so it was not sent: set canal.instance.master.enableCleartextPlugin = true");
            }
        }
        assertThat(sent.toString(StandardCharsets.UTF_8)).doesNotContain(PASSWORD);
    }

    @Test
    void neverSendsAPasswordInClearOverAPlainConnectionToAnotherMachine() {
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(true, null, true));
        byte[] bytes = concat(greeting(), clearPassword(2));

        assertThatThrownBy(() -> login(bytes, options, false).run())
                .isInstanceOf(UnprotectedPasswordException.class)
                .hasMessageContaining("never sent over a plain connection to another machine");
        assertThat(sent.toString(StandardCharsets.UTF_8)).doesNotContain(PASSWORD);
    }

    @Test
    void sendsAPasswordInClearToThisMachineIfThatIsEnabled() throws IOException {
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(false, null, true));
        byte[] ok = packet(4, new byte[] {0, 0, 0, 2, 0, 0, 0});

        login(concat(greeting(), clearPassword(2), ok), options, true).run();

        assertThat(sent.toString(StandardCharsets.UTF_8)).endsWith(PASSWORD + "\0");
    }

    /** Servers whose plugin only waits for the password send no challenge. */
    @Test
    void sendsAPasswordInClearWithoutAChallenge() throws IOException {
        ConnectOptions options = OPTIONS.withPasswords(new PasswordOptions(false, null, true));
        byte[] switchTo = packet(2, concat(new byte[] {(byte) 0xFE}, utf8("mysql_clear_password\0")));
        byte[] ok = packet(4, new byte[] {0, 0, 0, 2, 0, 0, 0});

        login(concat(greeting(), switchTo, ok), options, true).run();

        assertThat(sent.toString(StandardCharsets.UTF_8)).endsWith(PASSWORD + "\0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql_native_password", "caching_sha2_password"})
    void provesThePasswordOnlyWithAChallenge(String plugin) {
        byte[] switchTo = packet(2, concat(new byte[] {(byte) 0xFE}, utf8(plugin + "\0")));

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(
                        () -> login(concat(greeting(), switchTo), OPTIONS, true).run())
                .withMessage("server's challenge is empty");
    }

    private static byte[] clearPassword(int sequence) {
        return packet(sequence, concat(new byte[] {(byte) 0xFE}, utf8("mysql_clear_password\0"), new byte[21]));
    }

    private static KeyPair rsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String pem(KeyPair keys) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    private static String decrypted(byte[] bytes, KeyPair keys, byte[] challenge) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
        cipher.init(Cipher.DECRYPT_MODE, keys.getPrivate());
        byte[] password = cipher.doFinal(bytes);
        for (int i = 0; i < password.length; i++) {
            password[i] ^= challenge[i % challenge.length];
        }
        return new String(password, StandardCharsets.UTF_8);
    }

    /** What the plugin of an account with {@link #PASSWORD} answers. */
    private static byte[] scrambled(String plugin, byte[] challenge) throws IOException {
        PasswordSending sending = new PasswordSending(false, true, PasswordOptions.STRICT);
        return AuthPlugins.named(plugin, PASSWORD, sending).answer(challenge);
    }

    @Test
    void sendsAPasswordInClearOnceItIsEncrypted() throws IOException {
        // The request for TLS has sequence number 1, and our answer 2.
        byte[] switchTo = clearPassword(3);
        byte[] ok = packet(5, new byte[] {0, 0, 0, 2, 0, 0, 0});
        PacketChannel channel = channel(concat(greeting(), switchTo, ok), sent);
        ConnectOptions options =
                OPTIONS.withTls(TlsOptions.of(TlsMode.REQUIRED)).withPasswords(new PasswordOptions(false, null, true));
        Login login = new Login(channel, options, false, () -> {});

        login.run();

        assertThat(login.isEncrypted()).isTrue();
        assertThat(sent.toString(StandardCharsets.UTF_8)).endsWith(PASSWORD + "\0");
    }

    @Test
    void abortsALoginThatNeverEnds() {
        byte[] bytes = greeting();
        for (int round = 0; round < 100; round++) {
            int sequence = 2 + 2 * round;
            bytes = concat(
                    bytes,
                    packet(sequence, concat(new byte[] {(byte) 0xFE}, utf8("mysql_native_password\0"), new byte[21])));
        }
        byte[] endless = bytes;

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> login(endless, OPTIONS))
                .withMessage("login has not ended after 16 rounds");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DISABLED", "PREFERRED"})
    void doesNotConnectToAServerWithoutTls(TlsMode mode) {
        assertThatThrownBy(() -> login(greetingWithoutTls(), OPTIONS.withTls(TlsOptions.of(mode))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("server offers no TLS, but TLS mode is " + mode);
        assertThat(sent.size()).isZero();
    }

    @Test
    void prefersTlsButConnectsWithout() throws IOException {
        byte[] ok = packet(2, new byte[] {0, 0, 0, 2, 0, 0, 0});

        login(concat(greetingWithoutTls(), ok), OPTIONS.withTls(TlsOptions.of(TlsMode.PREFERRED)));

        assertThat(sent.size()).isPositive();
    }

    @Test
    void asksForTlsBeforeItNamesTheUser() {
        ConnectOptions options = OPTIONS.withTls(TlsOptions.of(TlsMode.REQUIRED));
        Login login = new Login(channel(greeting(), sent), options, false, () -> {
            throw new IOException("handshake failed");
        });

        assertThatThrownBy(login::run).hasMessage("handshake failed");
        assertThat(sent.size()).isEqualTo(4 + 32);
    }

    @Test
    void readsAnOldGreetingWithoutPlugins() throws IOException {
        // A greeting that ends after the low capabilities, as before 4.1.
        byte[] payload =
                concat(new byte[] {10}, utf8("4.0.1\0"), new byte[] {1, 0, 0, 0}, new byte[8], new byte[] {0, 0, 0});
        ByteWriter bytes = new ByteWriter(1);
        Greeting greeting = Greeting.decode(channel(packet(0, payload), sent).receive(bytes));

        assertThat(greeting.plugin()).isEmpty();
        assertThat(greeting.challenge()).hasSize(8);
    }

    private Greeting login(byte[] fromServer, ConnectOptions options) throws IOException {
        return login(fromServer, options, true).run();
    }

    private Login login(byte[] fromServer, ConnectOptions options, boolean loopback) {
        return new Login(channel(fromServer, sent), options, loopback, () -> {
            throw new AssertionError("no TLS here");
        });
    }

    private static PacketChannel channel(byte[] fromServer, OutputStream toServer) {
        return new PacketChannel(new ByteArrayInputStream(fromServer), toServer, OPTIONS.maximumPacketBytes());
    }

    private static byte[] greeting() {
        byte[] recording = recorded("login/caching-sha2-fast");
        return Arrays.copyOf(recording, 4 + (recording[0] & 0xFF));
    }

    /** A greeting that names the given plugin as the server's default. */
    private static byte[] greeting(String plugin) {
        byte[] usual = greeting();
        byte[] name = utf8("caching_sha2_password\0");
        byte[] payload = Arrays.copyOfRange(usual, 4, usual.length - name.length);
        return packet(0, concat(payload, utf8(plugin + "\0")));
    }

    private static byte[] greetingWithoutTls() {
        byte[] greeting = greeting();
        int lowCapabilities = 4 + 1 + "8.0.31\0".length() + 4 + 8 + 1;
        greeting[lowCapabilities + 1] &= ~(Capabilities.SSL >>> 8);
        return greeting;
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
