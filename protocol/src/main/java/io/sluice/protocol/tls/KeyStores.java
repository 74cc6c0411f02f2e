package io.sluice.protocol.tls;

import io.sluice.protocol.time.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes trust and key managers out of {@link KeyStoreFile}s, which are read at each call. */
public final class KeyStores {
    private KeyStores() {}

    /**
     * Trusts the certificates of a file.
     *
     * @throws IOException if it cannot be read, with the file and the reason
     */
    public static TrustManagerFactory trusted(KeyStoreFile file) throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(load(file, false));
            return factory;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    /** As {@link #own(KeyStoreFile, Instant)}, of certificates that are valid now. */
    public static KeyManagerFactory own(KeyStoreFile file) throws IOException {
        return own(file, Instant.ofEpochMilli(Time.SYSTEM.millis()));
    }

    /**
     * Presents the certificate of a file, with those that lead to its root; of several keys, only those whose certificates are valid, if there
     * are any.
     *
     * @param at when they have to be valid
     * @throws IOException if it cannot be read, with the file and the reason
     */
    public static KeyManagerFactory own(KeyStoreFile file, Instant at) throws IOException {
        try {
            // Not "PKIX", which prefers valid certificates too, but not by all of a chain, and rejects old algorithms
            // of its root.
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(loadOwn(file, at), file.password().toCharArray());
            return factory;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * Until when all that {@link #own(KeyStoreFile, Instant)} presents is valid, with the certificates that lead to the root; not after {@code at} if nothing is.
     *
     * @param at as for that
     * @return empty if there is no certificate
     * @throws IOException if it cannot be read, with the file and the reason
     */
    public static Optional<Instant> expiry(KeyStoreFile file, Instant at) throws IOException {
        try {
            KeyStore store = loadOwn(file, at);
            Optional<Instant> first = Optional.empty();
            for (String alias : keys(store)) {
                Optional<Instant> end = certificates(store, alias)
                        .map(certificate -> certificate.getNotAfter().toInstant())
                        .min(Comparator.naturalOrder());
                if (!areValid(certificates(store, alias), at)) {
                    end = end.map(any -> any.isAfter(at) ? at : any); // it is not valid yet
                }
                first = Stream.concat(first.stream(), end.stream()).min(Comparator.naturalOrder());
            }
            return first;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    /** Without keys that are not valid, if there is another one. */
    private static KeyStore loadOwn(KeyStoreFile file, Instant at) throws IOException, GeneralSecurityException {
        KeyStore store = load(file, true);
        List<String> invalid = new ArrayList<>();
        for (String alias : keys(store)) {
            if (!areValid(certificates(store, alias), at)) {
                invalid.add(alias);
            }
        }
        if (invalid.size() < keys(store).size()) {
            for (String alias : invalid) {
                store.deleteEntry(alias);
            }
        }
        return store;
    }

    private static boolean areValid(Stream<X509Certificate> chain, Instant at) {
        Date date = Date.from(at);
        return chain.allMatch(certificate -> {
            try {
                certificate.checkValidity(date);
                return true;
            } catch (CertificateExpiredException | CertificateNotYetValidException e) {
                return false;
            }
        });
    }

    /** Those with a certificate; a store may have secret keys, too. */
    private static List<String> keys(KeyStore store) throws GeneralSecurityException {
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias) && store.getCertificateChain(alias) != null) {
                keys.add(alias);
            }
        }
        return keys;
    }

    private static Stream<X509Certificate> certificates(KeyStore store, String alias) throws GeneralSecurityException {
        Certificate @Nullable [] chain = store.getCertificateChain(alias);
        return Stream.ofNullable(chain)
                .flatMap(Arrays::stream)
                .filter(X509Certificate.class::isInstance)
                .map(X509Certificate.class::cast);
    }

    /**
     * A TLS context.
     *
     * @param own the certificate that is presented; null for none
     * @param trusted the certificates that are trusted; null for those that the JVM trusts
     */
    public static SSLContext context(@Nullable KeyManagerFactory own, @Nullable TrustManagerFactory trusted)
            throws GeneralSecurityException {
        KeyManager @Nullable [] keys = own == null ? null : own.getKeyManagers();
        TrustManager @Nullable [] trust = trusted == null ? null : trusted.getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }

    private static KeyStore load(KeyStoreFile file, boolean withKey) throws IOException, GeneralSecurityException {
        byte[] content = Files.readAllBytes(file.path());
        boolean detected = file.type().isEmpty();
        if (file.type().equals(KeyStoreFile.PEM) || (detected && PemFile.isPem(content))) {
            return ofPem(new PemFile(content), withKey, file.password().toCharArray());
        }
        if (detected) {
            return KeyStore.getInstance(file.path().toFile(), file.password().toCharArray());
        }
        KeyStore store = KeyStore.getInstance(file.type());
        store.load(new ByteArrayInputStream(content), file.password().toCharArray());
        return store;
    }

    private static KeyStore ofPem(PemFile pem, boolean withKey, char[] password)
            throws IOException, GeneralSecurityException {
        List<Certificate> certificates = pem.certificates();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (withKey) {
            store.setKeyEntry("own", pem.privateKey(), password, certificates.toArray(Certificate[]::new));
            return store;
        }
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static IOException unreadable(KeyStoreFile file, Exception cause) {
        String reason;
        if (cause instanceof NoSuchFileException) {
            reason = "there is no such file";
        } else if (cause instanceof AccessDeniedException) {
            reason = "user %s of this process may not read it".formatted(System.getProperty("user.name"));
        } else if (cause instanceof UnrecoverableKeyException
                || cause.getCause() instanceof UnrecoverableKeyException) {
            reason = "its password is not the configured one";
        } else {
            reason = String.valueOf(cause.getMessage());
        }
        String type = file.type().isEmpty() ? "" : file.type() + " ";
        return new IOException("cannot read %skey store %s: %s".formatted(type, file.location(), reason), cause);
    }
}
