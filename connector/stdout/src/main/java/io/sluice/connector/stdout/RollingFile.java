package io.sluice.connector.stdout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that lines are appended to; when it is full it is renamed, and a new one begun: {@code changes.json},
 * {@code changes.json.1}, {@code changes.json.2} from the newest to the oldest.
 *
 * <p>It is opened with the first line, also with the first after a close, since others may use it, too. A line that a crash has torn keeps its own line. Not for several processes.
 */
final class RollingFile implements LineSink {
    private static final Logger LOG = LoggerFactory.getLogger(RollingFile.class);

    private final Path file;
    private final long maxBytes;
    private final int kept;
    private @Nullable FileChannel channel;

    /**
     * Names a file.
     *
     * @param maxBytes it gets no larger, but by one line that is; 0 for no bound
     * @param kept how many full ones are kept
     */
    RollingFile(Path file, long maxBytes, int kept) {
        this.file = file;
        this.maxBytes = maxBytes;
        this.kept = kept;
    }

    @Override
    public synchronized void write(byte[] line) throws IOException {
        try {
            FileChannel open = open();
            if (maxBytes > 0 && open.size() > 0 && open.size() + line.length > maxBytes) {
                roll();
                open = open();
            }
            append(open, line);
        } catch (IOException e) {
            throw new IOException("%s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }

    private FileChannel open() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            channel = open;
            endTornLine(open);
        }
        return open;
    }

    private static void endTornLine(FileChannel open) throws IOException {
        long size = open.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        if (size > 0 && open.read(last, size - 1) == 1 && last.get(0) != '\n') {
            append(open, new byte[] {'\n'});
        }
    }

    /** Writes at the end; what was written of a line that failed is taken away again. */
    private static void append(FileChannel open, byte[] line) throws IOException {
        long end = open.size();
        ByteBuffer left = ByteBuffer.wrap(line);
        try {
            while (left.hasRemaining()) {
                open.write(left, end + left.position());
            }
        } catch (IOException e) {
            open.truncate(end);
            throw e;
        }
    }

    private void roll() throws IOException {
        closeChannel();
        for (int i = kept; i > 0; i--) {
            Path from = i == 1 ? file : numbered(i - 1);
            if (Files.exists(from)) {
                Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (kept == 0) {
            Files.delete(file);
        }
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void closeChannel() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public synchronized void close() {
        try {
            closeChannel();
        } catch (IOException e) {
            LOG.warn("closing a file failed: file={} cause={}", file, String.valueOf(e));
        }
    }
}
