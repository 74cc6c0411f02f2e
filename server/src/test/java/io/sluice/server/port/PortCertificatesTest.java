package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.PortTls;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortCertificatesTest {
    private static final String PASSWORD = "changeit";

    /** As keytool takes the beginning of a validity. */
    private static final DateTimeFormatter START =
            DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss").withZone(ZoneId.systemDefault());

    private static String pem;

    @TempDir
    private Path folder;

    private final HandTime time = new HandTime();
    private Path store;

    @BeforeAll
    static void make(@TempDir Path made) throws Exception {
        Certificates certificates = Certificates.make(made, "dns:localhost");
        pem = Files.readString(certificates.certificate()) + Files.readString(certificates.key());
    }

    @BeforeEach
    void writeStore() throws IOException {
        store = Files.writeString(folder.resolve("port.pem"), pem);
    }

    private PortCertificates open() throws IOException {
        return open(Runnable::run);
    }

    private PortCertificates open(Executor looker) throws IOException {
        PortTls tls = new PortTls(
                KeyStoreFile.of(store, PASSWORD), Optional.empty(), PortTls.ClientAuth.NONE, List.of("TLSv1.2"));
        return new PortCertificates(tls, "canal.tcp.tls.", time, looker);
    }

    /** They expire while the process runs. */
    @Test
    void renewedCertificatesAreReadAgain() throws Exception {
        PortCertificates certificates = open();
        SslContext first = certificates.context();
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isSameAs(first);

        Files.writeString(store, "\n" + pem);
        assertThat(certificates.context()).as("within the period").isSameAs(first);
        time.pass(PortCertificates.PERIOD);

        SslContext second = certificates.context();
        assertThat(second).isNotSameAs(first);
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isSameAs(second);
    }

    @Test
    void theFormerOnesStayWhileTheFilesCannotBeRead() throws Exception {
        PortCertificates certificates = open();
        SslContext first = certificates.context();

        Files.writeString(store, pem.substring(0, 100));
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isSameAs(first);
        Files.delete(store);
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isSameAs(first);

        Files.writeString(store, "\n" + pem);
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isNotSameAs(first);
    }

    /** A network file system that hangs must not hold up connections. */
    @Test
    void connectionsGetTheFormerOnesWhileTheFilesAreRead() throws Exception {
        Deque<Runnable> looks = new ArrayDeque<>();
        PortCertificates certificates = open(looks::add);
        SslContext first = certificates.context();
        Files.writeString(store, "\n" + pem);

        for (int look = 0; look < 3; look++) {
            time.pass(PortCertificates.PERIOD);
            assertThat(certificates.context()).isSameAs(first);
        }
        assertThat(looks).hasSize(1);
        looks.remove().run();

        assertThat(certificates.context()).isNotSameAs(first);
    }

    @Test
    void connectionsAreAcceptedAndTheFilesReadLaterIfNoThreadCanBeStarted() throws Exception {
        AtomicBoolean isShort = new AtomicBoolean(true);
        PortCertificates certificates = open(look -> {
            if (isShort.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            look.run();
        });
        SslContext first = certificates.context();
        Files.writeString(store, "\n" + pem);
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isSameAs(first);

        isShort.set(false);
        time.pass(PortCertificates.PERIOD);
        assertThat(certificates.context()).isNotSameAs(first);
    }

    @Test
    void aCertificateThatExpiresWhileThePortIsOpenIsReportedOnce() throws Exception {
        time.pass(Duration.between(Instant.ofEpochMilli(time.millis()), Instant.now())); // the certificate is valid
        try (LogLines lines = LogLines.of(PortCertificates.class)) {
            PortCertificates certificates = open();
            assertThat(lines.texts()).isEmpty();

            time.pass(Duration.ofDays(10_000));
            for (int look = 0; look < 3; look++) {
                time.pass(PortCertificates.PERIOD);
                certificates.context();
            }
            assertThat(lines.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("the certificate of a port has expired")
                    .contains("keys=canal.tcp.tls.* ");

            Files.writeString(store, "\n" + pem);
            time.pass(PortCertificates.PERIOD);
            certificates.context();
            assertThat(lines.warnings()).as("another one that has expired").hasSize(2);
        }
    }

    /** They may be in one file. */
    @Test
    void anotherKeyIsPresentedWhenTheFirstExpires() throws Exception {
        store = folder.resolve("keys.p12");
        addKey("first", Duration.ofDays(-5));
        addKey("next", Duration.ofDays(4));
        try (LogLines lines = LogLines.of(PortCertificates.class)) {
            PortCertificates certificates = open();
            assertThat(presented(certificates)).isEqualTo("CN=first");

            time.pass(Duration.ofDays(6));

            assertThat(presented(certificates)).isEqualTo("CN=next");
            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "a certificate of a port is not valid, new connections get those of the same key store that are: keys=canal.tcp.tls.* ");
            time.pass(Duration.ofDays(9));
            assertThat(presented(certificates)).isEqualTo("CN=next");
            assertThat(lines.warnings()).hasSize(1);
        }
    }

    @Test
    void anotherKeyIsPresentedThatBecomesValidAfterTheFirstHasExpired() throws Exception {
        store = folder.resolve("keys.p12");
        addKey("first", Duration.ofDays(-5));
        addKey("next", Duration.ofDays(8));
        try (LogLines lines = LogLines.of(PortCertificates.class)) {
            PortCertificates certificates = open();

            time.pass(Duration.ofDays(6));
            assertThat(presented(certificates)).isEqualTo("CN=first");
            time.pass(PortCertificates.PERIOD);
            assertThat(presented(certificates)).isEqualTo("CN=first");
            assertThat(lines.warnings()).hasSize(1);
            time.pass(Duration.ofDays(3));

            assertThat(presented(certificates)).isEqualTo("CN=next");
            assertThat(lines.warnings()).hasSize(1);
        }
    }

    @Test
    void aKeyIsPresentedThatBecomesValidWhenAnotherIsNotYet() throws Exception {
        store = folder.resolve("keys.p12");
        addKey("later", Duration.ofDays(8));
        addKey("next", Duration.ofDays(4));
        try (LogLines lines = LogLines.of(PortCertificates.class)) {
            PortCertificates certificates = open();
            assertThat(lines.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("the certificate of a port has expired or is not valid yet");

            time.pass(Duration.ofDays(5));

            assertThat(presented(certificates)).isEqualTo("CN=next");
            assertThat(lines.texts()).hasSize(2);
        }
    }

    /** Adds a key pair that is valid for ten days from a while after now. */
    private void addKey(String alias, Duration begin) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-keyalg", "EC", "-alias", alias, "-dname", "CN=" + alias, "-validity", "10"));
        command.addAll(List.of(
                "-startdate", START.format(Instant.ofEpochMilli(time.millis()).plus(begin))));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store.toString()));
        Commands.require(folder, Map.of(), command);
    }

    /** The name in the certificate that a client gets. */
    private static String presented(PortCertificates certificates) throws GeneralSecurityException, IOException {
        EnginePair pair = new EnginePair(certificates.context().newEngine(UnpooledByteBufAllocator.DEFAULT));
        pair.shakeHands();
        return pair.presented().getSubjectX500Principal().getName();
    }

    @Test
    void aPortIsNotOpenedWithoutThem() throws Exception {
        Files.delete(store);

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("canal.tcp.tls.");
    }
}
