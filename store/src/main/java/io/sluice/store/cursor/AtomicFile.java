package io.sluice.store.cursor;

import io.sluice.protocol.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A small file that is written so that a crash leaves the old text or the new one. */
public final class AtomicFile implements DurableText {
    private final Path path;

    /** Makes one of the file at a path, which need not be there yet. */
    public AtomicFile(Path path) {
        this.path = path;
    }

    @Override
    public String place() {
        return path.toString();
    }

    @Override
    public String read() throws IOException {
        return Files.readString(path);
    }

    @Override
    public void replace(String text) throws IOException {
        replace(path, text);
    }

    /**
     * Writes a file beside the one that is replaced, forces it to the disk, and renames it. Makes the directory. Other users cannot
     * read it, and one that they could read is replaced by one that they cannot.
     */
    static void replace(Path path, String text) throws IOException {
        Path dir = path.resolveSibling("");
        PrivateFiles.createDirectories(dir);
        Path next = path.resolveSibling(path.getFileName() + ".tmp");
        try (FileChannel channel = PrivateFiles.create(next, path)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory(dir);
    }

    /** Makes the rename itself survive a crash; only systems with POSIX files can open a directory for that. */
    private static void forceDirectory(Path dir) throws IOException {
        if (dir.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
