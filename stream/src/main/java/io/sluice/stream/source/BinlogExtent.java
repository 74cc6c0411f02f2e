package io.sluice.stream.source;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;

/**
 * The files and the end of a server's binlog at one moment.
 *
 * @param files oldest first
 * @param end where it ended
 * @param clockMillis the server's clock minus ours
 */
record BinlogExtent(List<ServerFacts.File> files, BinlogPosition end, long clockMillis) {
    /** Queries the server. */
    static BinlogExtent of(ServerFacts facts, long nowMillis) throws IOException {
        return new BinlogExtent(facts.files(), facts.end().position(), facts.clockMillis() - nowMillis);
    }

    /**
     * Computes the lag of a reader.
     *
     * @param read how far it has read
     * @param readMillis the time up to which it has read; 0 if there is none
     * @param nowMillis our clock
     */
    Lag lag(BinlogPosition read, long readMillis, long nowMillis) {
        long bytes = bytesBehind(read);
        if (bytes == 0) {
            return Lag.NONE;
        }
        long seconds = readMillis == 0 ? -1 : Math.max(0, (nowMillis + clockMillis - readMillis) / 1000);
        return new Lag(seconds, bytes);
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
