package io.sluice.testkit.tls;

import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
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
     * Makes them, with an elliptic key.
     *
     * @param folder where the files go
     * @param names the names and addresses that the certificate is for, such as {@code dns:localhost}
     */
    public static Certificates make(Path folder, String names) throws IOException, GeneralSecurityException {
        return make(folder, names, List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    }

    /**
     * Makes them with an RSA key, as most servers have it. That takes a second.
     *
     * @param folder where the files go
     * @param names the names and addresses that the certificate is for, such as {@code dns:localhost}
     */
    public static Certificates makeRsa(Path folder, String names) throws IOException, GeneralSecurityException {
        return make(folder, names, List.of("-keyalg", "RSA", "-keysize", "2048"));
    }

    private static Certificates make(Path folder, String names, List<String> key)
            throws IOException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "broker",
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
        command.addAll(key);
        Commands.require(folder, Map.of(), command);
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
