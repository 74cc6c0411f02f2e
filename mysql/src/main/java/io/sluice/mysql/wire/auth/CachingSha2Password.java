package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The plugin {@code caching_sha2_password}. Page <em>Caching_sha2_password information</em> of MySQL's source code documentation.
 *
 * <p>If the server has the account in its cache, a scramble is enough. Else it asks for the password itself, which goes
 * as it is when encrypted, and under the server's public RSA key when not. If that key comes over the same connection, it
 * protects the password from passive listening only: an active attacker can replace the key. {@link PasswordSending} decides
 * whether it is used.
 */
final class CachingSha2Password implements AuthPlugin {
    private static final byte PUBLIC_KEY_REQUEST = 2;
    private static final byte FAST_LOGIN_DONE = 3;
    private static final byte FULL_LOGIN_NEEDED = 4;

    private final byte[] password;
    private final PasswordSending sending;
    private byte[] challenge = new byte[0];
    private boolean keyRequested;
    private boolean fast;

    CachingSha2Password(byte[] password, PasswordSending sending) {
        this.password = password;
        this.sending = sending;
    }

    @Override
    public boolean dependsOnCache() {
        return fast && !sending.allowsFullLogin();
    }

    @Override
    public byte[] answer(byte[] newChallenge) throws MalformedPacketException {
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
                fast = true;
                return null;
            }
            case FULL_LOGIN_NEEDED -> {
                if (sending.encrypted()) {
                    return ClearPassword.withNul(password);
                }
                byte[] underKey = sending.underConfiguredKey(password, challenge);
                if (underKey != null) {
                    return underKey;
                }
                sending.requireKeyRetrieval("caching_sha2_password");
                keyRequested = true;
                return new byte[] {PUBLIC_KEY_REQUEST};
            }
            default ->
                throw new MalformedPacketException(
                        "caching_sha2_password does not know the server's answer of %d bytes".formatted(data.length));
        }
    }
}
