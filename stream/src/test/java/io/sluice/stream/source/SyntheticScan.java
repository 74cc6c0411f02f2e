package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import java.util.function.BiPredicate;

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

    /**
     * Scans as a server with {@code gtid_mode=ON}, which sends no transaction without a GTID.
     *
     * @param isUnsent whether an event, which starts at an offset, is not sent
     * @throws ServerErrorException if the scan comes to one
     */
    public static void scan(
            SyntheticBinlog binlog,
            String file,
            BiPredicate<? super EventHeader, ? super Long> isUnsent,
            BinlogScan.Visitor visitor)
            throws ServerErrorException {
        boolean[] isReached = {false};
        scan(binlog, file, (header, body, start, end) -> {
            isReached[0] = isUnsent.test(header, start);
            return !isReached[0] && visitor.visit(header, body, start, end);
        });
        if (isReached[0]) {
            throw ServerErrors.unreadable(
                    "Cannot replicate anonymous transaction when @@GLOBAL.GTID_MODE = ON, at file " + file);
        }
    }
}
