package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;

/**
 * A connection whose dump breaks when all was sent.
 *
 * @param onRead run before each event, and before the end
 */
record CutBinlog(OneBinlog server, Runnable onRead) implements SourceConnection {
    @Override
    public ServerFacts facts() {
        return server;
    }

    @Override
    public BinlogScan scan() {
        return server;
    }

    @Override
    public EventSource dump(DumpRequest request) {
        Iterator<byte[]> events =
                server.binlog().dump(request.file(), request.position()).iterator();
        return new EventSource() {
            @Override
            public int next(ByteWriter out) throws IOException {
                onRead.run();
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
