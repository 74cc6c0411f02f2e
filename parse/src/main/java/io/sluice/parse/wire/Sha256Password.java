package io.sluice.parse.wire;

import java.io.IOException;

/**
 * {@code sha256_password}: the password itself when encrypted, else under the server's public key. Page <em>SHA256
 * Authentication</em> of MySQL's source code documentation.
 */
final class Sha256Password implements AuthPlugin {
    private static final byte PUBLIC_KEY_REQUEST = 1;

    private final byte[] password;
    private final boolean encrypted;
    private byte[] challenge = new byte[0];

    Sha256Password(byte[] password, boolean encrypted) {
        this.password = password;
        this.encrypted = encrypted;
    }

    @Override
    public byte[] answer(byte[] newChallenge) {
        challenge = newChallenge;
        return encrypted || password.length == 0 ? AuthPlugin.withNul(password) : new byte[] {PUBLIC_KEY_REQUEST};
    }

    @Override
    public byte[] answerMore(byte[] data) throws IOException {
        return RsaPassword.encrypt(password, challenge, data);
    }
}
