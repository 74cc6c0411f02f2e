package io.sluice.admin.config;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Deletes texts that a process which was killed has left where {@link ConfigTexts} writes them to be checked: they may hold passwords. Those of
 * other users are left alone, and so are young ones, which may be those of another process.
 */
@Component
class LeftTexts {
    /** As {@link ConfigTexts} names its directories. */
    static final String PREFIX = "sluice-check-";

    private static final Logger LOG = LoggerFactory.getLogger(LeftTexts.class);
    private static final Duration YOUNG = Duration.ofHours(1);

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        delete(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static void delete(Path temporary) {
        Instant before = Instant.now().minus(YOUNG);
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path directory : found) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                        && Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS)
                                .toInstant()
                                .isBefore(before)
                        && isOurs(directory)) {
                    deleteAll(directory);
                }
            }
        } catch (IOException e) {
            LOG.warn(
                    "texts that were left by a check cannot be deleted: directory={} cause={}",
                    temporary,
                    e.toString());
        }
    }

    private static boolean isOurs(Path directory) throws IOException {
        return Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName().equals(System.getProperty("user.name"));
    }

    private static void deleteAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
