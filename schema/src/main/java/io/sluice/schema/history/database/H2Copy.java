package io.sluice.schema.history.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of an H2 file in a directory that only the user of this process can read and write. It is deleted when it is closed, and after a process was
 * killed by the next one that makes a copy. Used by a thread that is not interrupted.
 */
final class H2Copy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(H2Copy.class);
    private static final String PREFIX = "sluice-h2-";
    private static final String LOCK = "lock";

    /** A younger directory may have no lock yet. */
    private static final Duration LEFT_FOR = Duration.ofMinutes(10);

    /** The names of the directories of this process. Closing any channel on a lock file drops the lock that this process has on it. */
    private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel lock;

    private H2Copy(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Copies a file.
     *
     * @param parent the directory for temporary files
     * @throws HistoryException if the copy cannot be written
     * @throws IOException if the file cannot be read
     */
    static H2Copy of(H2File file, Path parent) throws IOException {
        H2Copy copy;
        try {
            copy = create(parent);
        } catch (IOException e) {
            throw unwritable(file, parent, e);
        }
        try {
            copy.deleteLeftovers(parent);
            file.copyTo(copy.file());
            return copy;
        } catch (H2File.UnwritableCopyException e) {
            copy.close();
            throw unwritable(file, parent, e.getCause());
        } catch (IOException | RuntimeException e) {
            copy.close();
            throw e;
        }
    }

    private static H2Copy create(Path parent) throws IOException {
        Path directory = Files.createTempDirectory(parent, PREFIX);
        FileChannel lock =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        OWN.add(name(directory));
        H2Copy copy = new H2Copy(directory, lock);
        try {
            lock.lock();
            return copy;
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    private static String name(Path directory) {
        return String.valueOf(directory.getFileName());
    }

    private static HistoryException unwritable(H2File file, Path parent, @Nullable Throwable cause) {
        return new HistoryException(
                ("the schema history of canal, %s, cannot be taken over, since a copy of it cannot be written in the directory for temporary files,"
                                + " %s: %s; free space there, and give this process write permission on it, or add -Djava.io.tmpdir=<directory>"
                                + " to JAVA_OPTS with another directory, then start the instance again")
                        .formatted(file.path(), parent, cause),
                cause);
    }

    H2File file() {
        return new H2File(directory.resolve("h2"));
    }

    private void deleteLeftovers(Path parent) {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PREFIX + "*")) {
            UserPrincipal owner = Files.getOwner(directory);
            Instant now = changed(directory); // by the clock of the file system
            for (Path other : directories) {
                deleteLeftover(other, owner, now.minus(LEFT_FOR));
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("cannot look for copies of H2 files that were left: directory={}", parent, e);
        }
    }

    private static void deleteLeftover(Path other, UserPrincipal owner, Instant before) {
        try {
            if (!OWN.contains(name(other))
                    && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(other, LinkOption.NOFOLLOW_LINKS).equals(owner)
                    && changed(other).isBefore(before)
                    && !isInUse(other.resolve(LOCK))) {
                delete(other);
                LOG.info("deleted a copy of an H2 file that a process left which was killed: directory={}", other);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("a copy of an H2 file that was left cannot be deleted: directory={}", other, e);
        }
    }

    private static Instant changed(Path directory) throws IOException {
        return Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toInstant();
    }

    private static boolean isInUse(Path lockFile) throws IOException {
        if (Files.notExists(lockFile)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true; // another thread looks at it
        }
    }

    /** Never fails: what was done with the copy is done, and what remains of it is deleted as a leftover. */
    @Override
    public void close() {
        try {
            lock.close();
            delete(directory);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("a copy of an H2 file cannot be deleted now: directory={}", directory, e);
        } finally {
            OWN.remove(name(directory));
        }
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path path : files) {
                Files.deleteIfExists(path);
            }
        }
        Files.deleteIfExists(directory);
    }
}
