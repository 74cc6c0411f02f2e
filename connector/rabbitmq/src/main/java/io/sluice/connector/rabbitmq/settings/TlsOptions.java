package io.sluice.connector.rabbitmq.settings;

import io.sluice.connector.api.producer.ProducerOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStores;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to the broker uses TLS.
 *
 * @param truststore the certificates that are trusted; null for those that the JVM trusts
 * @param keystore the certificate of this client with its key; null if the broker does not ask for it
 * @param verifiesHost whether the broker's certificate must name the host that is connected to
 */
public record TlsOptions(
        @Nullable KeyStoreFile truststore, @Nullable KeyStoreFile keystore, boolean verifiesHost) {
    static final String TRUSTSTORE = "rabbitmq.tls.truststore";
    static final String TRUSTSTORE_PASSWORD = TRUSTSTORE + ".password";
    static final String KEYSTORE = "rabbitmq.tls.keystore";
    static final String KEYSTORE_PASSWORD = KEYSTORE + ".password";
    static final String VERIFY_HOST = "rabbitmq.tls.verify.hostname";

    /** The keys that name files. */
    public static final List<String> FILES = List.of(KEYSTORE, TRUSTSTORE);

    /** Reads the keys below {@code rabbitmq.tls.}, and tries the files. */
    static TlsOptions read(ProducerOptions options) {
        TlsOptions tls = new TlsOptions(
                store(options, TRUSTSTORE, TRUSTSTORE_PASSWORD),
                store(options, KEYSTORE, KEYSTORE_PASSWORD),
                options.flag(VERIFY_HOST, true));
        tls.reportProblems(options);
        return tls;
    }

    private static @Nullable KeyStoreFile store(ProducerOptions options, String key, String passwordKey) {
        Path file = options.file(key);
        String password = options.text(passwordKey);
        return file == null ? null : KeyStoreFile.of(file, password);
    }

    private void reportProblems(ProducerOptions options) {
        TrustManagerFactory trusted;
        try {
            trusted = trusted();
        } catch (IOException e) {
            options.problem(TRUSTSTORE, String.valueOf(e.getMessage()));
            return;
        }
        try {
            SSLContext unused = context(trusted);
        } catch (IOException | GeneralSecurityException e) {
            options.problem(KEYSTORE, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads the files, which may have changed since they were tried.
     *
     * @throws IOException if they cannot be used
     */
    SSLContext context() throws IOException {
        try {
            return context(trusted());
        } catch (GeneralSecurityException e) {
            throw new IOException("the key stores of rabbitmq.tls.* cannot be used: " + e.getMessage(), e);
        }
    }

    private @Nullable TrustManagerFactory trusted() throws IOException {
        return truststore == null ? null : KeyStores.trusted(truststore);
    }

    private SSLContext context(@Nullable TrustManagerFactory trusted) throws IOException, GeneralSecurityException {
        KeyManagerFactory own = keystore == null ? null : KeyStores.own(keystore);
        return KeyStores.context(own, trusted);
    }
}
