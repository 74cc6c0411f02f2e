package io.sluice.stream.source.watch;

import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files and the end of a server's binlog at one moment.
 *
 * @param files oldest first, and perhaps some that are deleted since, or newer than the end; empty if they were not asked for, since the reader
 *     was in the last one. The length of the last one is not current.
 * @param end where it ended
 * @param clockMillis the server's clock minus ours
 */
public record BinlogExtent(List<ServerFacts.File> files, BinlogPosition end, long clockMillis) {
    /**
     * Queries the server. Its files are asked for only if they are needed and have changed: there may be many thousands, and the server opens each
     * of them while transactions that are committed during a rotation wait.
     *
     * @param before of the same server; null if there is none
     * @param read how far the reader has read; null if that is not known
     */
    static BinlogExtent of(
            ServerFacts facts, @Nullable BinlogExtent before, @Nullable BinlogPosition read, long nowMillis)
            throws IOException {
        BinlogPosition end = facts.end().position();
        List<ServerFacts.File> files = before == null ? List.of() : before.files;
        boolean isKnown = !files.isEmpty() && files.get(files.size() - 1).name().equals(end.file());
        if (!isKnown) {
            boolean isNeeded = read == null || !read.file().equals(end.file());
            files = isNeeded ? facts.files() : List.of();
        }
        return new BinlogExtent(files, end, facts.clockMillis() - nowMillis);
    }

    /**
     * Computes the lag of a reader.
     *
     * @param read how far it has read
     * @param readMillis the time up to which it has read; 0 if there is none
     * @param nowMillis our clock
     */
    public Lag lag(BinlogPosition read, long readMillis, long nowMillis) {
        if (files.isEmpty() && !read.file().equals(end.file()) && read.isBefore(end)) {
            return Lag.UNKNOWN; // it has gone back, and the next check asks for the files
        }
        long bytes = bytesBehind(read);
        if (bytes == 0) {
            return Lag.NONE;
        }
        long seconds = readMillis == 0 ? -1 : Math.max(0, (nowMillis + clockMillis - readMillis) / 1000);
        return new Lag(seconds, bytes);
    }

    /** Whether headers cannot state all offsets of a file, which have 32 bits of them. */
    boolean exceedsHeaders(String file) {
        long bytes = file.equals(end.file())
                ? end.offset()
                : files.stream()
                        .filter(known -> known.name().equals(file))
                        .mapToLong(ServerFacts.File::bytes)
                        .findFirst()
                        .orElse(0);
        return bytes > DumpRequest.LARGEST_POSITION;
    }

    private long bytesBehind(BinlogPosition read) {
        if (read.file().equals(end.file())) {
            return Math.max(0, end.offset() - read.offset());
        }
        long bytes = 0;
        boolean reached = false;
        for (ServerFacts.File file : files) {
            if (file.name().equals(read.file())) {
                reached = true;
                bytes = Math.max(0, file.bytes() - read.offset());
            } else if (file.name().equals(end.file())) {
                return reached ? bytes + end.offset() : 0; // a reader that is not among the files is in a newer one
            } else if (reached) {
                bytes += file.bytes();
            }
        }
        return reached ? bytes : 0;
    }
}
