package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** A connection whose dump breaks when all was sent; tests override how, and what is scanned. */
class CutBinlog implements SourceConnection, BinlogScan {
    private final OneBinlog server;

    CutBinlog(OneBinlog server) {
        this.server = server;
    }

    /** Returns what a dump sends. */
    List<byte[]> events(DumpRequest request) {
        return server.binlog().dump(request.file(), request.position());
    }

    /** Called before each event of a dump, and before its end. */
    void onRead() {}

    @Override
    public ServerFacts facts() {
        return server;
    }

    @Override
    public BinlogScan scan() {
        return this;
    }

    @Override
    public void scan(String file, Visitor visitor) throws IOException {
        server.scan(file, visitor);
    }

    @Override
    public EventSource read(BinlogPosition from) {
        return server.read(from);
    }

    @Override
    public EventSource dump(DumpRequest request) {
        Iterator<byte[]> events = events(request).iterator();
        return new EventSource() {
            @Override
            public int next(ByteWriter out) throws IOException {
                onRead();
                if (!events.hasNext()) {
                    throw new EOFException("cut");
                }
                byte[] event = events.next();
                out.write(event);
                return event.length;
            }

            @Override
            public boolean hasBuffered() {
                return events.hasNext();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public long connectionId() {
        return 1;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
