package io.sluice.protocol.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
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

/** The certificates and the private key of a PEM file (RFC 7468). */
final class PemFile {
    private static final String BEGIN = "-----BEGIN ";
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END");
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");

    /** The prefix of an RSA key in PKCS #8: version 0, and the algorithm rsaEncryption without parameters. */
    private static final byte[] RSA_VERSION_AND_ALGORITHM =
            HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private final byte[] content;
    private final String text;

    PemFile(byte[] content) {
        this.content = content;
        text = new String(content, StandardCharsets.ISO_8859_1);
    }

    static boolean isPem(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1).contains(BEGIN);
    }

    /** All certificates, in the order of the file. A file that is not PEM may be one certificate in DER. */
    List<Certificate> certificates() throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        if (!isPem(content) && content.length > 0) {
            return List.copyOf(factory.generateCertificates(new ByteArrayInputStream(content)));
        }
        List<Certificate> certificates = new ArrayList<>();
        Matcher matcher = CERTIFICATE.matcher(text);
        while (matcher.find()) {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(1));
            certificates.add(factory.generateCertificate(new ByteArrayInputStream(der)));
        }
        if (certificates.isEmpty()) {
            throw new IOException("it holds no certificate ('BEGIN CERTIFICATE')");
        }
        return certificates;
    }

    /** The first private key: PKCS #8 of any kind, or PKCS #1, as MySQL writes its own. */
    PrivateKey privateKey() throws IOException, GeneralSecurityException {
        Matcher matcher = PRIVATE_KEY.matcher(text);
        if (!matcher.find()) {
            throw new IOException("it holds no private key without a password ('BEGIN PRIVATE KEY');"
                    + " 'openssl pkcs8 -topk8 -nocrypt' makes one");
        }
        byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
        boolean pkcs1 = matcher.group(1) != null;
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs1 ? pkcs8(der) : der);
        InvalidKeySpecException failure =
                new InvalidKeySpecException("its private key is neither RSA, EC nor EdDSA, or damaged");
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
        ByteArrayOutputStream sequence = new ByteArrayOutputStream();
        sequence.writeBytes(RSA_VERSION_AND_ALGORITHM);
        sequence.writeBytes(der(0x04, pkcs1));
        return der(0x30, sequence.toByteArray());
    }

    /** A DER value with its length in two bytes, as no RSA key in use is shorter than 256 or longer than 65535 bytes. */
    private static byte[] der(int tag, byte[] content) {
        if (content.length < 256 || content.length > 65535) {
            throw new IllegalArgumentException("RSA key of %d bytes".formatted(content.length));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        out.write(0x82);
        out.write(content.length >>> 8);
        out.write(content.length);
        out.writeBytes(content);
        return out.toByteArray();
    }
}
