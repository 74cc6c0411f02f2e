package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that compresses its transactions. */
@Timeout(600)
class CompressedSourceIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    /** 64 KB: fewer than a row of the large transaction has. */
    private static final RingConfig SMALL = new RingConfig(1 << 5, 1 << 11, false);

    private static final int LARGE_ROWS = 600;
    private static final int LARGE_ROW_BYTES = 100_000;

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(MySqlOptions.defaults().compressedTransactions());
        server.execute(
                "create user canal identified by 'secret'",
                "grant all on *.* to canal",
                "create database zip",
                "create table zip.large (id int auto_increment primary key, note longtext)",
                "create table zip.small (id int primary key, note text)",
                "create table zip.mark (id int)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void losesAndDoublesNothingWhereverItsConnectionIsCut(long seed) throws Exception {
        String schema = "cut_" + seed;
        BinlogEnd start = server.rotateBinlog();
        RandomWorkload workload =
                new RandomWorkload(RandomWorkload.Options.of(seed, 1_500).schema(schema));
        try (Connection connection = server.connect()) {
            workload.createTables(connection);
            workload.change(connection);
            workload.markTheEnd(connection);
        }
        List<Entry> undisturbed;
        try (LiveSource live = start(server.port(), at(start), null, LARGE)) {
            undisturbed = live.readUntil(isEndOf(schema));
        }
        try (CuttingProxy proxy = new CuttingProxy(server.port(), seed, 6, 80_000);
                LiveSource live = start(proxy.port(), at(start), null, SMALL)) {
            List<Entry> disturbed = live.readUntil(isEndOf(schema));

            assertThat(proxy.cutsLeft()).as("seed %d", seed).isZero();
            assertThat(disturbed)
                    .as("seed %d", seed)
                    .extracting(CompressedSourceIT::protobuf)
                    .usingElementComparator(java.util.Arrays::compare)
                    .isEqualTo(undisturbed.stream()
                            .map(CompressedSourceIT::protobuf)
                            .toList());
        }
    }

    /** 60 MB in an event of some KB pass a ring of 64 KB, all with the place of that event. */
    @Test
    void deliversALargeTransactionThroughASmallRing() throws Exception {
        BinlogEnd start = server.binlogEnd();
        server.execute(
                "insert into zip.large (note) with recursive n (i) as (select 1 union all select i + 1 from n where i < %d) select repeat('x', %d) from n"
                        .formatted(LARGE_ROWS, LARGE_ROW_BYTES),
                "insert into zip.mark values (1)");
        assertThat(server.binlogEnd().offset() - start.offset()).isLessThan(1_000_000);

        int rows = 0;
        long bytes = 0;
        BinlogPosition place = null;
        try (LiveSource live = start(server.port(), at(start), null, SMALL)) {
            while (rows < LARGE_ROWS) {
                for (Entry entry : live.next()) {
                    if (entry.tableName().equals("large")) {
                        place = place == null ? EntryPositions.start(entry) : place;
                        assertThat(EntryPositions.start(entry)).isEqualTo(place);
                        rows += entry.rowCount();
                        bytes += protobuf(entry).length;
                    }
                }
            }
            assertThat(live.retries()).isEmpty();
        }
        assertThat(rows).isEqualTo(LARGE_ROWS);
        assertThat(bytes).isGreaterThan((long) LARGE_ROWS * LARGE_ROW_BYTES);
    }

    @Test
    void readsTheWholeTransactionAgainFromEveryPositionInIt() throws Exception {
        BinlogEnd start = server.binlogEnd();
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            for (int i = 1; i <= 4; i++) {
                connection
                        .createStatement()
                        .execute("insert into zip.small values (%d, repeat('small ', 200))".formatted(i));
            }
            connection.commit();
        }
        server.execute("insert into zip.mark values (2)");
        List<Entry> all;
        try (LiveSource live = start(server.port(), at(start), null, LARGE)) {
            all = live.readUntil(CompressedSourceIT::isMark);
        }
        assertThat(all.subList(0, 6))
                .extracting(Entry::kind)
                .containsExactly(
                        EntryKind.BEGIN, EntryKind.ROWS, EntryKind.ROWS, EntryKind.ROWS, EntryKind.ROWS, EntryKind.END);
        for (Entry entry : all.subList(0, 6)) {
            try (LiveSource live = start(
                    server.port(),
                    null,
                    EntryPositions.at(EntryPositions.canalCursor(entry), "127.0.0.1", server.port()),
                    LARGE)) {
                List<Entry> again = live.readUntil(CompressedSourceIT::isMark);

                assertThat(again)
                        .extracting(CompressedSourceIT::protobuf)
                        .usingElementComparator(java.util.Arrays::compare)
                        .isEqualTo(
                                all.stream().map(CompressedSourceIT::protobuf).toList());
            }
        }
    }

    private static boolean isMark(Entry entry) {
        return entry.kind() == EntryKind.ROWS && entry.tableName().equals("mark");
    }

    private static java.util.function.Predicate<Entry> isEndOf(String schema) {
        return entry -> entry.kind() == EntryKind.ROWS
                && entry.schemaName().equals(schema)
                && entry.tableName().equals("sluice_end");
    }

    private static LiveSource start(int port, BinlogPosition start, Cursor cursor, RingConfig size) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), port), "canal", "secret");
        SourceOptions options =
                new SourceOptions(login, 4715, start, null, List.of("ROW"), List.of(), Duration.ofSeconds(5));
        return LiveSource.reading(options, size).from(cursor).encodeAhead(true).start();
    }

    private static BinlogPosition at(BinlogEnd end) {
        return new BinlogPosition(end.file(), end.offset());
    }

    private static byte[] protobuf(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        return out.toByteArray();
    }
}
