package io.sluice.protocol.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Replaces files so that a crash, also of the machine, leaves the old content or the new one. What was replaced is on the disk when the method
 * returns.
 */
public final class DurableFiles {
    private DurableFiles() {}

    /**
     * Replaces a file, or creates it. Other users cannot read it, and it has no permission that the one before did not have.
     *
     * @param content the rest of it is written
     */
    public static void replace(Path file, ByteBuffer content) throws IOException {
        replace(file, content, draft -> {});
    }

    /**
     * As {@link #replace(Path, ByteBuffer)}.
     *
     * @param beforeRename is given the new file when all of it is written, before it takes the name of the other one
     */
    public static void replace(Path file, ByteBuffer content, DraftCheck beforeRename) throws IOException {
        Path draft = draftOf(file);
        try (FileChannel out = PrivateFiles.create(draft, file)) {
            write(out, content);
        }
        beforeRename.accept(draft);
        rename(draft, file);
    }

    /** Looks at a new file before it takes the name of the one that it replaces. */
    @FunctionalInterface
    public interface DraftCheck {
        /** An exception leaves the file as it is that was to be replaced. */
        void accept(Path draft) throws IOException;
    }

    /**
     * Replaces a file, or creates it. The owner alone can read it.
     *
     * @param content the rest of it is written
     */
    public static void replaceForOwner(Path file, ByteBuffer content) throws IOException {
        Path draft = draftOf(file);
        try (FileChannel out = PrivateFiles.createForOwner(draft)) {
            write(out, content);
        }
        rename(draft, file);
    }

    private static Path draftOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    private static void write(FileChannel out, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            out.write(content);
        }
        out.force(true);
    }

    private static void rename(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory(file.resolveSibling(""));
    }

    /**
     * Makes the names in a directory durable, also if the thread is interrupted. Only systems with POSIX files can open a directory for
     * that; on others nothing happens.
     */
    public static void forceDirectory(Path directory) throws IOException {
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
