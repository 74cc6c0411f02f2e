package io.sluice.connector.rabbitmq;

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
 * @param context trusts the configured certificates, and presents ours
 * @param verifiesHost whether the certificate must name the host that we connect to
 */
record TlsOptions(SSLContext context, boolean verifiesHost) {
    private static final String TRUSTSTORE = "rabbitmq.tls.truststore";
    private static final String KEYSTORE = "rabbitmq.tls.keystore";

    /** The keys that name files. */
    static final List<String> FILES = List.of(KEYSTORE, TRUSTSTORE);

    /** Reads the keys below {@code rabbitmq.tls.}; null if there are problems with them. */
    static @Nullable TlsOptions read(ProducerOptions options) {
        KeyStoreFile truststore = store(options, TRUSTSTORE);
        KeyStoreFile keystore = store(options, KEYSTORE);
        boolean verifiesHost = options.flag("rabbitmq.tls.verify.hostname", true);
        TrustManagerFactory trusted;
        try {
            trusted = truststore == null ? null : KeyStores.trusted(truststore);
        } catch (IOException e) {
            options.problem(TRUSTSTORE, String.valueOf(e.getMessage()));
            return null;
        }
        try {
            KeyManagerFactory own = keystore == null ? null : KeyStores.own(keystore);
            return new TlsOptions(KeyStores.context(own, trusted), verifiesHost);
        } catch (IOException | GeneralSecurityException e) {
            options.problem(KEYSTORE, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static @Nullable KeyStoreFile store(ProducerOptions options, String key) {
        Path file = options.file(key);
        String password = options.text(key + ".password");
        return file == null ? null : KeyStoreFile.of(file, password);
    }
}
