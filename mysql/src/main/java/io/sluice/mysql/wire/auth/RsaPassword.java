package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import javax.crypto.Cipher;

/** Encrypts a password under the public RSA key of a server. */
final class RsaPassword {
    private RsaPassword() {}

    /**
     * The password and a NUL, XOR the challenge, under the key with OAEP padding.
     *
     * @param pem the key as the server sends it, in PEM
     * @throws MalformedPacketException if that is no RSA key, or one too short for the password
     */
    static byte[] encrypt(byte[] password, byte[] challenge, byte[] pem) throws MalformedPacketException {
        try {
            return encrypt(password, challenge, ServerPublicKey.parse(pem));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable();
        }
    }

    /** Encrypts the password with a key that was parsed. */
    static byte[] encrypt(byte[] password, byte[] challenge, PublicKey key) throws MalformedPacketException {
        byte[] masked = Scramble.masked(password, challenge);
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
            return cipher.doFinal(masked);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable();
        }
    }

    /** The cause is left out, as a cipher's message could tell of the password's length. */
    private static MalformedPacketException unusable() {
        return new MalformedPacketException(
                "server's public key is no RSA key in PEM, or too short for the password; TLS needs no such key");
    }
}
