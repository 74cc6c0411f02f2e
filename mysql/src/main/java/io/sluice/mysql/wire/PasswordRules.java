package io.sluice.mysql.wire;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is done to protect a password where TLS does not. On a loopback address no other machine is on the line, so that only the
 * rule for the clear password counts there.
 *
 * @param allowPublicKeyRetrieval whether the password may be encrypted by a public key that the server sends over a plain
 *     connection; an attacker between both can replace that key by another, and read the password
 * @param serverPublicKey a PEM file with the server's public key, which is used instead of the one that the server sends;
 *     null for none
 * @param enableCleartextPlugin whether the password may be sent as it is ({@code mysql_clear_password}), over TLS or to a
 *     loopback address; the server then sees it, whatever server that is
 */
public record PasswordRules(
        boolean allowPublicKeyRetrieval, @Nullable Path serverPublicKey, boolean enableCleartextPlugin) {
    /** No exceptions. */
    public static final PasswordRules STRICT = new PasswordRules(false, null, false);
}
