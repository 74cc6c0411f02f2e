package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.DumpRequest;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.SourceTraits;
import io.sluice.schema.ddl.TableName;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryLocation;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.StreamStart;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryGapTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final TableName ORDERS = new TableName("shop", "orders");

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);

    /** A snapshot that is due is made before a DDL, at its event; then the DDL itself is lost. */
    @Test
    void replaysTheDdlAtWhichTheLastSnapshotWasMade() throws IOException {
        binlog.open(0);
        binlog.query("shop", "ALTER TABLE orders CHANGE a b varchar(20)");
        binlog.close();
        List<Event> events = binlog.events();
        BinlogPosition statement = new BinlogPosition(
                binlog.newestFile(), events.get(events.size() - 1).start());
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(table -> null, SourceTraits.DEFAULT, history);
            history.setSource(SERVER.toString());
            tracker.define(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `a` varchar(20), PRIMARY KEY (`id`))");
            history.begin(tracker.state());
            history.snapshot(
                    new StreamStart(SERVER.toString(), statement.file(), statement.offset(), 7, 1_700_000_000_000L),
                    tracker.state());
            HistoryGap gap = new HistoryGap(
                    "shop",
                    history,
                    new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new StartPosition.Newest()),
                    new OneBinlog(),
                    Time.SYSTEM);

            HistoryGap.Extent extent = gap.extent(
                    StartPoint.at(end, 7, 0),
                    new Cursor(ADDRESS.host(), ADDRESS.port(), end, "", 7, 1_700_000_000_000L));

            assertThat(extent).isInstanceOf(HistoryGap.Extent.UpTo.class);
            assertThat(gap.close((HistoryGap.Extent.UpTo) extent, end, tracker)).isTrue();
            assertThat(tracker.table(ORDERS).columns())
                    .extracting(column -> column.name())
                    .containsExactly("id", "b");
        }
    }

    private static HistoryConfig config() {
        return new HistoryConfig(
                "shop",
                new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                "",
                "",
                Duration.ZERO,
                Duration.ofDays(1));
    }

    /** A server that has nothing but a binlog. */
    private final class OneBinlog implements SourceConnection, ServerFacts, BinlogScan {
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
        public ServerAddress address() {
            return ADDRESS;
        }

        @Override
        public boolean mariaDb() {
            return false;
        }

        @Override
        public String identity() {
            return SERVER.toString();
        }

        @Override
        public long serverId() {
            return 7;
        }

        @Override
        public boolean hasGtids() {
            return true;
        }

        @Override
        public @Nullable String gtidMode() {
            return "ON";
        }

        @Override
        public boolean writesChecksums() {
            return false;
        }

        @Override
        public GtidSet executed() {
            return MySqlGtidSet.parse(binlog.executed());
        }

        @Override
        public MySqlGtidSet purged() {
            return MySqlGtidSet.EMPTY;
        }

        @Override
        public boolean isReplica() {
            return false;
        }

        @Override
        public End end() {
            return new End(new BinlogPosition(binlog.newestFile(), binlog.end()), executed());
        }

        @Override
        public List<File> files() {
            return List.of(new File(binlog.newestFile(), binlog.end()));
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
            Iterator<byte[]> events = binlog.dump(from.file(), from.offset()).iterator();
            return new EventSource() {
                @Override
                public int next(ByteWriter out) {
                    if (!events.hasNext()) {
                        return -1;
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
    }
}
