package io.sluice.connector.stdout;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standard output of this process, past {@link System#out}, which hides failures. A line that was written in part keeps its own line, also
 * one of an earlier process if the output leads to a file.
 */
final class StandardOutput implements LineSink {
    private static final Logger LOG = LoggerFactory.getLogger(StandardOutput.class);

    private final OutputStream out;
    private final Path file;

    private boolean hasBegun;

    /** Whether the last line may have been written in part. */
    private boolean isTorn;

    StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out), Path.of("/proc/self/fd/1"));
    }

    /**
     * Writes to another stream.
     *
     * @param out not closed here
     * @param file where it leads to, if that is a file
     */
    StandardOutput(OutputStream out, Path file) {
        this.out = out;
        this.file = file;
    }

    @Override
    public synchronized void write(byte[] line) throws IOException {
        if (!hasBegun) {
            hasBegun = true;
            isTorn = endsWithinALine(file);
        }
        try {
            if (isTorn) {
                out.write('\n');
                isTorn = false;
            }
            out.write(line);
        } catch (IOException e) {
            isTorn = true;
            throw new IOException("cannot write to standard output: " + e.getMessage(), e);
        }
    }

    /** As after an earlier process whose disk was full. False if that cannot be known. */
    private static boolean endsWithinALine(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            long size = open.size();
            return size > 0 && open.read(last, size - 1) == 1 && last.get(0) != '\n';
        } catch (IOException e) {
            LOG.debug("whether standard output ends with a whole line is not known: cause={}", String.valueOf(e));
            return false;
        }
    }

    /** Others write to it, too. */
    @Override
    public void close() {}
}
