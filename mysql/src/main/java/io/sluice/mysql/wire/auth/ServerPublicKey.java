package io.sluice.mysql.wire.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** The public RSA key of a MySQL server, in PEM as in the server's own {@code public_key.pem}. */
public final class ServerPublicKey {
    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    private ServerPublicKey() {}

    /**
     * Checks that a file holds such a key.
     *
     * @throws IOException if it cannot be read or holds none; the message states which
     */
    public static void check(Path file) throws IOException {
        read(file);
    }

    /** Reads a file. */
    static PublicKey read(Path file) throws IOException {
        byte[] pem;
        try {
            pem = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException("the server's public key in %s cannot be read: %s".formatted(file, e), e);
        }
        try {
            return parse(pem);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    "%s holds no RSA public key in PEM, as in the server's public_key.pem".formatted(file), e);
        }
    }

    /** Reads the text of such a file. */
    static PublicKey parse(byte[] pem) throws GeneralSecurityException {
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
