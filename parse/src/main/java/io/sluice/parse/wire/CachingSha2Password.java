package io.sluice.parse.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * {@code caching_sha2_password}. Page <em>Caching_sha2_password information</em> of MySQL's source code documentation.
 *
 * <p>If the server has the account in its cache, a scramble is enough. Else it asks for the password itself, which goes
 * as it is when encrypted, and under the server's public RSA key when not. That key comes over the same connection: it
 * keeps the password from those who listen, not from one who can replace what we receive. TLS does both.
 */
final class CachingSha2Password implements AuthPlugin {
    private static final byte PUBLIC_KEY_REQUEST = 2;
    private static final byte FAST_LOGIN_DONE = 3;
    private static final byte FULL_LOGIN_NEEDED = 4;

    private final byte[] password;
    private final boolean encrypted;
    private byte[] challenge = new byte[0];
    private boolean keyRequested;

    CachingSha2Password(byte[] password, boolean encrypted) {
        this.password = password;
        this.encrypted = encrypted;
    }

    @Override
    public byte[] answer(byte[] newChallenge) {
        challenge = newChallenge;
        return password.length == 0 ? new byte[0] : Scramble.sha256(password, challenge);
    }

    @Override
    public byte @Nullable [] answerMore(byte[] data) throws IOException {
        if (keyRequested) {
            keyRequested = false;
            return RsaPassword.encrypt(password, challenge, data);
        }
        byte state = data.length == 1 ? data[0] : 0;
        switch (state) {
            case FAST_LOGIN_DONE -> {
                return null;
            }
            case FULL_LOGIN_NEEDED -> {
                if (encrypted) {
                    return AuthPlugin.withNul(password);
                }
                keyRequested = true;
                return new byte[] {PUBLIC_KEY_REQUEST};
            }
            default ->
                throw new MalformedPacketException(
                        "caching_sha2_password does not know the server's answer of %d bytes".formatted(data.length));
        }
    }
}
