package io.sluice.connector.stdout;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The standard output of this process, past {@link System#out}, which hides failures. */
final class StandardOutput implements LineSink {
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    @Override
    public synchronized void write(byte[] line) throws IOException {
        try {
            out.write(line);
        } catch (IOException e) {
            throw new IOException("cannot write to standard output: " + e.getMessage(), e);
        }
    }

    /** Others write to it, too. */
    @Override
    public void close() {}
}
