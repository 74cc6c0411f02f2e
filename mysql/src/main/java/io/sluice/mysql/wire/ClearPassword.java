package io.sluice.mysql.wire;

/** The plugin {@code mysql_clear_password}: sends the password itself. Only for encrypted connections. */
final class ClearPassword implements AuthPlugin {
    private final byte[] password;

    ClearPassword(byte[] password) {
        this.password = password;
    }

    @Override
    public byte[] answer(byte[] challenge) {
        return AuthPlugin.withNul(password);
    }

    @Override
    public byte[] answerMore(byte[] data) throws MalformedPacketException {
        throw new MalformedPacketException("mysql_clear_password has no second round");
    }
}
