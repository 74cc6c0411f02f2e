package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events of MariaDB's {@code log_bin_compress} that are small in the binlog and large without compression. */
class CompressedEventsTest {
    private static final int ROWS = 30_000;

    /** An id, a text of 20 characters with its length, and a bitmap of NULLs, in each row. */
    private static final int ROW_BYTES = 4 + 21 + 1;

    private static final int XA_PREPARES = 0x4C;
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));

    enum Transaction {
        PLAIN,
        /** Held back until it is committed. */
        XA,
        /** In a file until it ends. */
        SPILLED
    }

    @TempDir
    private Path directory;

    private final SyntheticBinlog binlog = newBinlog();
    private final List<Entry> entries = new ArrayList<>();

    private boolean isSpilled;

    /** Whether the XA transaction is committed. */
    private boolean isDecided = true;

    /** The most that was awaited before a chunk. */
    private int awaited;

    @ParameterizedTest
    @EnumSource
    void rowsAwaitRoomForWhatTheyAreWithoutCompression(Transaction kind) throws Exception {
        writeRows(kind);

        readAll(LargeEventPolicy.READ);

        assertThat(rows()).singleElement().satisfies(entry -> {
            assertThat(entry).isInstanceOf(RowsEntry.class);
            assertThat(entry.rowCount()).isEqualTo(ROWS);
        });
        assertThat(awaited).isBetween(ROWS * ROW_BYTES, ROWS * ROW_BYTES * 5 / 4);
    }

    /** It is held back as it is, and awaits room for its rows when it is delivered. */
    @Test
    void rowsThatAreHeldBackAwaitNoRoomForWhatTheyAreWithoutCompression() throws Exception {
        Random random = new Random(7);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(List.of(i, "%020d".formatted(random.nextLong(Long.MAX_VALUE))));
        }
        isDecided = false;
        int packed = writeRows(Transaction.XA, rows);
        assertThat(packed).isGreaterThan(EventSource.LARGEST_WHOLE);

        readAll(LargeEventPolicy.READ);

        assertThat(rows()).isEmpty();
        assertThat(awaited).isBetween(EventSource.LARGEST_WHOLE, packed + 100);
    }

    @ParameterizedTest
    @EnumSource
    void rowsThatAreTooLargeWithoutCompressionAreLeftUnread(Transaction kind) throws Exception {
        writeRows(kind);

        readAll(new LargeEventPolicy(ROWS * ROW_BYTES / 2, true));

        assertThat(rows()).singleElement().satisfies(entry -> {
            assertThat(entry).isInstanceOf(UnreadRowsEntry.class);
            assertThat(((UnreadRowsEntry) entry).bytes()).isBetween((long) ROWS * ROW_BYTES, ROWS * ROW_BYTES + 100L);
        });
        assertThat(awaited).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void rowsThatAreTooLargeWithoutCompressionStopTheStreamIfNoConsumerHandlesThem(Transaction kind) {
        writeRows(kind);

        assertThatExceptionOfType(StreamException.class)
                .isThrownBy(() -> readAll(new LargeEventPolicy(ROWS * ROW_BYTES / 2, false)))
                .satisfies(e -> assertThat(e.failure()).isEqualTo(SourceFailure.EVENT_TOO_LARGE));
    }

    @Test
    void aStatementThatIsTooLargeWithoutCompressionStopsTheStream() {
        byte[] sql = new byte[300_000];
        Arrays.fill(sql, (byte) ' ');
        ByteWriter body = new ByteWriter(64);
        body.write(SyntheticBinlog.queryBody("shop", ""));
        writePacked(sql, 0, body);
        binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
        binlog.append(EventCode.MARIADB_QUERY_COMPRESSED, body.toByteArray());
        binlog.close();

        assertThatExceptionOfType(StreamException.class)
                .isThrownBy(() -> readAll(new LargeEventPolicy(4L * (sql.length - 1), true)))
                .withMessageContaining("is 300000 bytes, limit for this heap is 299999")
                .satisfies(e -> assertThat(e.failure()).isEqualTo(SourceFailure.EVENT_TOO_LARGE));
    }

    private static SyntheticBinlog newBinlog() {
        return new SyntheticBinlog(Flavour.MARIADB, 7, SERVER, 1_700_000_000, false);
    }

    /** A transaction of one rows event, which is compressed. */
    private void writeRows(Transaction kind) {
        int packed = writeRows(kind, Collections.nCopies(ROWS, List.of(1, "twenty characters...")));
        assertThat(packed).isLessThan(EventSource.LARGEST_WHOLE / 10);
    }

    /** Returns how many bytes the event has. */
    private int writeRows(Transaction kind, List<List<Object>> images) {
        boolean isXa = kind == Transaction.XA;
        isSpilled = kind == Transaction.SPILLED;
        SyntheticBinlog plain = newBinlog();
        plain.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        plain.rows(ORDERS, SyntheticBinlog.Change.INSERT, images);
        List<SyntheticBinlog.Event> events = plain.events();
        byte[] map = body(events.get(events.size() - 2));
        byte[] rows = body(events.get(events.size() - 1));
        assertThat(events.get(events.size() - 1).code()).isEqualTo(EventCode.WRITE_ROWS_V1);
        int plainBytes = 6 + 2 + 1 + 1; // table id, flags, column count, bitmap
        ByteWriter packed = new ByteWriter(64);
        packed.write(rows, 0, plainBytes);
        writePacked(rows, plainBytes, packed);

        binlog.open(isXa ? XA_PREPARES : SyntheticBinlog.MARIADB_TRANSACTIONAL);
        binlog.append(EventCode.TABLE_MAP, map);
        binlog.append(EventCode.MARIADB_WRITE_ROWS_COMPRESSED_V1, packed.toByteArray());
        if (isXa) {
            binlog.query("shop", "XA END X'61',X'',1");
            binlog.append(
                    SyntheticBinlog.XA_PREPARE,
                    new byte[] {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'a'}); // not one phase
            if (isDecided) {
                binlog.close();
                binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
                binlog.query("shop", "XA COMMIT X'61',X'',1");
            }
        } else {
            binlog.xid();
        }
        binlog.close();
        return packed.size();
    }

    private static byte[] body(SyntheticBinlog.Event event) {
        return Arrays.copyOfRange(event.bytes(), EventHeader.LENGTH, event.bytes().length);
    }

    private static void writePacked(byte[] plain, int from, ByteWriter out) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain, from, plain.length - from);
        deflater.finish();
        byte[] data = new byte[plain.length];
        int length = deflater.deflate(data);
        deflater.end();
        out.write(ByteBuffer.allocate(5)
                .put((byte) 0x84)
                .putInt(plain.length - from)
                .array());
        out.write(data, 0, length);
    }

    private List<Entry> rows() {
        return entries.stream().filter(entry -> entry.kind() == EntryKind.ROWS).toList();
    }

    private void readAll(LargeEventPolicy large) throws Exception {
        StreamOptions options = StreamOptions.DEFAULT.with(large).with(new XaHolding(directory, 1 << 20));
        if (isSpilled) {
            options = options.with(new TransactionSpill(directory, 0, 1 << 24));
        }
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                new SchemaTracker(name -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                new ReaderOptions(HiddenColumns.NONE, EventReader.DEFAULT_MAPPING_BYTES, new HandTime()));
        reader.onReconnect(false, false);
        EventSource dump = new SlowEvents(new ListedEvents(binlog.dump(binlog.newestFile(), 4)));
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(dump, chunk);
            awaited = Math.max(awaited, reader.awaitedBytes());
            chunk.close(true);
            entries.addAll(chunk.entries());
        }
        reader.close();
    }

    /** Events of which the next one is never there yet, so that each has a chunk of its own. */
    private record SlowEvents(EventSource events) implements EventSource {
        @Override
        public int next(ByteWriter out) throws IOException {
            return events.next(out);
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() throws IOException {
            events.close();
        }
    }
}
