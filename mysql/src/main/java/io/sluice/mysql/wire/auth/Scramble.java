package io.sluice.mysql.wire.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes the responses to a challenge that prove the password without disclosing it. The password is not empty. */
final class Scramble {
    private Scramble() {}

    /** {@code SHA1(password) XOR SHA1(challenge + SHA1(SHA1(password)))}, of {@code mysql_native_password}. */
    static byte[] sha1(byte[] password, byte[] challenge) {
        MessageDigest digest = digest("SHA-1");
        byte[] once = digest.digest(password);
        byte[] twice = digest.digest(once);
        digest.update(challenge);
        return xor(once, digest.digest(twice));
    }

    /** {@code SHA256(password) XOR SHA256(SHA256(SHA256(password)) + challenge)}, of {@code caching_sha2_password}. */
    static byte[] sha256(byte[] password, byte[] challenge) {
        MessageDigest digest = digest("SHA-256");
        byte[] once = digest.digest(password);
        byte[] twice = digest.digest(once);
        digest.update(twice);
        return xor(once, digest.digest(challenge));
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
