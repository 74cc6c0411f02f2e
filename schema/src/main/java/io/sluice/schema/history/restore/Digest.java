package io.sluice.schema.history.restore;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first half of the SHA-256 of some texts, as a compact key in memory. */
record Digest(long high, long low) {
    /** The digest of texts; ("a", "bc") has another one than ("ab", "c"). */
    static Digest of(String... texts) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        ByteBuffer sum = ByteBuffer.wrap(digest.digest());
        return new Digest(sum.getLong(), sum.getLong());
    }
}
