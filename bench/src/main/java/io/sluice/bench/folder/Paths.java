package io.sluice.bench.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders that {@code bench.sh} names by system properties. */
public final class Paths {
    private Paths() {}

    /** The folder for everything that a bench writes. */
    public static Path target() {
        return Path.of(System.getProperty("sluice.bench.folder"));
    }

    /** The folder of recorded binlogs, which are kept between invocations. */
    public static Path workloads() throws IOException {
        return Files.createDirectories(target().resolve("workloads"));
    }

    /** A folder that {@code bench.sh} deletes at the end. */
    public static Path work() throws IOException {
        return Files.createDirectories(target().resolve("work"));
    }

    /** The folder of the package's scripts in this checkout. */
    public static Path scripts() {
        return Path.of(System.getProperty("sluice.scripts"));
    }

    /** The package of this checkout. */
    public static Path ownPackage() {
        return Path.of(System.getProperty("sluice.package"));
    }
}
