package io.sluice.server.config;

/** How a connection to the source is protected: {@code canal.instance.master.sslMode}. */
public enum TlsMode {
    DISABLED,
    /** TLS where the server offers it, else plain. */
    PREFERRED,
    /** TLS, without a check of the server's identity. */
    REQUIRED,
    /** TLS, and the certificate must be signed by someone we trust. */
    VERIFY_CA,
    /** As {@link #VERIFY_CA}, and it must be made out to the host we called. */
    VERIFY_IDENTITY
}
