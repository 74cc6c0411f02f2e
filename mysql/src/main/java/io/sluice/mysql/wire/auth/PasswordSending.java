package io.sluice.mysql.wire.auth;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides in which form a password may be sent over one connection. Never changes.
 *
 * @param encrypted whether the connection is protected by TLS
 * @param loopback whether the server's address is one of this machine
 * @param rules in which forms the configuration allows it
 */
public record PasswordSending(boolean encrypted, boolean loopback, PasswordOptions rules) {
    private static final String REMEDIES =
            "set canal.instance.master.sslMode = REQUIRED or stricter, or canal.instance.master.serverRSAPublicKeyFile to a file"
                    + " with the server's public key, or, if nothing on the line can change what is received,"
                    + " canal.instance.master.allowPublicKeyRetrieval = true; for a schema history sslMode, serverRSAPublicKeyFile and"
                    + " allowPublicKeyRetrieval are parameters of its URL";

    /** Whether a full login, in which the server learns the password, is possible. */
    public boolean allowsFullLogin() {
        return encrypted || loopback || rules.allowPublicKeyRetrieval() || rules.serverPublicKey() != null;
    }

    /**
     * The password under the server's key that was configured.
     *
     * @return null if none was
     * @throws IOException if the file cannot be used
     */
    byte @Nullable [] underConfiguredKey(byte[] password, byte[] challenge) throws IOException {
        Path file = rules.serverPublicKey();
        return file == null ? null : RsaPassword.encrypt(password, challenge, ServerPublicKey.read(file));
    }

    /** Throws unless the key may be used that the server sends over the same plain connection. */
    void requireKeyRetrieval(String plugin) throws UnprotectedPasswordException {
        if (!loopback && !rules.allowPublicKeyRetrieval()) {
            throw UnprotectedPasswordException.withRemedy(
                    ("the server asks for the password (%s) over a plain connection, encrypted by a public key that it sends itself"
                                    + " and that could have been replaced on the way, so it was not sent")
                            .formatted(plugin),
                    REMEDIES);
        }
    }

    /** Throws unless the password may be sent as it is. */
    void requireCleartext() throws UnprotectedPasswordException {
        if (!rules.enableCleartextPlugin()) {
            throw UnprotectedPasswordException.withRemedy(
                    "the server asks for the password in clear text (mysql_clear_password), which"
                            + " is not enabled, so it was not sent",
                    "set canal.instance.master.enableCleartextPlugin = true if the account needs it, and"
                            + " canal.instance.master.sslMode = VERIFY_CA or VERIFY_IDENTITY so that no other server gets it");
        }
        if (!encrypted && !loopback) {
            throw UnprotectedPasswordException.withRemedy(
                    "the server asks for the password in clear text (mysql_clear_password), which"
                            + " is never sent over a plain connection to another machine",
                    "set canal.instance.master.sslMode = REQUIRED or stricter");
        }
    }
}
