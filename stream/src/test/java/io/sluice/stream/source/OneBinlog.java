package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.testkit.binlog.SyntheticBinlog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server that has nothing but a binlog. */
public record OneBinlog(ServerAddress address, SyntheticBinlog binlog, Role role)
        implements SourceConnection, ServerFacts, BinlogScan {
    /**
     * What it is among servers.
     *
     * @param identity empty for the UUID of its binlog
     */
    public record Role(
            boolean writesBinlog,
            Replication replication,
            boolean isReadOnly,
            boolean logsReplicated,
            String identity) {
        static final Role SOURCE = new Role(true, Replication.NONE, false, true, "");

        /** One with an identity. */
        public static Role of(String identity) {
            return new Role(true, Replication.RUNNING, true, true, identity);
        }
    }

    /** A source. */
    public OneBinlog(ServerAddress address, SyntheticBinlog binlog) {
        this(address, binlog, Role.SOURCE);
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
    public EventSource dump(DumpRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long connectionId() {
        return 1;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}

    @Override
    public boolean mariaDb() {
        return binlog.flavour().isMariaDb();
    }

    @Override
    public String identity() {
        return role.identity().isEmpty() ? binlog.uuid().toString() : role.identity();
    }

    @Override
    public long serverId() {
        return 7;
    }

    @Override
    public boolean writesBinlog() {
        return role.writesBinlog();
    }

    @Override
    public boolean hasGtids() {
        return binlog.flavour().hasGtids();
    }

    @Override
    public @Nullable String gtidMode() {
        return mariaDb() ? null : hasGtids() ? "ON" : "OFF";
    }

    @Override
    public boolean writesChecksums() {
        return false;
    }

    @Override
    public GtidSet executed() {
        return mariaDb() ? MariaDbGtidSet.parse(binlog.executed()) : MySqlGtidSet.parse(binlog.executed());
    }

    @Override
    public List<MariaDbGtid> newestOfServers() {
        return mariaDb() && !binlog.executed().isEmpty()
                ? List.of(MariaDbGtid.parse(binlog.executed())) // one server in one domain
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
    public MySqlGtidSet purged() {
        return mariaDb() ? MySqlGtidSet.EMPTY : MySqlGtidSet.parse(binlog.purged());
    }

    @Override
    public Replication replication() {
        return role.replication();
    }

    @Override
    public boolean isReadOnly() {
        return role.isReadOnly();
    }

    @Override
    public boolean logsReplicated() {
        return role.logsReplicated();
    }

    @Override
    public End end() {
        return new End(new BinlogPosition(binlog.newestFile(), binlog.end()), hasGtids() ? executed() : null);
    }

    @Override
    public List<File> files() {
        return binlog.fileNames().stream()
                .map(name -> new File(name, binlog.fileBytes(name)))
                .toList();
    }

    @Override
    public long clockMillis() {
        return binlog.seconds() * 1000;
    }

    @Override
    public void scan(String file, Visitor visitor) {
        SyntheticScan.scan(binlog, file, visitor);
    }

    @Override
    public EventSource read(BinlogPosition from) {
        return new ListedEvents(binlog.dump(from.file(), from.offset()));
    }
}
