package io.sluice.stream.spill;

import io.sluice.stream.xa.HeldSpace;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are written, then sealed, then read once in order, then discarded: in a file, which is created when they exceed a buffer. For
 * one thread.
 */
final class SpillFile {
    private static final int BUFFER_BYTES = 1 << 17;

    private final HeldSpace space;
    private final long maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    /** The bytes in the buffer that were written and are not in the file, or were read from it. */
    private int filled;

    /** How many of the bytes in the buffer were read. */
    private int taken;

    private long inFile;
    private long written;
    private long read;
    private @Nullable Path path;
    private @Nullable FileChannel channel;

    SpillFile(HeldSpace space, long maxBytes) {
        this.space = space;
        this.maxBytes = maxBytes;
    }

    /** How many bytes were written. */
    long written() {
        return written;
    }

    /** How many bytes were read or passed over. */
    long read() {
        return read;
    }

    /** Where they are; null if the buffer holds them. */
    @Nullable Path path() {
        return path;
    }

    /** Writes bytes; at most {@link #BUFFER_BYTES} at a time stay together, in the buffer or in the file. */
    void write(byte[] bytes, int from, int count) throws IOException {
        if (written + count > maxBytes) {
            throw new IOException("it may have %d bytes at most".formatted(maxBytes));
        }
        if (count > BUFFER_BYTES - filled) {
            toFile(ByteBuffer.wrap(buffer, 0, filled));
            filled = 0;
        }
        if (count > BUFFER_BYTES) {
            toFile(ByteBuffer.wrap(bytes, from, count));
        } else {
            System.arraycopy(bytes, from, buffer, filled, count);
            filled += count;
        }
        written += count;
    }

    /** Overwrites eight bytes that were written at once. */
    void overwrite(long offset, long number) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, number);
        if (offset >= inFile) {
            System.arraycopy(bytes.array(), 0, buffer, (int) (offset - inFile), Long.BYTES);
            return;
        }
        FileChannel open = opened();
        while (bytes.hasRemaining()) {
            open.write(bytes, offset + bytes.position());
        }
    }

    private void toFile(ByteBuffer bytes) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            Path next = space.nextFile();
            path = next;
            open = HeldSpace.create(next);
            channel = open;
        }
        inFile += bytes.remaining();
        while (bytes.hasRemaining()) {
            open.write(bytes);
        }
    }

    private FileChannel opened() {
        FileChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("there is no file");
        }
        return open;
    }

    /** States that all was written. */
    void seal() throws IOException {
        Path own = path;
        if (own != null) {
            toFile(ByteBuffer.wrap(buffer, 0, filled));
            filled = 0;
            opened().close();
            channel = FileChannel.open(own, StandardOpenOption.READ);
        }
    }

    /** Reads bytes, all that are wanted. */
    void read(byte[] to, int at, int count) throws IOException {
        int known = Math.min(count, filled - taken);
        System.arraycopy(buffer, taken, to, at, known);
        taken += known;
        if (known < count) {
            int missing = count - known;
            if (missing < BUFFER_BYTES) {
                refill(missing);
                System.arraycopy(buffer, 0, to, at + known, missing);
                taken = missing;
            } else {
                readFully(ByteBuffer.wrap(to, at + known, missing));
            }
        }
        read += count;
    }

    private void refill(int wanted) throws IOException {
        ByteBuffer target = ByteBuffer.wrap(buffer);
        while (target.position() < wanted) {
            requireBytes(opened().read(target));
        }
        filled = target.position();
    }

    private void readFully(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            requireBytes(opened().read(target));
        }
    }

    private static void requireBytes(int count) throws EOFException {
        if (count < 0) {
            throw new EOFException("it is shorter than it was written");
        }
    }

    /** Passes over bytes. */
    void skip(int count) throws IOException {
        int known = Math.min(count, filled - taken);
        taken += known;
        if (known < count) {
            FileChannel open = opened();
            open.position(open.position() + count - known);
        }
        read += count;
    }

    /** Deletes the file. Idempotent. */
    void discard() {
        FileChannel open = channel;
        Path own = path;
        try {
            if (open != null) {
                open.close();
            }
            if (own != null) {
                Files.deleteIfExists(own);
            }
        } catch (IOException e) {
            // What it has is of no use any more, and the next start deletes it.
        }
    }
}
