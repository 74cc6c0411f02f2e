package io.sluice.mysql.wire.auth;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the responses to a challenge that prove the password without disclosing it. The password is not empty. An empty challenge is
 * rejected with {@link MalformedPacketException}: the response to it would be the same at each login.
 */
final class Scramble {
    private Scramble() {}

    /** {@code SHA1(password) XOR SHA1(challenge + SHA1(SHA1(password)))}, of {@code mysql_native_password}. */
    static byte[] sha1(byte[] password, byte[] challenge) throws MalformedPacketException {
        MessageDigest digest = digest("SHA-1");
        byte[] once = digest.digest(password);
        byte[] twice = digest.digest(once);
        digest.update(required(challenge));
        return xor(once, digest.digest(twice));
    }

    /** {@code SHA256(password) XOR SHA256(SHA256(SHA256(password)) + challenge)}, of {@code caching_sha2_password}. */
    static byte[] sha256(byte[] password, byte[] challenge) throws MalformedPacketException {
        MessageDigest digest = digest("SHA-256");
        byte[] once = digest.digest(password);
        byte[] twice = digest.digest(once);
        digest.update(twice);
        return xor(once, digest.digest(required(challenge)));
    }

    /** The password and a NUL under the challenge, as a public key encrypts it. */
    static byte[] masked(byte[] password, byte[] challenge) throws MalformedPacketException {
        return xor(ClearPassword.withNul(password), required(challenge));
    }

    private static byte[] required(byte[] challenge) throws MalformedPacketException {
        if (challenge.length == 0) {
            throw new MalformedPacketException("server's challenge is empty");
        }
        return challenge;
    }

    /** Each byte of {@code text} XOR the byte of {@code key} at its place, over and over. The key is not empty. */
    static byte[] xor(byte[] text, byte[] key) {
        byte[] result = new byte[text.length];
        for (int i = 0; i < text.length; i++) {
            result[i] = (byte) (text[i] ^ key[i % key.length]);
        }
        return result;
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has " + algorithm, e);
        }
    }
}
