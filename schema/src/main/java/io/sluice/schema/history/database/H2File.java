package io.sluice.schema.history.database;

import io.sluice.protocol.file.DurableFiles;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The H2 file of a history of canal. It is read without channels, which an interrupt of the
 * thread would close; only the copy needs one, for the lock, and is made on a thread that is not interrupted.
 *
 * @param stem its path without {@code .mv.db}
 */
public record H2File(Path stem) {
    private static final String SUFFIX = ".mv.db";
    private static final int HEADER_BYTES = 4096;
    private static final int OLDEST_FORMAT = 2;
    private static final int BUFFER_BYTES = 1 << 16;

    public Path path() {
        return sibling(SUFFIX);
    }

    private Path sibling(String suffix) {
        return stem.resolveSibling(stem.getFileName() + suffix);
    }

    public boolean exists() {
        return Files.exists(path());
    }

    /** Whether it is in a format of H2 1.x, which H2 2.x cannot read, as its first block states. */
    public boolean isOfVersion1() throws IOException {
        String format = header().get("format"); // without one, H2 reports what is wrong
        return format != null && number(format) < OLDEST_FORMAT;
    }

    /** The words of the first line; empty if there is none of H2's. */
    private Map<String, String> header() throws IOException {
        String block;
        try (InputStream in = new FileInputStream(path().toFile())) {
            block = new String(in.readNBytes(HEADER_BYTES), StandardCharsets.ISO_8859_1);
        }
        Map<String, String> words = new HashMap<>();
        if (block.startsWith("H:")) {
            int end = block.indexOf('\n');
            for (String word :
                    block.substring(0, end < 0 ? block.length() : end).split(",")) {
                int colon = word.indexOf(':');
                words.put(colon < 0 ? word : word.substring(0, colon), colon < 0 ? "" : word.substring(colon + 1));
            }
        }
        return words;
    }

    private static long number(String hex) {
        try {
            return Long.parseLong(hex, 16);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE >> Integer.SIZE; // is no version 1, and is not in the file
        }
    }

    /** When it was changed, in milliseconds since the epoch. H2 changes it when it closes it, and a copy may have the time at which it was made. */
    long changedMillis() throws IOException {
        return Files.getLastModifiedTime(path()).toMillis();
    }

    /** The SHA-256 of its content. */
    public String fingerprint() throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = new FileInputStream(path().toFile())) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Copies it while no other process writes it.
     *
     * @param target is not there
     * @throws UnwritableCopyException if the copy cannot be written
     * @throws IOException if another process has it open, or it cannot be read
     */
    void copyTo(H2File target) throws IOException {
        try (FileChannel channel = FileChannel.open(path(), StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            if (lock == null) {
                throw new IOException("the file is locked");
            }
            copy(Channels.newInputStream(channel), target.path());
        } catch (OverlappingFileLockException e) {
            throw new IOException("the file is locked by this process", e);
        }
    }

    private static void copy(InputStream in, Path target) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (OutputStream out = created(target)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                write(out, buffer, n);
            }
        }
    }

    private static OutputStream created(Path target) throws UnwritableCopyException {
        try {
            return Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UnwritableCopyException(e);
        }
    }

    private static void write(OutputStream out, byte[] bytes, int count) throws UnwritableCopyException {
        try {
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw new UnwritableCopyException(e);
        }
    }

    /** Thrown if a copy cannot be written, as on a full disk. */
    static final class UnwritableCopyException extends IOException {
        private static final long serialVersionUID = 1;

        UnwritableCopyException(IOException cause) {
            super(cause);
        }
    }

    /** Renames a file of version 1 to a name that states the version. */
    public Path putAside() throws IOException {
        return rename(".h2-1.x", SUFFIX);
    }

    /** Renames one whose rows are in a new history. */
    public Path markImported() throws IOException {
        return rename(SUFFIX, ".imported");
    }

    private Path rename(String before, String after) throws IOException {
        Path target = sibling(before + after);
        for (int i = 2; Files.exists(target); i++) {
            target = sibling(before + "-" + i + after);
        }
        Files.move(path(), target, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceDirectory(HistoryFile.directoryOf(target));
        return target;
    }
}
