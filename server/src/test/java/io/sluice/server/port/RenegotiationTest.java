package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.PortTls;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client cannot make a port pay for one handshake after another on one connection. */
class RenegotiationTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    /** In a process of its own: Java reads the property when TLS is first used. */
    @Test
    void aClientCannotRenegotiate() {
        Path store = folder.resolve("server.p12");
        String home = System.getProperty("java.home");
        Commands.require(
                folder,
                Map.of(),
                List.of(
                        Path.of(home, "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()));
        assertThat(Commands.require(
                        folder,
                        Map.of(),
                        List.of(
                                Path.of(home, "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Client.class.getName(),
                                store.toUri().toString())))
                .contains("rejected");
    }

    /** Connects to a port's TLS in memory, and shakes hands twice. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws IOException, GeneralSecurityException {
            PortTls tls = new PortTls(
                    new KeyStoreFile("PKCS12", arguments[0], PASSWORD),
                    Optional.empty(),
                    PortTls.ClientAuth.NONE,
                    List.of("TLSv1.2"));
            EnginePair both = new EnginePair(ServerTls.context(tls, "canal.tcp.tls.", Instant.now())
                    .newEngine(UnpooledByteBufAllocator.DEFAULT));
            both.shakeHands();
            try {
                both.shakeHands();
                System.out.println("accepted");
            } catch (SSLException e) {
                System.out.println("rejected: " + e.getMessage());
            }
        }
    }
}
