package io.sluice.protocol.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Creates files and directories that other users of the machine cannot read: 0640 and 0750, less what the umask removes. On a
 * file system without POSIX permissions they are created as usual.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r-----");
    private static final Set<PosixFilePermission> OWNER_FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwxr-x---");

    private PrivateFiles() {}

    /** Creates a directory with its parents, unless it exists; those that exist stay as they are. */
    public static void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, attributes(directory, DIRECTORY));
        }
    }

    /**
     * Creates a file that is to replace another one, and opens it for writing. It has no permission that the other one
     * does not have.
     *
     * @param file is deleted first if it exists
     * @param replaced need not exist
     */
    public static FileChannel create(Path file, Path replaced) throws IOException {
        Set<PosixFilePermission> mode = EnumSet.copyOf(FILE);
        if (hasPermissions(replaced) && Files.exists(replaced)) {
            mode.retainAll(Files.getPosixFilePermissions(replaced));
        }
        Files.deleteIfExists(file); // or its permissions would stay
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes(file, mode));
    }

    /** Creates a file that the owner alone can read, replacing one that exists, and opens it for writing. */
    public static FileChannel createForOwner(Path file) throws IOException {
        Files.deleteIfExists(file); // or its permissions would stay
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes(file, OWNER_FILE));
    }

    /** Opens a file for reading and writing, and creates it if it does not exist. */
    public static FileChannel openOrCreate(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                attributes(file, FILE));
    }

    /** Creates an empty file, replacing one that exists. */
    public static void createEmpty(Path file) throws IOException {
        create(file, file).close();
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
