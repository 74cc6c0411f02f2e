package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Makes a folder that is expensive to make, once for all JVMs of a build.
 *
 * <p>It is made under another name and renamed when it is complete, so the folder is always seen as a whole. A file
 * lock lets one JVM make it while the others wait; a JVM that dies meanwhile frees the lock, and the next one begins
 * afresh.
 */
public final class OncePerBuild {
    /** A file lock counts for the whole JVM, so its threads need one of their own. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private OncePerBuild() {}

    /** The folder, filled by {@code fill} if it is not there yet. {@code fill} gets an empty folder beside it. */
    public static Path folder(Path folder, Consumer<Path> fill) {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Path unfinished = folder.resolveSibling(folder.getFileName() + ".unfinished");
        Path lockFile = folder.resolveSibling(folder.getFileName() + ".lock");
        LOCK.lock();
        try {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (!held.isValid() || Files.isDirectory(folder)) {
                    return folder;
                }
                Folders.delete(unfinished);
                Files.createDirectory(unfinished);
                fill.accept(unfinished);
                Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
                return folder;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            LOCK.unlock();
        }
    }
}
