package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.dump.EventsBefore;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds out whether the offset of a start position is within an event, as after it was edited by hand. For one thread. */
public final class OffsetCheck implements BinlogScan.Visitor {
    private final long offset;
    private long begunSeconds;
    /** Where the last event begins and ends that was seen. */
    private long start;

    private long end;
    private boolean isDamaged;

    private OffsetCheck(long offset) {
        this.offset = offset;
    }

    /**
     * Looks a start position up in its file, which is read up to there.
     *
     * @return what is wrong if the offset is within an event: MISCONFIGURED, or PURGED if the file is another one than that which was read. Null if it is
     *     not, if the file ends before it, or if that cannot be told since the header of an event before it is damaged
     * @throws IOException if the server cannot be read, or has no such file
     */
    public static @Nullable SourceException failure(DumpStart start, BinlogScan scan) throws IOException {
        BinlogPosition sought = start.positionOrUnknown();
        OffsetCheck check = new OffsetCheck(sought.offset());
        scan.scan(sought.file(), check);
        if (!check.isWithin()) {
            return null;
        }
        SourceException otherFile = HostCheck.otherFile(start, check.begunSeconds);
        return otherFile == null
                ? EventsBefore.within(sought.file(), sought.offset(), check.start, check.end)
                : otherFile;
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long from, long to) {
        if (end == 0) {
            begunSeconds = header.timestampSeconds();
        }
        start = from;
        end = to;
        isDamaged = header.nextOffset() != 0 && (int) header.nextOffset() != (int) to;
        return !isDamaged && to < offset;
    }

    private boolean isWithin() {
        return !isDamaged && start < offset && offset < end;
    }
}
