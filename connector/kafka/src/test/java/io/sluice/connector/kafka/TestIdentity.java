package io.sluice.connector.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A key with a certificate that it has signed itself, as a PKCS12 store and as PEM. */
record TestIdentity(Path store, Path certificate, Path certificateAndKey) {
    static final String STORE_PASSWORD = "of the store";

    /** Makes one for a host's name. */
    static TestIdentity of(String host, Path folder) throws Exception {
        Path store = folder.resolve(host + ".p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                STORE_PASSWORD);
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        return export(store, folder, host);
    }

    private static TestIdentity export(Path store, Path folder, String name)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
        String certificate = pem("CERTIFICATE", keys.getCertificate("it").getEncoded());
        String key = pem(
                "PRIVATE KEY", keys.getKey("it", STORE_PASSWORD.toCharArray()).getEncoded());
        return new TestIdentity(
                store,
                Files.writeString(folder.resolve(name + ".pem"), certificate),
                Files.writeString(folder.resolve(name + "-with-key.pem"), key + certificate));
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, Base64.getMimeEncoder().encodeToString(der), label);
    }
}
