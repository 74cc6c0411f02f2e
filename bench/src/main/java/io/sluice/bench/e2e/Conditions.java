package io.sluice.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Describes what was measured and where, for the page of results. */
final class Conditions {
    private static final int SHOWN_DIGITS = 12;

    private Conditions() {}

    static List<String> ofThisMachine() {
        return List.of("%d processors, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version")));
    }

    /** A package by its name, file and hash. */
    static String ofPackage(String name, Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no package " + file);
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return "%s: `%s`, SHA-256 %s…"
                    .formatted(
                            name,
                            file.getFileName(),
                            HexFormat.of().formatHex(hash).substring(0, SHOWN_DIGITS));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has the digest
        }
    }
}
