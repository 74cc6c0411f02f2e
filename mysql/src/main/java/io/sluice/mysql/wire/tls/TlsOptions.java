package io.sluice.mysql.wire.tls;

import io.sluice.protocol.tls.KeyStoreFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a connection uses TLS.
 *
 * @param protocols the versions to offer, by their Java names, such as {@code TLSv1.3}; empty for {@link
 *     #DEFAULT_PROTOCOLS}
 * @param trust the certificates to trust, for {@link TlsMode#VERIFY_CA} and {@link TlsMode#VERIFY_IDENTITY}; null for
 *     those that the JVM trusts
 * @param client the certificate and key of the client, if the account requires one ({@code REQUIRE X509}); null for none
 */
public record TlsOptions(
        TlsMode mode,
        List<String> protocols,
        @Nullable KeyStoreFile trust,
        @Nullable KeyStoreFile client) {
    /** What is offered by default. */
    public static final List<String> DEFAULT_PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");

    public TlsOptions {
        protocols = protocols.isEmpty() ? DEFAULT_PROTOCOLS : List.copyOf(protocols);
    }

    /** Default options with the given mode. */
    public static TlsOptions of(TlsMode mode) {
        return new TlsOptions(mode, DEFAULT_PROTOCOLS, null, null);
    }
}
