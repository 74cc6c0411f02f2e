package io.sluice.server.config.port;

import io.sluice.protocol.tls.KeyStoreFile;
import java.util.List;
import java.util.Optional;

/**
 * How a port is protected.
 *
 * @param key the server's key and certificates
 * @param trust whose certificates of clients are accepted; empty for those that the JVM trusts
 * @param clientAuth whether clients show one
 * @param versions of the protocol
 */
public record PortTls(KeyStoreFile key, Optional<KeyStoreFile> trust, ClientAuth clientAuth, List<String> versions) {
    public PortTls {
        versions = List.copyOf(versions);
    }

    /** Whether clients show a certificate. */
    public enum ClientAuth {
        NONE,
        WANT,
        NEED
    }
}
