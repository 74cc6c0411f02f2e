package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;

/**
 * The plugin {@code mysql_native_password}: one answer, {@code SHA1(password) XOR SHA1(challenge + SHA1(SHA1(password)))}. Page
 * <em>Native Authentication</em> of MySQL's source code documentation.
 */
final class NativePassword implements AuthPlugin {
    private final byte[] password;

    NativePassword(byte[] password) {
        this.password = password;
    }

    @Override
    public byte[] answer(byte[] challenge) throws MalformedPacketException {
        return password.length == 0 ? new byte[0] : Scramble.sha1(password, challenge);
    }

    @Override
    public byte[] answerMore(byte[] data) throws MalformedPacketException {
        throw new MalformedPacketException("mysql_native_password has no second round");
    }
}
