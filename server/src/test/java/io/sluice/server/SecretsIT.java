package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passwords that come from files, and that are encrypted, at a real source. */
@Timeout(600)
class SecretsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static MySqlServer mysql;

    @TempDir
    Path secrets;

    @AutoClose
    private final LogLines log = LogLines.ofAll();

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create schema shop", "create table shop.orders (id int primary key)");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void anEncryptedPasswordInAFileLogsIn() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair pair = generator.generateKeyPair();
        Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
        cipher.init(Cipher.ENCRYPT_MODE, pair.getPrivate());
        byte[] encrypted = cipher.doFinal(PulledServer.PASSWORD.getBytes(StandardCharsets.UTF_8));
        Path file = Files.writeString(
                secrets.resolve("password"), Base64.getEncoder().encodeToString(encrypted) + "\n");
        Map<String, String> settings = Map.of(
                "canal.instance.enableDruid",
                "true",
                "canal.instance.pwdPublicKey",
                Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()),
                "canal.instance.dbPassword",
                "${file:" + file + "}");
        try (PulledServer server = new PulledServer(mysql, Map.of(), settings)) {
            server.start();
            try (PullClient client =
                    PullClient.connect(ClientOptions.of("127.0.0.1", server.port(), PulledServer.DESTINATION))) {
                client.subscribe("shop\\..*");
                mysql.execute("insert into shop.orders values (1)");
                assertThat(PulledServer.ids(client, 1)).containsExactly("1");
            }
        }
        assertThat(lines()).noneMatch(line -> line.contains(PulledServer.PASSWORD));
    }

    @Test
    void aPasswordThatTheSourceRejectsIsNotInTheLog() throws Exception {
        Path file = Files.writeString(secrets.resolve("password"), "hunter2\n");
        try (PulledServer server =
                new PulledServer(mysql, Map.of(), Map.of("canal.instance.dbPassword", "${file:" + file + "}"))) {
            server.start();
            await().atMost(PATIENCE).until(() -> lines().stream().anyMatch(line -> line.contains("Access denied")));
        }
        assertThat(lines()).noneMatch(line -> line.contains("hunter2"));
    }

    /** All that was logged, with the messages of exceptions. */
    private List<String> lines() {
        return log.events().stream().map(SecretsIT::line).toList();
    }

    private static String line(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(event.getFormattedMessage());
        for (var cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
            line.append('\n').append(cause.getMessage());
        }
        return line.toString();
    }
}
