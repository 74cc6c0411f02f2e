package io.sluice.server.config;

import java.util.List;
import java.util.Optional;

/** How to protect the connection to a source; no store means the JVM's own. */
public record TlsConfig(
        TlsMode mode, List<String> versions, Optional<KeyStoreFile> trust, Optional<KeyStoreFile> client) {
    public TlsConfig {
        versions = List.copyOf(versions);
    }

    /** A key store to be loaded from a URL. */
    public record KeyStoreFile(String type, String url, Secret password) {}
}
