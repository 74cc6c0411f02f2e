package io.sluice.protocol.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files that the JDK's keytool has written, and PEM. */
class KeyStoresTest {
    private static final String PASSWORD = "store-secret";

    @TempDir
    private static Path folder;

    /** Has a key pair of each algorithm, by its name. */
    private static KeyStore made;

    @BeforeAll
    static void makeKeys() throws Exception {
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            keytool("-genkeypair", "-keyalg", algorithm, "-dname", "CN=" + algorithm, "-alias", algorithm);
        }
        // The certificate of EC is signed by RSA, the others by themselves.
        keytool("-certreq", "-file", "request", "-alias", "EC");
        keytool("-gencert", "-infile", "request", "-outfile", "signed", "-alias", "RSA");
        keytool("-importcert", "-noprompt", "-file", "signed", "-alias", "EC");
        made = KeyStore.getInstance(folder.resolve("made.p12").toFile(), PASSWORD.toCharArray());
    }

    private static void keytool(String... arguments) throws Exception {
        keytoolOf("made.p12", arguments);
    }

    private static void keytoolOf(String store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store, "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"JKS, JKS", "PKCS12, PKCS12", "JKS, ''", "PKCS12, ''", "JCEKS, JCEKS"})
    void readsKeyStores(String written, String type) throws Exception {
        KeyStore store = KeyStore.getInstance(written);
        store.load(null, null);
        store.setCertificateEntry("ca", certificate("EC"));
        store.setKeyEntry("me", key("RSA"), PASSWORD.toCharArray(), new Certificate[] {certificate("RSA")});
        Path path = folder.resolve("store-" + written + type);
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }
        KeyStoreFile file = new KeyStoreFile(type, path.toUri().toString(), PASSWORD);

        assertThat(trusted(file)).contains("CN=EC");
        assertThat(presented(file, "RSA")).containsExactly("CN=RSA");

        KeyStoreFile wrong = new KeyStoreFile(type, path.toString(), "not the password");
        String where = "cannot read " + (type.isEmpty() ? "" : type + " ") + "key store " + path + ": ";
        assertThatIOException()
                .isThrownBy(() -> KeyStores.trusted(wrong))
                .withMessage(where + "its password is not the configured one");
        assertThatIOException()
                .isThrownBy(() -> KeyStores.own(wrong, Instant.now()))
                .withMessage(where + "its password is not the configured one");
    }

    @Test
    void aKeyWithAPasswordOfItsOwnIsReported() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry("me", key("EC"), "another".toCharArray(), new Certificate[] {certificate("EC")});
        Path path = folder.resolve("two-passwords.jks");
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }

        assertThatIOException()
                .isThrownBy(() -> KeyStores.own(new KeyStoreFile("JKS", path.toString(), PASSWORD), Instant.now()))
                .withMessage("cannot read JKS key store %s: its password is not the configured one".formatted(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PEM", ""})
    void trustsAllCertificatesOfAPemFile(String type) throws Exception {
        String text = "# ours\n" + pem("CERTIFICATE", certificate("RSA").getEncoded())
                + pem("PRIVATE KEY", key("RSA").getEncoded()) + "and theirs\r\n"
                + pem("CERTIFICATE", certificate("EC").getEncoded()).replace("\n", "\r\n");

        assertThat(trusted(write(type, text))).containsExactlyInAnyOrder("CN=RSA", "CN=EC");
    }

    @Test
    void trustsACertificateInDer() throws Exception {
        Path path = Files.write(folder.resolve("ca.der"), certificate("EC").getEncoded());

        assertThat(trusted(new KeyStoreFile("PEM", path.toString(), ""))).containsExactly("CN=EC");
    }

    @ParameterizedTest
    @CsvSource({"RSA, RSA", "EC, EC", "Ed25519, EdDSA"})
    void presentsACertificateWithAKeyInPkcs8(String alias, String keyType) throws Exception {
        String text = pem("PRIVATE KEY", key(alias).getEncoded())
                + pem("CERTIFICATE", certificate(alias).getEncoded());

        assertThat(presented(write("", text), keyType)).containsExactly("CN=" + alias);
    }

    @Test
    void presentsTheCertificatesThatLeadToTheRoot() throws Exception {
        String text = pem("CERTIFICATE", certificate("EC").getEncoded())
                + pem("CERTIFICATE", certificate("RSA").getEncoded())
                + pem("PRIVATE KEY", key("EC").getEncoded());

        assertThat(presented(write("PEM", text), "EC")).containsExactly("CN=EC", "CN=RSA");
    }

    @Test
    void presentsACertificateWithAKeyInPkcs1() throws Exception {
        byte[] pkcs8 = key("RSA").getEncoded();
        // What wraps the key in PKCS #8: a sequence, version, algorithm and octet string.
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 4 + 3 + 15 + 4, pkcs8.length);
        String text = pem("CERTIFICATE", certificate("RSA").getEncoded()) + pem("RSA PRIVATE KEY", pkcs1);
        KeyStoreFile file = write("PEM", text);

        assertThat(presented(file, "RSA")).containsExactly("CN=RSA");
        assertThat(keyManager(file).getPrivateKey(aliases(file, "RSA")[0])).isEqualTo(key("RSA"));
    }

    @Test
    void saysWhatAPemFileLacks() throws Exception {
        String certificate = pem("CERTIFICATE", certificate("RSA").getEncoded());
        String encrypted = pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});

        assertThatIOException()
                .isThrownBy(() -> KeyStores.own(write("PEM", certificate + encrypted), Instant.now()))
                .withMessageEndingWith("it holds no private key without a password ('BEGIN PRIVATE KEY');"
                        + " 'openssl pkcs8 -topk8 -nocrypt' makes one");
        assertThatIOException()
                .isThrownBy(() -> KeyStores.own(
                        write("PEM", certificate + pem("PRIVATE KEY", new byte[] {1, 2, 3})), Instant.now()))
                .withMessageEndingWith("its private key is neither RSA, EC nor EdDSA, or damaged");
        assertThatIOException()
                .isThrownBy(() -> KeyStores.trusted(write("PEM", encrypted)))
                .withMessageEndingWith("it holds no certificate ('BEGIN CERTIFICATE')");
        assertThatIOException()
                .isThrownBy(() -> KeyStores.trusted(write("PEM", "")))
                .withMessageEndingWith("it holds no certificate ('BEGIN CERTIFICATE')");
    }

    @Test
    void ofSeveralValidCertificatesTheFirstThatExpiresCounts() throws Exception {
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=short", "-alias", "short", "-validity", "1");
        Path path = folder.resolve("made.p12");
        KeyStore store = KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
        Instant first =
                ((X509Certificate) store.getCertificate("short")).getNotAfter().toInstant();

        assertThat(KeyStores.expiry(new KeyStoreFile("PKCS12", path.toString(), PASSWORD), Instant.now()))
                .hasValue(first);
    }

    @Test
    void aCertificateCanBePresentedAsLongAsThoseThatLeadToItsRoot() throws Exception {
        String store = "chain.p12";
        keytoolOf(store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=root", "-alias", "root", "-validity", "5");
        keytoolOf(store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=leaf", "-alias", "leaf", "-validity", "400");
        keytoolOf(store, "-certreq", "-file", "leaf.csr", "-alias", "leaf");
        keytoolOf(
                store, "-gencert", "-infile", "leaf.csr", "-outfile", "leaf.crt", "-alias", "root", "-validity", "400");
        keytoolOf(store, "-importcert", "-noprompt", "-file", "leaf.crt", "-alias", "leaf");
        Path path = folder.resolve(store);
        KeyStore made = KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
        Instant end =
                ((X509Certificate) made.getCertificate("root")).getNotAfter().toInstant();

        assertThat(KeyStores.expiry(new KeyStoreFile("PKCS12", path.toString(), PASSWORD), Instant.now()))
                .hasValue(end);
    }

    /** Whichever of the two comes first in the file, also if their keys are of two types, and if one is for signatures only. */
    @ParameterizedTest
    @CsvSource({
        "a, EC, false, b, EC, false",
        "b, EC, false, a, EC, false",
        "a, EC, true, b, EC, true",
        "b, EC, false, a, EC, true",
        "a, EC, true, b, RSA, true",
        "b, RSA, false, a, EC, true"
    })
    void anExpiredCertificateIsNotPresentedBesideAValidOne(
            String expired,
            String expiredKey,
            boolean isExpiredForSigning,
            String valid,
            String key,
            boolean isForSigning)
            throws Exception {
        String store =
                String.join("-", "renewed", expired, expiredKey, "" + isExpiredForSigning, key, "" + isForSigning)
                        + ".p12";
        keyPair(store, expired, expiredKey, isExpiredForSigning, "-20d");
        keyPair(store, valid, key, isForSigning, "-1d");
        KeyStoreFile file = new KeyStoreFile("PKCS12", folder.resolve(store).toString(), PASSWORD);

        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            X509Certificate presented = presented(KeyStores.context(KeyStores.own(file, Instant.now()), null), version);

            assertThat(subject(presented)).as(version).isEqualTo("CN=" + valid);
            assertThat(KeyStores.expiry(file, Instant.now()))
                    .hasValue(presented.getNotAfter().toInstant());
        }
    }

    @Test
    void whatIsNotValidYetCannotBePresentedForAnyTime() throws Exception {
        keyPair("early.p12", "a", "EC", false, "+5d");
        keyPair("early.p12", "b", "EC", false, "+8d");
        KeyStoreFile file =
                new KeyStoreFile("PKCS12", folder.resolve("early.p12").toString(), PASSWORD);
        Instant now = Instant.now();

        assertThat(KeyStores.expiry(file, now)).hasValue(now);
        assertThat(KeyStores.expiry(file, now.plus(Duration.ofDays(6))))
                .hasValueSatisfying(end -> assertThat(end).isAfter(now.plus(Duration.ofDays(14))));
    }

    /** It is no other key that could be presented. */
    @Test
    void aSecretKeyIsNotPresentedInPlaceOfAKeyThatIsNotValidYet() throws Exception {
        keyPair("secret.p12", "own", "EC", false, "+5d");
        keytoolOf("secret.p12", "-genseckey", "-keyalg", "AES", "-keysize", "128", "-alias", "secret");
        KeyStoreFile file =
                new KeyStoreFile("PKCS12", folder.resolve("secret.p12").toString(), PASSWORD);
        Instant now = Instant.now();

        assertThat(presented(file, "EC")).containsExactly("CN=own");
        assertThat(KeyStores.expiry(file, now)).hasValue(now);
    }

    /** Valid for ten days from a day on. */
    private static void keyPair(String store, String alias, String algorithm, boolean isForSigning, String begin)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-keyalg", algorithm, "-dname", "CN=" + alias));
        arguments.addAll(List.of("-alias", alias, "-startdate", begin, "-validity", "10"));
        if (isForSigning) {
            arguments.addAll(List.of("-ext", "ku=digitalSignature"));
        }
        keytoolOf(store, arguments.toArray(String[]::new));
    }

    /** What a client gets from a server with that context. */
    private static X509Certificate presented(SSLContext server, String version) throws Exception {
        AtomicReference<X509Certificate> got = new AtomicReference<>();
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {new NotingTrust(got)}, null);
        try (ServerSocket port =
                        server.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SSLSocket socket = (SSLSocket)
                        client.getSocketFactory().createSocket(port.getInetAddress(), port.getLocalPort())) {
            CompletableFuture<Integer> served = CompletableFuture.supplyAsync(() -> {
                try (Socket accepted = port.accept()) {
                    return accepted.getInputStream().read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            socket.getOutputStream().write(1);
            assertThat(served.get(60, TimeUnit.SECONDS)).isOne();
        }
        return got.get();
    }

    /** Trusts all, and notes the certificate of the server. */
    private record NotingTrust(AtomicReference<X509Certificate> got) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new AssertionError("it is for a client");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            got.set(chain[0]);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void namesAFileThatDoesNotExist() {
        assertThatIOException()
                .isThrownBy(() -> KeyStores.trusted(KeyStoreFile.of(Path.of("nowhere.p12"), PASSWORD)))
                .withMessage("cannot read key store nowhere.p12: there is no such file");
    }

    private static KeyStoreFile write(String type, String pem) throws IOException {
        Path path = Files.createTempFile(folder, "store", "");
        return new KeyStoreFile(
                type, Files.writeString(path, pem, StandardCharsets.US_ASCII).toString(), "");
    }

    private static String pem(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label);
    }

    private static Certificate certificate(String alias) throws GeneralSecurityException {
        return made.getCertificate(alias);
    }

    private static PrivateKey key(String alias) throws GeneralSecurityException {
        return (PrivateKey) made.getKey(alias, PASSWORD.toCharArray());
    }

    private static List<String> trusted(KeyStoreFile file) throws IOException {
        for (TrustManager manager : KeyStores.trusted(file).getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                return Arrays.stream(x509.getAcceptedIssuers())
                        .map(KeyStoresTest::subject)
                        .toList();
            }
        }
        throw new AssertionError("no trust manager");
    }

    private static List<String> presented(KeyStoreFile file, String keyType) throws IOException {
        X509ExtendedKeyManager manager = keyManager(file);
        return Arrays.stream(manager.getCertificateChain(aliases(file, keyType)[0]))
                .map(KeyStoresTest::subject)
                .toList();
    }

    private static String[] aliases(KeyStoreFile file, String keyType) throws IOException {
        return keyManager(file).getClientAliases(keyType, null);
    }

    private static X509ExtendedKeyManager keyManager(KeyStoreFile file) throws IOException {
        for (KeyManager manager : KeyStores.own(file, Instant.now()).getKeyManagers()) {
            if (manager instanceof X509ExtendedKeyManager x509) {
                return x509;
            }
        }
        throw new AssertionError("no key manager");
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }
}
