package io.sluice.bench.stage;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.wire.BinlogStream;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.DumpRequest;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;

/** Pulls a binlog from its server, and throws away what comes. */
final class PulledEvents {
    private static final int REPLICA_ID = 999;
    private static final int BUFFER_BYTES = 1 << 16;

    private PulledEvents() {}

    /** Pulls all of it, and returns how many bytes the events had. */
    static long pull(RecordedBinlog binlog, int port) throws IOException {
        ConnectOptions login =
                ConnectOptions.of(new ServerAddress("127.0.0.1", port), RecordedBinlog.USER, RecordedBinlog.PASSWORD);
        DumpRequest from = DumpRequest.from(binlog.file(), binlog.offset(), REPLICA_ID);
        DumpRequest toItsEnd = new DumpRequest(
                from.file(),
                from.position(),
                from.replicaServerId(),
                from.replicaUuid(),
                from.heartbeatPeriod(),
                from.writeTimeout(),
                false,
                null);
        long bytes = 0;
        ByteWriter event = new ByteWriter(BUFFER_BYTES);
        try (MySqlConnection connection = MySqlConnection.open(login);
                BinlogStream stream = connection.dump(toItsEnd)) {
            for (int length = stream.next(event); length >= EventHeader.LENGTH; length = stream.next(event)) {
                bytes += length;
                event.clear();
            }
        }
        return bytes;
    }
}
