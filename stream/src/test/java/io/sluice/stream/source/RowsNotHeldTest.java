package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that are held back cannot be kept while the watch of the source has the connection left for another host. That host would be asked for
 * what follows them, so the stream must stop.
 */
class RowsNotHeldTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final StartPosition START = new StartPosition.At(new BinlogPosition("binlog.000001", 4), null);
    private static final SourceHost FIRST = new SourceHost(Sources.login(1), START);
    private static final SourceHost SECOND = new SourceHost(Sources.login(2), START);

    private static final int MOST_STEPS = 100;

    @TempDir
    private Path directory;

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MARIADB, 7, SERVER, 1_700_000_000, false);
    private final List<SourceHost> connected = new ArrayList<>();
    private @Nullable SourceSession session;

    /** A directory where none can be. */
    private Path unusable;

    @BeforeEach
    void fillDisk() throws IOException {
        unusable = Files.createFile(directory.resolve("file")).resolve("held");
    }

    @Test
    void rowsOfAnXaTransactionStopTheStream() throws Exception {
        binlog.open(0x4C); // prepares an XA transaction
        insert();

        read(StreamOptions.DEFAULT.with(new XaHolding(unusable, 0)));

        assertStopped(SourceFailure.XA_NOT_HELD);
    }

    @Test
    void rowsOfATransactionThatMayBeRolledBackStopTheStream() throws Exception {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert();

        read(StreamOptions.DEFAULT.with(new TransactionSpill(unusable, 1 << 10, 2_000)));

        assertStopped(SourceFailure.TRANSACTION_NOT_HELD);
    }

    @Test
    void aBrokenConnectionDoesNot() throws Exception {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert();

        read(StreamOptions.DEFAULT);

        assertThat(connected).containsExactly(FIRST, SECOND);
    }

    private void assertStopped(SourceFailure failure) {
        assertThat(session.state())
                .isInstanceOfSatisfying(
                        SourceState.Failed.class,
                        failed -> assertThat(failed.failure()).isEqualTo(failure));
        assertThat(connected).containsExactly(FIRST);
    }

    private void insert() {
        for (int i = 0; i < 5; i++) {
            binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(i, "x".repeat(1_000))));
        }
    }

    /** Reads until it has ended, or the second host was asked. */
    private void read(StreamOptions options) throws Exception {
        SourceWiring wiring = SourceWiring.of(
                "shop",
                Sources.options(Sources.byFile(), FIRST, SECOND),
                new SourceStream(
                        options,
                        new TableFilter("", ""),
                        ColumnTypes.defaults(ZoneOffset.UTC),
                        SchemaOptions.WITHOUT_HISTORY,
                        EventReader.DEFAULT_MAPPING_BYTES),
                new EntryRing(new RingConfig(1 << 12, 1 << 12, false)),
                null,
                null,
                new Listener(),
                new SourceWiring.Environment(
                        new Servers(),
                        (config, time) -> SchemaHistory.open(config, time),
                        new HandTime(),
                        new Random(1)));
        try (SourceSession reading = wiring.session()) {
            session = reading;
            for (int steps = 0; steps < MOST_STEPS && !reading.hasEnded() && !connected.contains(SECOND); steps++) {
                reading.step();
            }
        }
    }

    /** What comes, and then the connection that the watch has aborted. */
    private EventSource dump(BinlogPosition from) {
        Iterator<byte[]> events = binlog.dump(from.file(), from.offset()).iterator();
        return new EventSource() {
            @Override
            public int next(ByteWriter out) throws IOException {
                session.switchHost(FIRST, "it does not answer");
                if (!events.hasNext()) {
                    throw new EOFException("aborted");
                }
                byte[] event = events.next();
                out.write(event);
                return event.length;
            }

            @Override
            public boolean hasBuffered() {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    private static final class Listener implements SourceListener {
        @Override
        public void onStart(Cursor first) {}

        @Override
        public void onState(SourceState state) {}
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) {
            connected.add(host);
            return new Dumps(new OneBinlog(new ServerAddress("db", 3306), binlog));
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    private final class Dumps implements SourceConnection {
        private final OneBinlog server;

        Dumps(OneBinlog server) {
            this.server = server;
        }

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
            return RowsNotHeldTest.this.dump(new BinlogPosition(request.file(), request.position()));
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
}
