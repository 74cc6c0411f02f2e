package io.sluice.server.tcp;

import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.TcpConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Authenticates clients in constant time. */
final class Login {
    private final byte[] user;
    private final String storedPassword;

    Login(TcpConfig config) {
        this.user = config.user().getBytes(StandardCharsets.UTF_8);
        this.storedPassword = config.storedPassword().value();
    }

    /** Whether a client has shown the name and the password that are asked for, if any are. */
    boolean accepts(ClientAuth client, byte[] seed) {
        byte[] name = client.getUsername().getBytes(StandardCharsets.UTF_8);
        boolean isNameRight = MessageDigest.isEqual(user, name) || user.length == 0;
        // Looked at even if the name is wrong, so that the time does not tell.
        boolean isPasswordRight = storedPassword.isEmpty()
                || Scramble.proves(client.getPassword().toString(StandardCharsets.US_ASCII), seed, storedPassword);
        return isNameRight && isPasswordRight;
    }
}
