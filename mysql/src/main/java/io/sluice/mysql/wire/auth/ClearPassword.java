package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.util.Arrays;

/** The plugin {@code mysql_clear_password}: sends the password itself. Only for encrypted connections. */
final class ClearPassword implements AuthPlugin {
    private final byte[] password;

    ClearPassword(byte[] password) {
        this.password = password;
    }

    @Override
    public byte[] answer(byte[] challenge) {
        return withNul(password);
    }

    @Override
    public byte[] answerMore(byte[] data) throws MalformedPacketException {
        throw new MalformedPacketException("mysql_clear_password has no second round");
    }

    /** The password and a NUL, as it goes through an encrypted connection. */
    static byte[] withNul(byte[] password) {
        return Arrays.copyOf(password, password.length + 1);
    }
}
