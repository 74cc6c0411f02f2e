package io.sluice.server.port;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.server.config.PortTls;
import io.sluice.server.config.TlsConfig.KeyStoreFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Reads the keys with which a port is protected. */
public final class ServerTls {
    private ServerTls() {}

    /**
     * Reads them.
     *
     * @param keys how the names of the configuration's keys begin, for messages
     * @throws IOException if a store cannot be read; it says which
     */
    public static SslContext context(PortTls tls, String keys) throws IOException {
        try {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(load(tls.key(), keys), tls.key().password().value().toCharArray());
            SslContextBuilder builder = SslContextBuilder.forServer(own)
                    .sslProvider(SslProvider.JDK)
                    .protocols(tls.versions())
                    .clientAuth(
                            switch (tls.clientAuth()) {
                                case NONE -> ClientAuth.NONE;
                                case WANT -> ClientAuth.OPTIONAL;
                                case NEED -> ClientAuth.REQUIRE;
                            });
            if (tls.trust().isPresent()) {
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(load(tls.trust().get(), keys));
                builder.trustManager(trust);
            }
            return builder.build();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS of a port cannot be set up (%s*): %s".formatted(keys, e.getMessage()), e);
        }
    }

    private static KeyStore load(KeyStoreFile file, String keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(file.type());
        try (InputStream in = new URL(file.url()).openStream()) {
            store.load(in, file.password().value().toCharArray());
        } catch (IOException e) {
            throw new IOException(
                    "a key store of a port cannot be read (%s*): %s: %s".formatted(keys, file.url(), e.getMessage()),
                    e);
        }
        return store;
    }
}
