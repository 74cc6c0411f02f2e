package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;

/** A binlog of which single files are scanned, and that is not read. */
public abstract class ScanOnly implements BinlogScan {
    @Override
    public EventSource read(BinlogPosition from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void abort() {}
}
