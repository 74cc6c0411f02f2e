package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.FileEnd;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import java.util.function.LongConsumer;

/** A connection whose scans are counted while they run. */
final class CountedConnection implements SourceConnection {
    private final SourceConnection connection;
    private final BinlogScan scan;

    /** @param searched takes the length of each event that a scan reads, by the thread that scans */
    CountedConnection(SourceConnection connection, LongConsumer searched) {
        this.connection = connection;
        this.scan = new CountedScan(connection.scan(), searched);
    }

    @Override
    public ServerFacts facts() {
        return connection.facts();
    }

    @Override
    public BinlogScan scan() {
        return scan;
    }

    @Override
    public EventSource dump(DumpRequest request) throws IOException {
        return connection.dump(request);
    }

    @Override
    public long connectionId() {
        return connection.connectionId();
    }

    @Override
    public void abort() {
        connection.abort();
    }

    @Override
    public void close() {
        connection.close();
    }

    private record CountedScan(BinlogScan scan, LongConsumer searched) implements BinlogScan {
        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            scan.scan(file, counting(visitor));
        }

        @Override
        public void scan(BinlogPosition from, Visitor visitor) throws IOException {
            scan.scan(from, counting(visitor));
        }

        private Visitor counting(Visitor visitor) {
            return (header, body, start, end) -> {
                searched.accept(end - start);
                return visitor.visit(header, body, start, end);
            };
        }

        @Override
        public long begunSeconds(String file) throws IOException {
            return scan.begunSeconds(file);
        }

        @Override
        public FileEnd end(BinlogPosition at) throws IOException {
            return scan.end(at);
        }

        @Override
        public EventSource read(BinlogPosition from) throws IOException {
            return new CountedEvents(scan.read(from), searched);
        }

        @Override
        public void abort() {
            scan.abort();
        }
    }

    private record CountedEvents(EventSource events, LongConsumer searched) implements EventSource {
        @Override
        public int next(ByteWriter out) throws IOException {
            int length = events.next(out);
            searched.accept(Math.max(0, length));
            return length;
        }

        @Override
        public boolean hasRest() {
            return events.hasRest();
        }

        @Override
        public int rest(byte[] to, int at, int most) throws IOException {
            int length = events.rest(to, at, most);
            searched.accept(Math.max(0, length));
            return length;
        }

        @Override
        public boolean hasBuffered() {
            return events.hasBuffered();
        }

        @Override
        public Passed passed() {
            return events.passed();
        }

        @Override
        public void close() throws IOException {
            events.close();
        }
    }
}
