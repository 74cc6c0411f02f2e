package io.sluice.stream.xa;

import io.sluice.protocol.file.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage for held events: a memory budget, which all transactions share, and files for what exceeds it.
 *
 * <p>The files are not used after a restart, since the cursor is before their contents; so files of an earlier run are deleted. For
 * one thread.
 */
public final class HeldSpace {
    private static final Logger LOG = LoggerFactory.getLogger(HeldSpace.class);

    private static final String SUFFIX = ".held";

    private final Path directory;
    private final String prefix;
    private final long memoryBytes;
    private final String run = UUID.randomUUID() + "-";
    private long usedBytes;
    private long files;

    /**
     * Makes an empty one.
     *
     * @param directory the directory for the files; created when the first is needed
     * @param prefix with which the names of the files begin
     * @param memoryBytes how much memory may be used
     */
    public HeldSpace(Path directory, String prefix, long memoryBytes) {
        this.directory = directory;
        this.prefix = prefix;
        this.memoryBytes = memoryBytes;
    }

    /** Deletes the files that an earlier run left. */
    public void clean() {
        clean(directory, prefix);
    }

    /**
     * Deletes the files that an earlier run left.
     *
     * @param directory where they are, if there are any; it need not exist
     * @param prefix with which their names begin
     */
    public static void clean(Path directory, String prefix) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryIteratorException | IOException e) {
            LOG.warn(
                    "files with rows of transactions that an earlier run left cannot be deleted, delete them: directory={}",
                    directory,
                    e);
        }
    }

    /** Reserves memory; false if there is not enough. */
    boolean take(long bytes) {
        if (bytes > memoryBytes - usedBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    /** Reserves memory that is needed in any case. */
    void takeAlways(long bytes) {
        usedBytes += bytes;
    }

    /** Releases memory. */
    void give(long bytes) {
        usedBytes -= bytes;
    }

    /** The reserved memory, in bytes. */
    long usedBytes() {
        return usedBytes;
    }

    /** The path of the next file. */
    public Path nextFile() {
        return directory.resolve(prefix + run + ++files + SUFFIX);
    }

    /** Creates a file that only the owner can read, and opens it for writing. */
    public static FileChannel create(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            PrivateFiles.createDirectories(parent);
        }
        return PrivateFiles.createForOwner(file);
    }
}
