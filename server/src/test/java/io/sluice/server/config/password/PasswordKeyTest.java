package io.sluice.server.config.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordKeyTest {
    /** Made by OpenSSL 3.0: {@code openssl genrsa 512}, {@code openssl rsa -pubout -outform DER | base64}. */
    private static final String PUBLIC_512 =
            "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAO113PX474xdj+aX9GfDcGgMILi8IfE3khoot1BO6w3r"
                    + "IUYw7SWf1B3IQb8LGj/cCQVi6nMRjYLcUUOJAyd7q9ECAwEAAQ==";

    /** {@code openssl pkeyutl -sign -inkey key.pem -pkeyopt rsa_padding_mode:pkcs1 | base64}. */
    private static final String ENCRYPTED_512 =
            "zWDashn+DAcM/wBDuRPUuV+OOvgRC4LldkGE2kYKGtIhauNPLLE+ZSIBjxbNrPuHOAvpClGw4TWYmvMzExRfsA==";

    private static final String PUBLIC_1024 =
            "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDJMwZBN8y8Ip4oRJkFdXttiRgLYLXT1ArnTtEuaH0T"
                    + "PkGIVwcsd55i4Zzf1okLORomkWl3awqvG0VmpUGOSYZjSyQTuTJvtL8u1XRuIVvRkjGKK34kKSQqpOIO2KksY31hvkJX4sGC88F9EyiQ/RVVCmS3"
                    + "VIleYYpMKepqe4BGAQIDAQAB";

    private static final String ENCRYPTED_1024 =
            "BLbVqlYnCPXnNGYgIYjY90KA6foEc6PWUcDGOaAz/wtW/FbsSZmUQldb+X10D9aYywhxEOYivDQqJZuygi+cNj8cVbTYMlajSKfSLiSVmuMu"
                    + "aD5ob0KbiNPCCmx9JEAARMhL8cseeLDgVGMVdjFPOqXJeSihn8UD4XFKR24B9GY=";

    private static final String PLAIN = "Gr\u00fc\u00dfe, 42!";

    @Test
    void decryptsWhatOpenSslEncrypted() {
        assertThat(PasswordKey.parse(PUBLIC_512).decrypt(ENCRYPTED_512)).isEqualTo(PLAIN);
        assertThat(PasswordKey.parse(PUBLIC_1024).decrypt(ENCRYPTED_1024)).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1024, 2048})
    void decryptsPasswordsUpToTheSizeOfTheKey(int bits) throws Exception {
        KeyPair pair = pair(bits);
        PasswordKey key = PasswordKey.parse(text(pair.getPublic().getEncoded()));
        assertThat(key.bits()).isEqualTo(bits);
        for (String password : new String[] {"", "a", PLAIN, "x".repeat(bits / 8 - 11)}) {
            assertThat(key.decrypt(encrypted(pair, password.getBytes(StandardCharsets.UTF_8))))
                    .isEqualTo(password);
        }
    }

    @Test
    void whiteSpaceInTheTextsDoesNotCount() {
        String lines = PUBLIC_1024.replaceAll(".{64}", "$0\n") + "\n";
        assertThat(PasswordKey.parse(lines).decrypt(" " + ENCRYPTED_1024.replaceAll(".{76}", "$0\r\n")))
                .isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "retl", "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAO113PX4"})
    void whatIsNoPublicKeyIsRejected(String text) {
        assertThatThrownBy(() -> PasswordKey.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is not an RSA public key of at least 512 bits, as X.509 SubjectPublicKeyInfo");
    }

    @Test
    void aPublicKeyOfAnotherAlgorithmIsRejected() throws Exception {
        String text = text(
                KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic().getEncoded());
        assertThatThrownBy(() -> PasswordKey.parse(text)).hasMessageStartingWith("is not an RSA public key");
    }

    @Test
    void whatIsNotBase64IsRejected() {
        assertThatThrownBy(() -> PasswordKey.parse("hunter2!")).hasMessage("is not base64");
        assertThatThrownBy(() -> PasswordKey.parse(PUBLIC_512).decrypt("hunter2!"))
                .hasMessage("is not base64");
    }

    @Test
    void theResultOfAnotherKeyIsRejected() throws Exception {
        PasswordKey key = PasswordKey.parse(PUBLIC_512);
        assertThatThrownBy(() -> key.decrypt(ENCRYPTED_1024))
                .hasMessage("has 128 bytes, and what a key of 512 bits encrypts has 64");
        for (int i = 0; i < 20; i++) {
            String other = encrypted(pair(512), "hunter2".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> key.decrypt(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("was not encrypted by the private key that belongs to the public one");
        }
    }

    /** As encryption by the public key does, which is what most tools mean by encryption. */
    @Test
    void anotherPaddingIsRejected() throws Exception {
        KeyPair pair = pair(1024);
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, pair.getPrivate());
        byte[] block = new byte[128];
        block[1] = 2;
        java.util.Arrays.fill(block, 2, 120, (byte) 7);
        String text = text(cipher.doFinal(block));

        assertThatThrownBy(() ->
                        PasswordKey.parse(text(pair.getPublic().getEncoded())).decrypt(text))
                .hasMessageContaining("another padding than PKCS #1 v1.5, type 1");
    }

    @Test
    void bytesThatAreNoTextAreRejected() throws Exception {
        KeyPair pair = pair(512);
        String text = encrypted(pair, new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThatThrownBy(() ->
                        PasswordKey.parse(text(pair.getPublic().getEncoded())).decrypt(text))
                .hasMessageStartingWith("was not encrypted by");
    }

    static KeyPair pair(int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    static String encrypted(KeyPair pair, byte[] password) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
        cipher.init(Cipher.ENCRYPT_MODE, pair.getPrivate());
        return text(cipher.doFinal(password));
    }

    static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
