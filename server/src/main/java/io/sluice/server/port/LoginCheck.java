package io.sluice.server.port;

import com.google.protobuf.ByteString;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.text.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Authenticates the clients of a port in constant time. Thread-safe. */
public final class LoginCheck {
    private final byte[] user;
    private final String storedPassword;

    /**
     * Makes the check of a port.
     *
     * @param user the user name that clients must send; blank accepts any name
     * @param storedPassword the hexadecimal SHA1(SHA1(password)); blank requires no password
     */
    public LoginCheck(String user, Secret storedPassword) {
        this.user = user.getBytes(StandardCharsets.UTF_8);
        this.storedPassword = storedPassword.value();
    }

    /**
     * Whether a client has shown the name and the password that are asked for, if any are.
     *
     * @param username as it was received
     * @param token as it was received: the hexadecimal text of what {@link Scramble#token} makes
     * @param seed what the client was sent for its token
     */
    public boolean accepts(String username, ByteString token, byte[] seed) {
        byte[] name = username.getBytes(StandardCharsets.UTF_8);
        boolean isNameRight = MessageDigest.isEqual(user, name) || user.length == 0;
        // Checked even if the name is wrong, so that the time reveals nothing.
        boolean isPasswordRight = storedPassword.isEmpty()
                || Scramble.proves(token.toString(StandardCharsets.US_ASCII), seed, storedPassword);
        return isNameRight && isPasswordRight;
    }
}
