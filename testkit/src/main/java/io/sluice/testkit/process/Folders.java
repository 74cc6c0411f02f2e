package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The folders servers live in: where they are unpacked, and the temporary ones they write to. */
public final class Folders {
    private static final String PROPERTY = "sluice.servers";
    private static final Path BELOW_THE_ROOT = Path.of("testkit", "target", "servers");
    private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> TEMPORARY.forEach(Folders::delete), "folders-delete"));
    }

    private Folders() {}

    /** Writes a file of lines {@code name=value}, and returns its path. */
    public static Path writeProperties(Path file, Map<String, String> properties) {
        List<String> lines = new ArrayList<>();
        properties.forEach((name, value) -> lines.add(name + "=" + value));
        try {
            return Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The folder in which the build unpacks servers: the system property {@code sluice.servers}, or else the first
     * {@code testkit/target/servers} on the way up from the working directory.
     */
    public static Path servers() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            return Path.of(property).toAbsolutePath();
        }
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path candidate = up.resolve(BELOW_THE_ROOT);
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        throw new IllegalStateException("found no " + BELOW_THE_ROOT + " from "
                + Path.of("").toAbsolutePath() + " upwards: build the module testkit, or set -D" + PROPERTY);
    }

    /** A new folder that is deleted when this JVM ends, if {@link #delete} did not do so before. */
    public static Path temporary(String prefix) {
        try {
            Path folder = Files.createTempDirectory(prefix);
            TEMPORARY.add(folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder with all it holds, and its modes, to a path that does not exist yet. */
    public static void copy(Path from, Path to) {
        transfer(from, to, (file, target) -> Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES));
    }

    /**
     * Gives a folder a second path that does not exist yet, by hard links to all its files, which nothing may change from then on; by copies
     * if the path is in another file system.
     */
    public static void link(Path from, Path to) {
        transfer(from, to, (file, target) -> {
            try {
                Files.createLink(target, file);
            } catch (FileSystemException | UnsupportedOperationException e) {
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        });
    }

    @FunctionalInterface
    private interface Transfer {
        void transfer(Path file, Path target) throws IOException;
    }

    private static void transfer(Path from, Path to, Transfer transfer) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                        throws IOException {
                    Path copied = Files.createDirectory(to.resolve(from.relativize(folder)));
                    Files.setPosixFilePermissions(copied, Files.getPosixFilePermissions(folder));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    transfer.transfer(file, to.resolve(from.relativize(file)));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder and all it holds, if it is there. */
    public static void delete(Path folder) {
        TEMPORARY.remove(folder);
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
