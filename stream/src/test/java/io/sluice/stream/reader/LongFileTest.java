package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import io.sluice.testkit.binlog.SyntheticTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file that a large transaction has made longer than 4 GiB; headers state offsets modulo 2^32. */
class LongFileTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final int NEXT_OFFSET = 13;

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void positionsAreOfTheFileAndNotOfHeaders(Flavour flavour) throws Exception {
        SyntheticBinlog binlog = binlog(flavour);
        requirePositions(binlog, binlog.transactions().get(10).start() + 50);
    }

    /** Its header states 0, as those of events do that are in no file. */
    @ParameterizedTest
    @EnumSource(Flavour.class)
    void anEventMayEndExactlyThere(Flavour flavour) throws Exception {
        SyntheticBinlog binlog = binlog(flavour);
        requirePositions(binlog, binlog.transactions().get(10).end());
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, false);
        for (int i = 0; i < 20; i++) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            if (!flavour.isMariaDb()) {
                binlog.query("shop", "BEGIN");
            }
            binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(i, "note " + i)));
            binlog.xid();
            binlog.close();
        }
        return binlog;
    }

    /**
     * Reads it as the end of a file.
     *
     * @param at the offset that becomes 4 GiB
     */
    private static void requirePositions(SyntheticBinlog binlog, long at) throws Exception {
        List<Transaction> transactions = binlog.transactions();
        long start = transactions.get(0).start();
        long more = (1L << 32) - at;
        EventReader reader = reader(binlog.flavour(), new BinlogPosition("binlog.000001", start + more));
        List<byte[]> dump = new ArrayList<>();
        for (Event event : binlog.events()) {
            if (event.start() >= start) {
                dump.add(moved(event.bytes(), more));
            }
        }

        List<Entry> entries = new ArrayList<>();
        EventSource source = new ListedEvents(dump);
        boolean isRead = true;
        while (isRead) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            isRead = reader.read(source, chunk);
            entries.addAll(chunk.entries());
        }

        if (binlog.flavour().hasGtids()) {
            assertThat(reader.executed()).hasToString(binlog.executed());
        }
        assertThat(reader.resumePosition().offset()).isEqualTo(binlog.end() + more);
        assertThat(entries.stream()
                        .filter(Entry::isBoundary)
                        .map(entry -> entry.cursor().position().offset()))
                .containsExactlyElementsOf(transactions.stream()
                        .map(transaction -> transaction.end() + more)
                        .toList());
    }

    private static byte[] moved(byte[] event, long more) {
        byte[] bytes = event.clone();
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long next = EventHeader.read(event, 0, event.length).nextOffset();
        header.putInt(NEXT_OFFSET, (int) (next + more));
        return bytes;
    }

    private static EventReader reader(Flavour flavour, BinlogPosition start) {
        GtidSet none = flavour.isMariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                start,
                flavour.hasGtids() ? none : null,
                StreamOptions.DEFAULT,
                new SchemaTracker(name -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        reader.onReconnect(false, false);
        return reader;
    }
}
