package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.FileEnd;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Reads files of a binlog until nothing waits for the result any more: a scan of large files takes minutes. */
final class AbandonableScan implements BinlogScan {
    private static final int EVENTS_BETWEEN_CHECKS = 1000;

    private final BinlogScan scan;
    private final BooleanSupplier isAbandoned;

    /** @param isAbandoned whether the result is not needed any more; by the thread that scans */
    AbandonableScan(BinlogScan scan, BooleanSupplier isAbandoned) {
        this.scan = scan;
        this.isAbandoned = isAbandoned;
    }

    @Override
    public void scan(String file, Visitor visitor) throws IOException {
        Checked checked = begin(visitor);
        scan.scan(file, checked);
        checked.requireNotAbandoned();
    }

    @Override
    public void scan(BinlogPosition from, Visitor visitor) throws IOException {
        Checked checked = begin(visitor);
        scan.scan(from, checked);
        checked.requireNotAbandoned();
    }

    private Checked begin(Visitor visitor) throws IOException {
        if (isAbandoned.getAsBoolean()) {
            throw abandoned();
        }
        return new Checked(visitor);
    }

    private static IOException abandoned() {
        return new IOException(
                "the caller has closed its connection before the position was found: no cursor was changed");
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

    /** Shows events to a visitor until the scan is abandoned. */
    private final class Checked implements Visitor {
        private final Visitor visitor;
        private int untilCheck = EVENTS_BETWEEN_CHECKS;
        private boolean hasBeenAbandoned;

        Checked(Visitor visitor) {
            this.visitor = visitor;
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            if (--untilCheck == 0) {
                untilCheck = EVENTS_BETWEEN_CHECKS;
                hasBeenAbandoned = isAbandoned.getAsBoolean();
            }
            return !hasBeenAbandoned && visitor.visit(header, body, start, end);
        }

        void requireNotAbandoned() throws IOException {
            if (hasBeenAbandoned) {
                throw abandoned();
            }
        }
    }
}
