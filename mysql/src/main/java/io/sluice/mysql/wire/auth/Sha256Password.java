package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.io.IOException;

/**
 * The plugin {@code sha256_password}: sends the password itself over TLS, else encrypted with the server's public key. Page <em>SHA256
 * Authentication</em> of MySQL's source code documentation.
 */
final class Sha256Password implements AuthPlugin {
    private static final byte PUBLIC_KEY_REQUEST = 1;

    private final byte[] password;
    private final PasswordSending sending;
    private byte[] challenge = new byte[0];
    private boolean keyRequested;

    Sha256Password(byte[] password, PasswordSending sending) {
        this.password = password;
        this.sending = sending;
    }

    @Override
    public byte[] answer(byte[] newChallenge) throws IOException {
        challenge = newChallenge;
        if (sending.encrypted() || password.length == 0) {
            return ClearPassword.withNul(password);
        }
        byte[] underKey = sending.underConfiguredKey(password, challenge);
        if (underKey != null) {
            return underKey;
        }
        sending.requireKeyRetrieval("sha256_password");
        keyRequested = true;
        return new byte[] {PUBLIC_KEY_REQUEST};
    }

    @Override
    public byte[] answerMore(byte[] data) throws IOException {
        if (!keyRequested) {
            throw new MalformedPacketException("sha256_password was sent a public key that it did not ask for");
        }
        keyRequested = false;
        return RsaPassword.encrypt(password, challenge, data);
    }
}
