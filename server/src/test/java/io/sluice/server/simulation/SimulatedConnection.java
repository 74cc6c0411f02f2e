package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker.Clock;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to a simulated host. Each request may fail. */
final class SimulatedConnection implements SourceConnection, ServerFacts, BinlogScan {
    private static final int CHECKSUM_BYTES = 4;

    private final SimulatedHost host;
    private final SimulatedServers servers;
    private final Clock time;
    private final long id;

    SimulatedConnection(SimulatedHost host, SimulatedServers servers, Clock time, long id) {
        this.host = host;
        this.servers = servers;
        this.time = time;
        this.id = id;
    }

    private SyntheticBinlog binlog() {
        return host.binlog();
    }

    @Override
    public ServerFacts facts() {
        return this;
    }

    @Override
    public BinlogScan scan() {
        return this;
    }

    @Override
    public EventSource dump(DumpRequest request) throws IOException {
        servers.requireReachable(host);
        return servers.opened(new SimulatedDump(host, request, time, servers.sendsMore(), servers.beatsAtOnce()));
    }

    @Override
    public long connectionId() {
        return id;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}

    @Override
    public ServerAddress address() {
        return host.address();
    }

    @Override
    public boolean mariaDb() {
        return binlog().flavour().isMariaDb();
    }

    @Override
    public String identity() throws IOException {
        servers.requireReachable(host);
        return host.identity();
    }

    @Override
    public long serverId() throws IOException {
        servers.requireReachable(host);
        return host.serverId();
    }

    @Override
    public boolean writesBinlog() {
        return true;
    }

    @Override
    public boolean hasGtids() {
        return binlog().flavour().hasGtids();
    }

    @Override
    public @Nullable String gtidMode() {
        return switch (binlog().flavour()) {
            case MYSQL_GTID -> "ON";
            case MYSQL_ANONYMOUS -> "OFF";
            case MARIADB -> null;
        };
    }

    @Override
    public boolean writesChecksums() {
        byte[] head = binlog().events().get(0).bytes();
        return head[head.length - CHECKSUM_BYTES - 1] == 1;
    }

    @Override
    public GtidSet executed() throws IOException {
        servers.requireReachable(host);
        return mariaDb() ? MariaDbGtidSet.parse(binlog().executed()) : MySqlGtidSet.parse(binlog().executed());
    }

    @Override
    public List<MariaDbGtid> newestOfServers() throws IOException {
        servers.requireReachable(host);
        return mariaDb() && !binlog().executed().isEmpty()
                ? List.of(MariaDbGtid.parse(binlog().executed())) // one server in one domain
                : List.of();
    }

    @Override
    public MariaDbGtidSet replicated() {
        return MariaDbGtidSet.EMPTY;
    }

    @Override
    public MySqlGtidSet committing() {
        return MySqlGtidSet.EMPTY;
    }

    @Override
    public MySqlGtidSet purged() throws IOException {
        servers.requireReachable(host);
        return binlog().flavour() == Flavour.MYSQL_GTID ? MySqlGtidSet.parse(binlog().purged()) : MySqlGtidSet.EMPTY;
    }

    @Override
    public Replication replication() {
        return host.isReplica() ? Replication.RUNNING : Replication.NONE;
    }

    @Override
    public boolean isReadOnly() {
        return host.isReplica();
    }

    @Override
    public boolean logsReplicated() {
        return true;
    }

    @Override
    public End end() throws IOException {
        GtidSet executed = hasGtids() ? executed() : null;
        return new End(new BinlogPosition(binlog().newestFile(), binlog().end()), executed);
    }

    @Override
    public List<File> files() throws IOException {
        servers.requireReachable(host);
        return binlog().fileNames().stream()
                .map(name -> new File(name, binlog().fileBytes(name)))
                .toList();
    }

    @Override
    public long clockMillis() {
        return host.seconds() * 1000;
    }

    @Override
    public void scan(String file, Visitor visitor) throws IOException {
        servers.requireReachable(host);
        if (!binlog().fileNames().contains(file)) {
            throw ServerErrors.unreadable("Could not find first log file name in binary log index file");
        }
        for (Event event : binlog().events(file)) {
            if (host.isDamagedAt(file, event.end())) {
                throw ServerErrors.unreadable(
                        "binlog truncated in the middle of event; consider out of disk space on source");
            }
            byte[] bytes = event.bytes();
            EventHeader header = EventHeader.read(bytes, 0, bytes.length);
            boolean isChecked = writesChecksums() && event.code() != SyntheticBinlog.FORMAT_DESCRIPTION;
            EventBody body = new EventBody(bytes, EventHeader.LENGTH, bytes.length - (isChecked ? CHECKSUM_BYTES : 0));
            if (!visitor.visit(header, body, event.start(), event.end())) {
                return;
            }
        }
    }

    @Override
    public EventSource read(BinlogPosition from) throws IOException {
        servers.requireReachable(host);
        DumpRequest request = DumpRequest.from(from.file(), from.offset(), 1)
                .withHeartbeatPeriod(Duration.ZERO)
                .upToTheEnd();
        return new SimulatedDump(host, request, time, servers.sendsMore(), false);
    }
}
