package io.sluice.bench.limit;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.mysql.wire.BinlogStream;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.DumpRequest;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;

/** Pulls a binlog by our own client, and looks at nothing. */
public final class BinlogPull {
    private static final long REPLICA_SERVER_ID = 4_242;

    private final ServerAddress server;
    private final RecordedBinlog binlog;

    /** One of a server that has the binlog. */
    public BinlogPull(ServerAddress server, RecordedBinlog binlog) {
        this.server = server;
        this.binlog = binlog;
    }

    /** Pulls it so many times, and returns the fastest. */
    public PullFigures best(int times) throws IOException {
        PullFigures best = pull();
        for (int i = 1; i < times; i++) {
            PullFigures next = pull();
            best = next.seconds() < best.seconds() ? next : best;
        }
        return best;
    }

    private PullFigures pull() throws IOException {
        ConnectOptions options = ConnectOptions.of(server, RecordedBinlog.USER, RecordedBinlog.PASSWORD);
        DumpRequest request = DumpRequest.from(binlog.file(), binlog.offset(), REPLICA_SERVER_ID)
                .upToTheEnd();
        ByteWriter event = new ByteWriter(1 << 20);
        long bytes = 0;
        long begin;
        try (MySqlConnection connection = MySqlConnection.open(options)) {
            begin = System.nanoTime();
            try (BinlogStream events = connection.dump(request)) {
                for (int length = events.next(event); length >= 0; length = events.next(event)) {
                    bytes += length;
                    event.setSize(0);
                }
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (bytes < binlog.bytes()) {
            throw new IllegalStateException(
                    "%d bytes of binlog came, but there are %d".formatted(bytes, binlog.bytes()));
        }
        return new PullFigures(binlog.totals().rows(), bytes, seconds);
    }
}
