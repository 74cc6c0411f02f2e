package io.sluice.server.config.password;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Cipher;

/**
 * An RSA public key that decrypts passwords, as Alibaba Druid's {@code ConfigTools} does: they were encrypted by the private key, with
 * the padding of signatures (PKCS #1 v1.5, block type 1). That hides a password from a glance only, since both keys, or the public
 * one and the encrypted password, reveal it.
 *
 * <p>Messages of exceptions quote neither keys nor passwords.
 */
final class PasswordKey {
    private static final String OTHER_KEY =
            "was not encrypted by the private key that belongs to the public one, or with another padding than PKCS #1 v1.5, type 1";

    private final RSAPublicKey key;

    private PasswordKey(RSAPublicKey key) {
        this.key = key;
    }

    /**
     * Reads a key.
     *
     * @param text base64 of an X.509 SubjectPublicKeyInfo; white space in it does not count
     * @throws IllegalArgumentException if it is none
     */
    static PasswordKey parse(String text) {
        byte[] encoded = base64(text);
        try {
            return new PasswordKey(
                    (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "is not an RSA public key of at least 512 bits, as X.509 SubjectPublicKeyInfo", e);
        }
    }

    /** The length of the key. */
    int bits() {
        return key.getModulus().bitLength();
    }

    /**
     * Decrypts a password.
     *
     * @param text base64 of the encrypted password; white space in it does not count
     * @throws IllegalArgumentException if it was not encrypted by the private key that belongs to this one
     */
    String decrypt(String text) {
        byte[] encrypted = base64(text);
        int length = (bits() + 7) / 8;
        if (encrypted.length != length) {
            throw new IllegalArgumentException("has %d bytes, and what a key of %d bits encrypts has %d"
                    .formatted(encrypted.length, bits(), length));
        }
        if (new BigInteger(1, encrypted).compareTo(key.getModulus()) >= 0) {
            throw new IllegalArgumentException(OTHER_KEY);
        }
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
            cipher.init(Cipher.DECRYPT_MODE, key);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(cipher.doFinal(encrypted)))
                    .toString();
        } catch (GeneralSecurityException | CharacterCodingException e) {
            throw new IllegalArgumentException(OTHER_KEY, e);
        }
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not base64", e);
        }
    }
}
