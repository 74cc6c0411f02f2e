package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The events of one binlog file, plain or gzipped.
 *
 * <p>The file's own format description comes first, wherever reading starts, since all that follows is read by it.
 */
public final class BinlogFile implements EventSource {
    private static final byte[] MAGIC = {(byte) 0xFE, 'b', 'i', 'n'};
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path path;
    private final InputStream in;
    private final long start;
    private final long end;
    private long offset;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    /** The part of the buffer that is not consumed yet. */
    private int at;

    private int limit;

    private BinlogFile(Path path, InputStream in, long start, long end) {
        this.path = path;
        this.in = in;
        this.start = start;
        this.end = end;
    }

    /** Opens a file, to be read from its first event to its last. */
    public static BinlogFile open(Path path) throws IOException {
        return open(path, MAGIC.length, Long.MAX_VALUE);
    }

    /**
     * Opens a file, to be read from an offset on.
     *
     * @param path the file; gzipped if it begins with gzip's two bytes
     * @param start where the first event wanted starts, in bytes of the plain file; at least 4
     * @param end where to stop, exclusive
     * @throws IOException if there is no such file, or it is no binlog
     */
    public static BinlogFile open(Path path, long start, long end) throws IOException {
        InputStream in = Files.newInputStream(path);
        try {
            if (isGzipped(path)) {
                in = new GZIPInputStream(in, BUFFER_BYTES);
            }
            byte[] magic = in.readNBytes(MAGIC.length);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new IOException(path + " is no binlog: it does not begin with fe 62 69 6e"
                        + " (an encrypted binlog, which begins with fd, cannot be read from a file)");
            }
            BinlogFile file = new BinlogFile(path, in, start, end);
            file.offset = MAGIC.length;
            return file;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static boolean isGzipped(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.read() == 0x1F && in.read() == 0x8B;
        }
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        while (offset < end) {
            int from = out.size();
            long eventStart = offset;
            int got = readInto(out, EventHeader.LENGTH);
            if (got == 0) {
                return -1;
            }
            if (got < EventHeader.LENGTH) {
                throw cutOff(eventStart);
            }
            EventHeader header = EventHeader.read(out.array(), from, EventHeader.LENGTH);
            if (header.code() == EventCode.MARIADB_START_ENCRYPTION) {
                throw new IOException(
                        "%s is encrypted from offset %d on, which only the server itself can read: read from the server"
                                .formatted(path, eventStart));
            }
            int rest = header.length() - EventHeader.LENGTH;
            if (eventStart < start && header.code() != EventCode.FORMAT_DESCRIPTION) {
                out.setSize(from);
                skip(Math.min(rest, start - offset));
                if (offset < eventStart + header.length()) {
                    throw new IOException("%s has no event that starts at %d".formatted(path, start));
                }
                continue;
            }
            if (readInto(out, rest) < rest) {
                throw cutOff(eventStart);
            }
            return header.length();
        }
        return -1;
    }

    /** Appends so many bytes, or those that are left; an array grows as they come, whatever an event states. */
    private int readInto(ByteWriter out, int wanted) throws IOException {
        int got = 0;
        while (got < wanted && (at < limit || fill())) {
            int step = Math.min(wanted - got, limit - at);
            out.write(buffer, at, step);
            at += step;
            got += step;
        }
        offset += got;
        return got;
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    private void skip(long count) throws IOException {
        int buffered = (int) Math.min(count, limit - at);
        at += buffered;
        in.skipNBytes(count - buffered);
        offset += count;
    }

    private EOFException cutOff(long eventStart) {
        return new EOFException("%s ends within the event that starts at %d".formatted(path, eventStart));
    }

    @Override
    public boolean hasBuffered() {
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
