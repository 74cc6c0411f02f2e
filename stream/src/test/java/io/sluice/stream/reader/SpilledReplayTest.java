package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prepared transactions that are replayed at their commit, and are so large that they are in a file until they end. */
class SpilledReplayTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));

    @TempDir
    private Path directory;

    /** The sizes are such that chunks end at each place of the last events of the transaction. */
    @Test
    void noCheckpointIsAfterRowsThatAreStillInTheFile() throws IOException {
        for (int more = 0; more < 9000; more += 30) {
            SyntheticBinlog binlog = new SyntheticBinlog(
                    Flavour.MARIADB, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, true);
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            insert(binlog, 0, 1);
            binlog.xid();
            binlog.close();
            binlog.open(0x4C); // a prepared transaction
            int rows = 1;
            for (long begin = binlog.end(); binlog.end() - begin < 142_500 + more / 250 * 250; rows++) {
                insert(binlog, rows, 200);
            }
            insert(binlog, rows, 1 + more % 250);
            rows++;
            binlog.query("shop", "XA END X'61',X'',1");
            binlog.append(SyntheticBinlog.XA_PREPARE, prepareOfA());
            binlog.close();
            long prepared = binlog.end();
            binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
            binlog.query("shop", "XA COMMIT X'61',X'',1");
            binlog.close();
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            insert(binlog, rows, 1);
            binlog.xid();
            binlog.close();

            assertCheckpointsFollowRows(binlog, prepared, rows);
        }
    }

    private void assertCheckpointsFollowRows(SyntheticBinlog binlog, long prepared, int rows) throws IOException {
        StreamOptions options = StreamOptions.DEFAULT
                .with(new XaHolding(directory, 1 << 20))
                .with(new TransactionSpill(directory, 1 << 12, 1L << 30));
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                new SchemaTracker(table -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        try {
            reader.onReconnect(true, false);
            EventSource events = new ListedEvents(binlog.dump(binlog.newestFile(), 4));
            long read = 0;
            boolean more = true;
            while (more) {
                Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
                more = reader.read(events, chunk);
                read += chunk.entries().stream()
                        .filter(entry -> entry.kind() == EntryKind.ROWS)
                        .count();
                if (chunk.checkpoint() != null && chunk.checkpoint().position().offset() >= prepared) {
                    assertThat(read)
                            .as("rows before %s", chunk.checkpoint().position())
                            .isGreaterThanOrEqualTo(rows);
                }
            }
            assertThat(read).isEqualTo(rows + 1);
        } finally {
            reader.close();
        }
    }

    private static void insert(SyntheticBinlog binlog, int id, int length) {
        binlog.rows(ORDERS, Change.INSERT, List.of(List.of(id, "n".repeat(length))));
    }

    private static byte[] prepareOfA() {
        return ByteBuffer.allocate(14)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0)
                .putInt(1)
                .putInt(1)
                .putInt(0)
                .put((byte) 'a')
                .array();
    }
}
