package io.sluice.testkit.tls;

import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A key pair with a certificate that it signed itself, in the files that a broker and its clients need.
 *
 * @param certificate in PEM
 * @param key in PEM, not encrypted
 */
public record Certificates(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";

    /**
     * Makes them.
     *
     * @param folder where the files go
     * @param names the names and addresses that the certificate is for, such as {@code dns:localhost}
     */
    public static Certificates make(Path folder, String names) throws IOException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        Commands.require(
                folder,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "EC", // an RSA key takes a second
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=broker",
                        "-ext",
                        "san=" + names,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD));
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new Certificates(
                write(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("broker").getEncoded()),
                write(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("broker", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path write(Path file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what),
                StandardCharsets.US_ASCII);
    }
}
