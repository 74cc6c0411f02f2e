package io.sluice.mysql.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link KeyStoreFile}s. */
final class KeyStores {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END");
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");

    /** What is before an RSA key in PKCS #8: version 0, and the algorithm rsaEncryption without parameters. */
    private static final byte[] RSA_VERSION_AND_ALGORITHM =
            HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private KeyStores() {}

    /** Certificates to trust. */
    static KeyStore loadTrusted(KeyStoreFile file) throws IOException {
        return load(file, false);
    }

    /** A certificate, with those that lead to its root, and its private key. */
    static KeyStore loadKey(KeyStoreFile file) throws IOException {
        return load(file, true);
    }

    private static KeyStore load(KeyStoreFile file, boolean withKey) throws IOException {
        try {
            if (file.type().equals("PEM")) {
                return loadPem(file, withKey);
            }
            KeyStore store = KeyStore.getInstance(file.type());
            try (InputStream in = Files.newInputStream(file.path())) {
                store.load(in, file.password().toCharArray());
            }
            return store;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("cannot read key store %s: %s".formatted(file, e), e);
        }
    }

    private static KeyStore loadPem(KeyStoreFile file, boolean withKey) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file.path(), StandardCharsets.ISO_8859_1);
        List<Certificate> certificates = certificates(pem);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (withKey) {
            PrivateKey key = privateKey(pem);
            char[] password = file.password().toCharArray();
            store.setKeyEntry("client", key, password, certificates.toArray(Certificate[]::new));
            return store;
        }
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static List<Certificate> certificates(String pem) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> certificates = new ArrayList<>();
        Matcher matcher = CERTIFICATE.matcher(pem);
        while (matcher.find()) {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(1));
            certificates.add(factory.generateCertificate(new ByteArrayInputStream(der)));
        }
        if (certificates.isEmpty()) {
            throw new IOException("it holds no certificate ('BEGIN CERTIFICATE')");
        }
        return certificates;
    }

    /** The first private key in PEM: PKCS #8 of any kind, or PKCS #1, as MySQL writes its own. */
    private static PrivateKey privateKey(String pem) throws IOException, GeneralSecurityException {
        Matcher matcher = PRIVATE_KEY.matcher(pem);
        if (!matcher.find()) {
            throw new IOException("it holds no private key without a password ('BEGIN PRIVATE KEY');"
                    + " 'openssl pkcs8 -topk8 -nocrypt' makes one");
        }
        byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
        boolean pkcs1 = matcher.group(1) != null;
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs1 ? pkcs8(der) : der);
        InvalidKeySpecException failure = new InvalidKeySpecException("its private key is of no kind that we know");
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                failure.addSuppressed(e); // the key may be of another kind
            }
        }
        throw failure;
    }

    /**
     * An RSA key of PKCS #1 in the form of PKCS #8 (RFC 5958).
     *
     * <pre>
     *   sequence { version 0, algorithm rsaEncryption, octet string { key of PKCS #1 } }
     * </pre>
     */
    private static byte[] pkcs8(byte[] pkcs1) {
        byte[] key = der(0x04, pkcs1);
        return der(
                0x30,
                new PayloadBuilder().raw(RSA_VERSION_AND_ALGORITHM).raw(key).build());
    }

    /** A DER value with its length in two bytes, as no RSA key in use is shorter than 256 or longer than 65535 bytes. */
    private static byte[] der(int tag, byte[] content) {
        if (content.length < 256 || content.length > 65535) {
            throw new IllegalArgumentException("RSA key of %d bytes".formatted(content.length));
        }
        return new PayloadBuilder()
                .int1(tag)
                .int1(0x82)
                .int1(content.length >>> 8)
                .int1(content.length)
                .raw(content)
                .build();
    }
}
