package io.sluice.mysql.wire.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;

class ScrambleTest {
    private static final byte[] PASSWORD = "p\u00e4ssword".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CHALLENGE = HexFormat.of().parseHex("0102030405060708090a0b0c0d0e0f1011121314");

    // The two vectors were computed with another implementation of SHA-1 and SHA-256.

    @Test
    void scramblesForNativePassword() throws Exception {
        assertThat(Scramble.sha1(PASSWORD, CHALLENGE))
                .asHexString()
                .isEqualToIgnoringCase("4c47202d6acac2c4391bf963121d3734d9885183");
    }

    @Test
    void scramblesForCachingSha2Password() throws Exception {
        assertThat(Scramble.sha256(PASSWORD, CHALLENGE))
                .asHexString()
                .isEqualToIgnoringCase("8d5d2626bc5659d3928b225540de0f42343166209c7bc80438c5b05961466774");
    }

    @Test
    void encryptsThePasswordXorTheChallenge() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();

        byte[] encrypted = RsaPassword.encrypt(PASSWORD, CHALLENGE, pem(keys));

        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
        cipher.init(Cipher.DECRYPT_MODE, keys.getPrivate());
        byte[] passwordAndNul = Scramble.xor(cipher.doFinal(encrypted), CHALLENGE);
        assertThat(passwordAndNul).isEqualTo(ClearPassword.withNul(PASSWORD));
    }

    @Test
    void rejectsWhatIsNoKey() {
        byte[] noKey =
                "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".getBytes(StandardCharsets.US_ASCII);

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> RsaPassword.encrypt(PASSWORD, CHALLENGE, noKey));
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> RsaPassword.encrypt(PASSWORD, CHALLENGE, new byte[0]));
    }

    private static byte[] pem(KeyPair keys) {
        String base64 = Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded());
        return ("-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
