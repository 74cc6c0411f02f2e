package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;

/** Scans a synthetic binlog without checksums. */
public final class SyntheticScan {
    private SyntheticScan() {}

    public static void scan(SyntheticBinlog binlog, String file, BinlogScan.Visitor visitor) {
        for (Event event : binlog.events(file)) {
            byte[] bytes = event.bytes();
            EventHeader header = EventHeader.read(bytes, 0, bytes.length);
            EventBody body = new EventBody(bytes, EventHeader.LENGTH, bytes.length);
            if (!visitor.visit(header, body, event.start(), event.end())) {
                return;
            }
        }
    }
}
