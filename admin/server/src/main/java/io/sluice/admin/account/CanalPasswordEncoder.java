package io.sluice.admin.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Compares passwords with hashes as canal-admin stores them: hex of SHA-1 of SHA-1, without a salt. It makes none. */
final class CanalPasswordEncoder implements PasswordEncoder {
    /** canal-admin creates its first user with this password. */
    static final String DEFAULT_PASSWORD = "123456";

    @Override
    public @Nullable String encode(@Nullable CharSequence password) {
        throw new UnsupportedOperationException("no password is stored so");
    }

    @Override
    public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
        return password != null
                && hash != null
                && MessageDigest.isEqual(
                        hashOf(password.toString()).getBytes(StandardCharsets.US_ASCII),
                        normalized(hash).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean upgradeEncoding(@Nullable String hash) {
        return true;
    }

    private static String normalized(String hash) {
        String lower = hash.strip().toLowerCase(Locale.ROOT);
        return lower.startsWith("*") ? lower.substring(1) : lower;
    }

    static String hashOf(String password) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return HexFormat.of().formatHex(sha1.digest(sha1.digest(password.getBytes(StandardCharsets.UTF_8))));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
