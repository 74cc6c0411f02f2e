package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.dump.DumpRequest;
import java.io.IOException;

/** Hosts that are reached over MySQL's protocol. */
public final class MySqlServers implements SourceServers {
    @Override
    public SourceConnection connect(SourceHost host) throws IOException {
        MySqlConnection connection = MySqlConnection.open(host.login());
        try {
            BinlogStorage.requireFiles(connection);
        } catch (IOException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
        return new Connected(connection, new DumpScan(host.login()));
    }

    @Override
    public SourceQueries queries(SourceHost host) {
        return new MySqlQueries(host.login());
    }

    @Override
    public void killDump(SourceHost host, long connectionId) {
        ServerProcess.end(
                "KILL CONNECTION", host.login(), connectionId, (command, text) -> command.startsWith("Binlog Dump"));
    }

    private record Connected(MySqlConnection connection, BinlogScan scan) implements SourceConnection {
        @Override
        public ServerFacts facts() {
            return new MySqlServerFacts(connection);
        }

        @Override
        public EventSource dump(DumpRequest request) throws IOException {
            return new DumpSource(connection, connection.dump(request));
        }

        @Override
        public long connectionId() {
            return connection.connectionId();
        }

        @Override
        public void abort() {
            connection.abort();
            scan.abort();
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
