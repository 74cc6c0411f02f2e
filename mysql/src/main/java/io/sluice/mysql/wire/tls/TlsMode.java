package io.sluice.mysql.wire.tls;

/** The required level of TLS, named as in MySQL's {@code --ssl-mode}. */
public enum TlsMode {
    /** Never TLS. */
    DISABLED,
    /** TLS without verification of the server if it offers TLS, else plain. A failing TLS handshake is an error. */
    PREFERRED,
    /** TLS without verification of the server, also if there is a trust store: safe from eavesdropping, not from impersonation. */
    REQUIRED,
    /** TLS, and the server's certificate leads to a trusted one; its host name is not looked at. */
    VERIFY_CA,
    /** As {@link #VERIFY_CA}, and the certificate names the host (or the IP address) that we connect to. */
    VERIFY_IDENTITY
}
