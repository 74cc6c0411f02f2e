package io.sluice.mysql.wire;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file that holds trusted certificates, or our own certificate with its private key. In PEM, certificates and key are in
 * the same file, and the key has no password.
 *
 * @param type {@code JKS}, {@code PKCS12} or {@code PEM}, in any case; blank to go by the file's ending: {@code .jks},
 *     {@code .pem}, {@code .crt} and {@code .cer} say it, and all else is PKCS12
 * @param location a path, or a URL with the scheme {@code file:}
 * @param password opens the store and its keys; empty for none; not used for PEM
 */
public record KeyStoreFile(String type, String location, String password) {
    /** @throws IllegalArgumentException if the type is none of ours, or the location is blank or another kind of URL */
    public KeyStoreFile {
        type = type.isBlank() ? typeByEnding(location) : type.trim().toUpperCase(Locale.ROOT);
        switch (type) {
            case "JKS", "PKCS12", "PEM" -> {}
            default ->
                throw new IllegalArgumentException("key store %s has an unknown type: %s; JKS, PKCS12 and PEM are known"
                        .formatted(location, type));
        }
        pathOf(location);
    }

    private static String typeByEnding(String location) {
        String name = location.toLowerCase(Locale.ROOT);
        if (name.endsWith(".jks")) {
            return "JKS";
        }
        return name.endsWith(".pem") || name.endsWith(".crt") || name.endsWith(".cer") ? "PEM" : "PKCS12";
    }

    /** Where the file is. */
    Path path() {
        return pathOf(location);
    }

    private static Path pathOf(String location) {
        if (location.isBlank()) {
            throw new IllegalArgumentException("key store has no location");
        }
        if (location.startsWith("file:")) {
            return Path.of(URI.create(location));
        }
        // One letter before the colon is a Windows drive.
        if (location.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            throw new IllegalArgumentException(
                    "key store is neither a path nor a file: URL, and nothing else is read: " + location);
        }
        return Path.of(location);
    }

    /** All but the password. */
    @Override
    public String toString() {
        return "KeyStoreFile[type=%s, location=%s]".formatted(type, location);
    }
}
