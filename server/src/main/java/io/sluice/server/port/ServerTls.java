package io.sluice.server.port;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.protocol.tls.KeyStores;
import io.sluice.server.config.port.PortTls;
import java.io.IOException;
import java.time.Instant;

/** Makes the TLS context of a listening port. */
public final class ServerTls {
    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        rejectRenegotiation();
    }

    private ServerTls() {}

    /**
     * Has ports end a connection whose client begins another handshake, which TLS 1.2 allows as often as it likes. Applies to the process if
     * it is called before TLS is first used there, and unless the operator has set Java's property.
     */
    public static void rejectRenegotiation() {
        if (System.getProperty(REJECT_RENEGOTIATION) == null) {
            System.setProperty(REJECT_RENEGOTIATION, "true");
        }
    }

    /**
     * Reads the port's key stores.
     *
     * @param keys how the names of the configuration's keys begin, for messages
     * @param at when the certificates have to be valid, as {@link KeyStores#own(io.sluice.protocol.tls.KeyStoreFile, Instant)} has it
     * @throws IOException if a store cannot be read; it states which
     */
    public static SslContext context(PortTls tls, String keys, Instant at) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(KeyStores.own(tls.key(), at))
                    .sslProvider(SslProvider.JDK)
                    .protocols(tls.versions())
                    .clientAuth(
                            switch (tls.clientAuth()) {
                                case NONE -> ClientAuth.NONE;
                                case WANT -> ClientAuth.OPTIONAL;
                                case NEED -> ClientAuth.REQUIRE;
                            });
            if (tls.trust().isPresent()) {
                builder.trustManager(KeyStores.trusted(tls.trust().get()));
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("TLS of a port cannot be set up (%s*): %s".formatted(keys, e.getMessage()), e);
        }
    }
}
