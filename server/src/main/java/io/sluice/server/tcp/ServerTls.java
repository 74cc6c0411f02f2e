package io.sluice.server.tcp;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.config.TlsConfig.KeyStoreFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Reads the keys with which the port is protected. */
final class ServerTls {
    private ServerTls() {}

    /**
     * Reads them.
     *
     * @throws IOException if a store cannot be read; it says which
     */
    static SslContext context(TcpConfig.Tls tls) throws IOException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(tls.key()), tls.key().password().value().toCharArray());
            SslContextBuilder builder = SslContextBuilder.forServer(keys)
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
                trust.init(load(tls.trust().get()));
                builder.trustManager(trust);
            }
            return builder.build();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS of the client port cannot be set up (canal.tcp.tls.*): " + e.getMessage(), e);
        }
    }

    private static KeyStore load(KeyStoreFile file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(file.type());
        try (InputStream in = new URL(file.url()).openStream()) {
            store.load(in, file.password().value().toCharArray());
        } catch (IOException e) {
            throw new IOException(
                    "the key store of the client port cannot be read: %s: %s".formatted(file.url(), e.getMessage()), e);
        }
        return store;
    }
}
