package io.sluice.protocol.tls;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.Security;
import java.util.Locale;
import java.util.TreeSet;

/**
 * A file that holds trusted certificates, or the certificate of this process with its private key. In PEM, certificates and key are in
 * the same file, and the key has no password.
 *
 * @param type {@code PEM}, or a type of key store that the JVM knows, such as {@code JKS} and {@code PKCS12}, in any case; blank to
 *     detect PEM, JKS or PKCS12 from the content
 * @param location a path, or a URL with the scheme {@code file:}
 * @param password opens the store and its keys; empty for none; not used for PEM
 */
public record KeyStoreFile(String type, String location, String password) {
    static final String PEM = "PEM";

    /** @throws IllegalArgumentException if the type is unknown, or the location is blank or another kind of URL */
    public KeyStoreFile {
        type = type.trim().toUpperCase(Locale.ROOT);
        if (!type.isEmpty()
                && !type.equals(PEM)
                && !Security.getAlgorithms("KeyStore").contains(type)) {
            throw new IllegalArgumentException("key store %s has an unknown type: %s; PEM and %s are known"
                    .formatted(location, type, new TreeSet<>(Security.getAlgorithms("KeyStore"))));
        }
        pathOf(location);
    }

    /** A file whose type is detected. */
    public static KeyStoreFile of(Path file, String password) {
        return new KeyStoreFile("", file.toString(), password);
    }

    /** Where the file is. */
    public Path path() {
        return pathOf(location);
    }

    private static Path pathOf(String location) {
        if (location.isBlank()) {
            throw new IllegalArgumentException("key store has no location");
        }
        if (location.startsWith("file:")) {
            return pathOfUrl(location);
        }
        // One letter before the colon is a Windows drive.
        if (location.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            throw new IllegalArgumentException(
                    "key store is neither a path nor a file: URL, and nothing else is read: " + location);
        }
        return Path.of(location);
    }

    /** Accepts what {@link java.net.URL} accepts: relative paths, and characters that are not escaped, too. */
    private static Path pathOfUrl(String url) {
        try {
            URI uri = new URI(url);
            return uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri);
        } catch (URISyntaxException e) {
            return Path.of(url.substring("file:".length()));
        }
    }

    /** All but the password. */
    @Override
    public String toString() {
        return "KeyStoreFile[type=%s, location=%s]".formatted(type, location);
    }
}
