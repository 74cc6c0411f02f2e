package io.sluice.protocol.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * How a client proves that it knows a password without sending it, in the way of MySQL 4.1.
 *
 * <pre>
 *   stored = SHA1(SHA1(password))
 *   token  = SHA1(seed ‖ stored) XOR SHA1(password)
 * </pre>
 *
 * <p>The server keeps only {@code stored}; both travel and are in files as hexadecimal text. SHA-1 is what the protocol
 * requires, not what is considered safe: an eavesdropper can try passwords against a token, so protect the port by TLS.
 */
public final class Scramble {
    /** Bytes of a seed as the server sends it. */
    public static final int SEED_BYTES = 8;

    private static final int DIGEST_BYTES = 20;

    private Scramble() {}

    /** What is kept of a password: 40 lower-case hexadecimal digits. */
    public static String stored(String password) {
        return HexFormat.of().formatHex(sha1(sha1(password.getBytes(StandardCharsets.UTF_8))));
    }

    /** What a client sends: 40 lower-case hexadecimal digits. */
    public static String token(String password, byte[] seed) {
        byte[] once = sha1(password.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(xor(sha1(seed, sha1(once)), once));
    }

    /** Whether a text can be what is kept of a password: 40 hexadecimal digits. */
    public static boolean isStored(String text) {
        return digest(text) != null;
    }

    /**
     * Verifies in constant time that a token was made from the password of {@code stored}.
     *
     * @param token as it was received; anything that is no token proves nothing
     * @throws IllegalArgumentException if {@code stored} is not what {@link #stored} makes
     */
    public static boolean proves(String token, byte[] seed, String stored) {
        byte[] kept = digest(stored);
        if (kept == null) {
            throw new IllegalArgumentException("a stored password has 40 hexadecimal digits");
        }
        byte[] sent = digest(token);
        byte[] candidate = xor(sent == null ? new byte[DIGEST_BYTES] : sent, sha1(seed, kept));
        boolean isRight = MessageDigest.isEqual(sha1(candidate), kept);
        return isRight && sent != null;
    }

    private static byte @Nullable [] digest(String text) {
        if (text.length() != 2 * DIGEST_BYTES) {
            return null;
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] xor(byte[] one, byte[] other) {
        byte[] result = new byte[DIGEST_BYTES];
        for (int i = 0; i < DIGEST_BYTES; i++) {
            result[i] = (byte) (one[i] ^ other[i]);
        }
        return result;
    }

    private static byte[] sha1(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has SHA-1", e);
        }
    }
}
