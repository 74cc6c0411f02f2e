package io.sluice.parse.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Cipher;

/** Encrypts a password under the public RSA key that a server sends. */
final class RsaPassword {
    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    private RsaPassword() {}

    /**
     * The password and a NUL, XOR the challenge, under the key with OAEP padding.
     *
     * @param pem the key as the server sends it, in PEM
     * @throws MalformedPacketException if that is no RSA key, or one too short for the password
     */
    static byte[] encrypt(byte[] password, byte[] challenge, byte[] pem) throws MalformedPacketException {
        byte[] masked = Scramble.xor(AuthPlugin.withNul(password), challenge);
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, publicKey(pem));
            return cipher.doFinal(masked);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The cause is left out, as a cipher's message could tell of the password's length.
            throw new MalformedPacketException(
                    "server's public key is no RSA key in PEM, or too short for the password; TLS needs no such key");
        }
    }

    private static PublicKey publicKey(byte[] pem) throws GeneralSecurityException {
        String text = new String(pem, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin + BEGIN.length()) {
            throw new IllegalArgumentException("not PEM");
        }
        byte[] der = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
    }
}
