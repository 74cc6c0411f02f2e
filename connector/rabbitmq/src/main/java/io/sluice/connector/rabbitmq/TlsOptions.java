package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.ProducerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whom we trust, and as whom we show ourselves.
 *
 * @param context for TLS connections
 * @param verifiesHost whether the certificate must name the host that we connect to
 */
record TlsOptions(SSLContext context, boolean verifiesHost) {
    private static final String TRUSTSTORE = "rabbitmq.tls.truststore";
    private static final String KEYSTORE = "rabbitmq.tls.keystore";
    private static final String PEM = "-----BEGIN";

    /** Reads the keys below {@code rabbitmq.tls.}; null if there are problems with them. */
    static @Nullable TlsOptions read(ProducerOptions options) {
        Path truststore = options.file(TRUSTSTORE);
        String trustPassword = options.text(TRUSTSTORE + ".password");
        Path keystore = options.file(KEYSTORE);
        String keyPassword = options.text(KEYSTORE + ".password");
        boolean verifiesHost = options.flag("rabbitmq.tls.verify.hostname", true);
        KeyManager @Nullable [] keys = null;
        TrustManager @Nullable [] trust = null;
        try {
            if (truststore != null) {
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(load(truststore, trustPassword));
                trust = factory.getTrustManagers();
            }
        } catch (IOException | GeneralSecurityException e) {
            options.problem(TRUSTSTORE, "cannot be read with its password: " + e.getMessage());
            return null;
        }
        try {
            if (keystore != null) {
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(load(keystore, keyPassword), keyPassword.toCharArray());
                keys = factory.getKeyManagers();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return new TlsOptions(context, verifiesHost);
        } catch (IOException | GeneralSecurityException e) {
            options.problem(KEYSTORE, "cannot be read with its password: " + e.getMessage());
            return null;
        }
    }

    /** PKCS12, JKS, or the certificates of a PEM file. */
    private static KeyStore load(Path file, String password) throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(file);
        if (!new String(bytes, StandardCharsets.ISO_8859_1).contains(PEM)) {
            return KeyStore.getInstance(file.toFile(), password.toCharArray());
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int count = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
            store.setCertificateEntry("certificate-" + count++, certificate);
        }
        return store;
    }
}
