package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.FileEnd;
import java.io.IOException;
import java.time.Duration;

/** Scans files of a binlog up to a number of bytes, and for a time, in all. For one thread, but for {@link #abort}. */
final class LimitedScan implements BinlogScan {
    private static final long MIB = 1 << 20;

    private final BinlogScan scan;
    private final long mostBytes;
    private final Duration longest;
    private final Time time;
    private final long begunNanos;
    private long bytes;

    LimitedScan(BinlogScan scan, long mostBytes, Duration longest, Time time) {
        this.scan = scan;
        this.mostBytes = mostBytes;
        this.longest = longest;
        this.time = time;
        this.begunNanos = time.nanos();
    }

    @Override
    public void scan(String file, Visitor visitor) throws IOException {
        Limited limited = new Limited(file, visitor);
        scan.scan(file, limited);
        limited.requireWhole();
    }

    @Override
    public void scan(BinlogPosition from, Visitor visitor) throws IOException {
        Limited limited = new Limited(from.file(), visitor);
        scan.scan(from, limited);
        limited.requireWhole();
    }

    @Override
    public FileEnd end(BinlogPosition at) throws IOException {
        return scan.end(at);
    }

    @Override
    public EventSource read(BinlogPosition from) throws IOException {
        return scan.read(from);
    }

    @Override
    public void abort() {
        scan.abort();
    }

    /** Shows events to a visitor until there were too many. */
    private final class Limited implements Visitor {
        private final String file;
        private final Visitor visitor;
        private String excess = "";

        Limited(String file, Visitor visitor) {
            this.file = file;
            this.visitor = visitor;
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            if (!visitor.visit(header, body, start, end)) {
                return false;
            }
            bytes += end - start;
            if (bytes > mostBytes) {
                excess = "more than %d MiB".formatted(mostBytes / MIB);
            } else if (time.nanos() - begunNanos > longest.toNanos()) {
                excess = "more than %d s".formatted(longest.toSeconds());
            }
            if (!excess.isEmpty()) {
                excess = "looking through %s up to %d takes %s".formatted(file, end, excess);
            }
            return excess.isEmpty();
        }

        void requireWhole() throws ScanLimitException {
            if (!excess.isEmpty()) {
                throw new ScanLimitException(excess);
            }
        }
    }
}
