package io.sluice.mysql.wire;

/** How much TLS a connection needs; the words are those of MySQL's {@code --ssl-mode}. */
public enum TlsMode {
    /** Never TLS. */
    DISABLED,
    /** TLS without any check of the server if it offers TLS, else plain. A failing TLS handshake is an error. */
    PREFERRED,
    /** TLS without any check of the server, whatever trust store is given: safe from listeners, not from impostors. */
    REQUIRED,
    /** TLS, and the server's certificate leads to a trusted one; its host name is not looked at. */
    VERIFY_CA,
    /** As {@link #VERIFY_CA}, and the certificate names the host (or the IP address) that we connect to. */
    VERIFY_IDENTITY
}
