package io.sluice.bench.workload;

import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The events of consecutive binlog files, as a server sends them. */
final class RecordedEvents implements EventSource {
    private static final int FIRST_OFFSET = 4;

    private final Deque<Path> later;
    private BinlogFile open;

    /**
     * Opens the first file.
     *
     * @param files at least one, oldest first
     * @param offset the offset of the first event in the first file
     */
    RecordedEvents(List<Path> files, long offset) throws IOException {
        later = new ArrayDeque<>(files);
        open = BinlogFile.open(later.remove(), offset, Long.MAX_VALUE);
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        int length = open.next(out);
        while (length < 0 && !later.isEmpty()) {
            open.close();
            open = BinlogFile.open(later.remove(), FIRST_OFFSET, Long.MAX_VALUE);
            length = open.next(out);
        }
        return length;
    }

    @Override
    public boolean hasBuffered() {
        return true;
    }

    @Override
    public void close() throws IOException {
        open.close();
    }
}
