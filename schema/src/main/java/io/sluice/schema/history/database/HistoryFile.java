package io.sluice.schema.history.database;

import io.sluice.protocol.file.DurableFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates the files of a history durably, and readable by the user of this process only. */
final class HistoryFile {
    private HistoryFile() {}

    /**
     * Creates an empty file, and its directories, unless it is there. SQLite gives the same mode to the files that it adds.
     *
     * @throws HistoryException if it cannot be created, or cannot be written
     */
    static void create(Path file) {
        Path directory = directoryOf(file);
        try {
            createDirectories(directory);
            if (Files.notExists(file)) {
                createEmpty(file, isPosix(directory));
                DurableFiles.forceDirectory(directory);
            }
        } catch (IOException e) {
            throw new HistoryException(
                    ("the schema history %s cannot be created: %s; give this process write permission on its directory, or name"
                                    + " another file (canal.instance.tsdb.url)")
                            .formatted(file, e),
                    e);
        }
        if (!Files.isWritable(file)
                || !Files.isWritable(directory)) { // also on a file system that is mounted read-only
            throw new HistoryException(
                    "the schema history %s cannot be written: give this process write permission on the file and on its directory"
                            .formatted(file));
        }
    }

    private static void createEmpty(Path file, boolean isPosix) throws IOException {
        FileAttribute<?>[] mode = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.newByteChannel(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)
                    .close();
        } catch (FileAlreadyExistsException e) {
            // another process creates it too: SQLite's lock decides
        }
    }

    private static void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            DurableFiles.forceDirectory(parent);
        }
    }

    /** The directory of a file. */
    static Path directoryOf(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        return directory == null ? file.toAbsolutePath() : directory;
    }

    private static boolean isPosix(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        return store.supportsFileAttributeView(PosixFileAttributeView.class);
    }
}
