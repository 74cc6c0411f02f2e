package io.sluice.parse.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Puts TLS over a connected socket. Key stores are read each time, so that a renewed one counts with the next login. */
final class Tls {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private Tls() {}

    /**
     * Does the TLS handshake.
     *
     * @throws IOException if a key store cannot be read, or the handshake fails
     */
    static SSLSocket over(Socket tcp, ServerAddress address, TlsOptions options) throws IOException {
        SSLContext context = context(options);
        SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, address.host(), address.port(), true);
        List<String> supported = Arrays.asList(tls.getSupportedProtocols());
        if (!supported.containsAll(options.protocols())) {
            throw new IOException(
                    "TLS versions %s are not all known; known are %s".formatted(options.protocols(), supported));
        }
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setProtocols(options.protocols().toArray(String[]::new));
        if (options.mode() == TlsMode.VERIFY_IDENTITY) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the rules of RFC 2818, IP addresses included
        }
        tls.setSSLParameters(parameters);
        try {
            tls.startHandshake();
        } catch (javax.net.ssl.SSLException e) {
            throw new IOException(
                    "TLS handshake failed (TLS mode %s): %s".formatted(options.mode(), e.getMessage()), e);
        }
        return tls;
    }

    private static SSLContext context(TlsOptions options) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(options.client()), trustManagers(options), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot set up TLS: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trustManagers(TlsOptions options)
            throws IOException, GeneralSecurityException {
        boolean verifies = options.mode() == TlsMode.VERIFY_CA || options.mode() == TlsMode.VERIFY_IDENTITY;
        if (!verifies) {
            return new TrustManager[] {new TrustAnyone()};
        }
        KeyStoreFile trust = options.trust();
        if (trust == null) {
            return null; // those of the JVM
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(load(trust, false));
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] keyManagers(@Nullable KeyStoreFile client)
            throws IOException, GeneralSecurityException {
        if (client == null) {
            return null; // none
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(load(client, true), client.password().toCharArray());
        return factory.getKeyManagers();
    }

    private static KeyStore load(KeyStoreFile file, boolean withKey) throws IOException {
        try {
            if (file.type().equals("PEM")) {
                return loadPem(file, withKey);
            }
            KeyStore store = KeyStore.getInstance(file.type());
            try (InputStream in = Files.newInputStream(file.path())) {
                store.load(in, file.password().toCharArray());
            }
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException("cannot read key store %s: %s".formatted(file, e), e);
        }
    }

    private static KeyStore loadPem(KeyStoreFile file, boolean withKey) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> certificates;
        try (InputStream in = Files.newInputStream(file.path())) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        if (certificates.isEmpty()) {
            throw new IOException("it holds no certificate");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (withKey) {
            PrivateKey key = privateKey(Files.readString(file.path(), StandardCharsets.ISO_8859_1));
            store.setKeyEntry("client", key, file.password().toCharArray(), certificates.toArray(Certificate[]::new));
            return store;
        }
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static PrivateKey privateKey(String pem) throws IOException, GeneralSecurityException {
        Matcher key = PRIVATE_KEY.matcher(pem);
        if (!key.find()) {
            throw new IOException("it holds no private key in PKCS #8 without a password ('BEGIN PRIVATE KEY');"
                    + " 'openssl pkcs8 -topk8 -nocrypt' makes one");
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
        InvalidKeySpecException failure = new InvalidKeySpecException("its private key is of no kind that we know");
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                failure.addSuppressed(e); // the key may be of another kind
            }
        }
        throw failure;
    }

    /** Trusts every server, as the modes ask that do not verify. */
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
