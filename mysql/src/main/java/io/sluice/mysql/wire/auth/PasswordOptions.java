package io.sluice.mysql.wire.auth;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a password is protected on a connection without TLS. Traffic of a loopback address leaves no machine, so that only
 * {@code enableCleartextPlugin} matters there.
 *
 * @param allowPublicKeyRetrieval whether the password may be encrypted by a public key that the server sends over a plain
 *     connection; an attacker between both can replace that key by another, and read the password
 * @param serverPublicKey a PEM file with the server's public key, which is used instead of the one that the server sends;
 *     null for none
 * @param enableCleartextPlugin whether the password may be sent as it is ({@code mysql_clear_password}), over TLS or to a
 *     loopback address; the server then sees it, whatever server that is
 */
public record PasswordOptions(
        boolean allowPublicKeyRetrieval, @Nullable Path serverPublicKey, boolean enableCleartextPlugin) {
    /** No exceptions. */
    public static final PasswordOptions STRICT = new PasswordOptions(false, null, false);
}
