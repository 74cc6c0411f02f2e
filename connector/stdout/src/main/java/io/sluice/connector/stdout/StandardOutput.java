package io.sluice.connector.stdout;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The standard output of this process, past {@link System#out}, which hides failures. A line that was written in part keeps its own line. */
final class StandardOutput implements LineSink {
    private final OutputStream out;

    /** Whether the last line may have been written in part. */
    private boolean isTorn;

    StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    /** Writes to another stream, which is not closed here. */
    StandardOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public synchronized void write(byte[] line) throws IOException {
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

    /** Others write to it, too. */
    @Override
    public void close() {}
}
