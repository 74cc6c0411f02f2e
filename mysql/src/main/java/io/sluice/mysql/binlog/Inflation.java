package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses zlib data whose uncompressed length is stated before it. Memory grows with what is really there, and never beyond the stated
 * length or {@link #MAX_BYTES}. For one thread.
 */
public final class Inflation {
    /** More than any event or value of a server can have. */
    public static final int MAX_BYTES = 1 << 30;

    /** The lower bound of zlib's compressed size: a thousandth of the uncompressed size. */
    private static final int LARGEST_RATIO = 1_040;

    private static final int STEP_BYTES = 1 << 20;

    private final Inflater inflater;

    /**
     * Makes one.
     *
     * @param wrapped whether the data have zlib's header and checksum
     */
    public Inflation(boolean wrapped) {
        this.inflater = new Inflater(!wrapped);
    }

    /**
     * Checks an uncompressed length before memory is taken for it.
     *
     * @param length the number of compressed bytes
     * @param stated the uncompressed length, in bytes
     * @throws MalformedEventException if so few bytes cannot be so many uncompressed ones, or no server writes so many
     */
    public static void requirePossible(int length, long stated) {
        if (stated > MAX_BYTES || stated > (long) LARGEST_RATIO * length) {
            throw new MalformedEventException(
                    "%d compressed bytes that state to be %d uncompressed ones".formatted(length, stated));
        }
    }

    /**
     * Unpacks, and appends the result.
     *
     * @param packed the array that holds the data
     * @param from where they start
     * @param length how many there are
     * @param stated the uncompressed length, in bytes
     * @throws MalformedEventException if the data are corrupt, or of another uncompressed length
     * @throws io.sluice.protocol.bytes.TooManyBytesException if the limit of {@code out} does not allow it
     */
    public void unpack(byte[] packed, int from, int length, long stated, ByteWriter out) {
        requirePossible(length, stated);
        inflater.reset();
        inflater.setInput(packed, from, length);
        try {
            inflate(stated, out);
            if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
                throw new MalformedEventException(
                        "compressed bytes are more than the %d that they state".formatted(stated));
            }
        } catch (DataFormatException e) {
            throw new MalformedEventException("compressed bytes are damaged: " + e.getMessage(), e);
        } finally {
            inflater.reset(); // releases the reference to the bytes
        }
    }

    /**
     * Unpacks the first bytes, and appends them; what follows is not checked, and may be missing.
     *
     * @param wanted how many bytes to unpack
     * @throws MalformedEventException if the data are corrupt before them, or are fewer
     */
    public void unpackFirst(byte[] packed, int from, int length, int wanted, ByteWriter out) {
        inflater.reset();
        inflater.setInput(packed, from, length);
        try {
            inflate(wanted, out);
        } catch (DataFormatException e) {
            throw new MalformedEventException("compressed bytes are damaged: " + e.getMessage(), e);
        } finally {
            inflater.reset(); // releases the reference to the bytes
        }
    }

    private void inflate(long bytes, ByteWriter out) throws DataFormatException {
        long left = bytes;
        while (left > 0) {
            int step = (int) Math.min(left, STEP_BYTES);
            out.ensure(step);
            int got = inflater.inflate(out.array(), out.size(), step);
            if (got == 0) {
                throw new MalformedEventException(
                        "compressed bytes end %d bytes before the %d that they state".formatted(left, bytes));
            }
            out.setSize(out.size() + got);
            left -= got;
        }
    }
}
