package io.sluice.testkit.pulsar;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens for a broker that requires them: JSON web tokens with one secret key, which is no secret. */
public final class PulsarTokens {
    /** The role that may do everything. */
    public static final String SUPERUSER = "admin";

    private static final String HEADER = "{\"alg\":\"HS256\"}";

    private final byte[] key;

    /** Tokens of the key that {@code seed} is filled up to; another seed gives tokens that this key's broker rejects. */
    public PulsarTokens(String seed) {
        this.key = (seed + "0123456789abcdef0123456789abcdef").getBytes(StandardCharsets.US_ASCII);
    }

    /** The token of a role, valid for ever. */
    public String token(String role) {
        String unsigned = encode(HEADER) + "." + encode("{\"sub\":\"" + role + "\"}");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return unsigned + "." + encode(mac.doFinal(unsigned.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As the broker's setting {@code tokenSecretKey} takes it. */
    String secretKey() {
        return "data:;base64," + Base64.getEncoder().encodeToString(key);
    }

    private static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
