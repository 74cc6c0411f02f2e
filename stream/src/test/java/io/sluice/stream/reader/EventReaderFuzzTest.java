package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.options.StreamOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whatever events a source sends: they become entries that can be written, or end in the one exception that says where.
 *
 * <p>An input is a run of events, each with its type, the length of its body in two bytes, and the body; the header is put
 * in front of it, so that the fuzzer tries what is after headers. The first byte chooses the form that is written.
 * The corpus has transactions of real servers in that form.
 */
class EventReaderFuzzTest {
    private static final int FRAME = 3;

    private static final RowKey KEY = RowKey.of(List.of("c0", "c1", "c2", "c8", "no such column"));

    /** Any table map fits the table schema that every table has. */
    private static final String CREATE = IntStream.range(0, 64)
            .mapToObj(i -> "c" + i + (i % 8 == 0 ? " json" : i % 8 == 1 ? " int unsigned" : " text"))
            .collect(Collectors.joining(", ", "create table t (", ")"));

    @FuzzTest(maxDuration = "90s")
    void becomeEntriesOrEndInTheDocumentedException(byte[] anything) throws IOException {
        if (anything.length == 0) {
            return;
        }
        boolean flat = (anything[0] & 1) == 1;
        boolean gtid = (anything[0] & 2) == 2;
        SchemaTracker tracker = new SchemaTracker(table -> CREATE);
        TableFilter filter = new TableFilter("", "");
        try (EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                new BinlogPosition("binlog.000001", 4),
                gtid ? GtidSet.parse("323b686a-e4de-11f1-8f50-02fc00000001:1-3") : null,
                StreamOptions.DEFAULT,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT)) {
            Framed events = new Framed(anything);
            boolean more = true;
            while (more) {
                Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
                try {
                    more = reader.read(events, chunk);
                } finally {
                    chunk.close(flat);
                    for (Entry entry : chunk.entries()) {
                        write(entry, flat);
                    }
                }
            }
        } catch (StreamException | MalformedEventException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static void write(Entry entry, boolean flat) {
        ByteWriter out = new ByteWriter(64);
        if (flat) {
            Encodings.writeFlat(entry, out, 1, 1);
            if (entry.kind() == EntryKind.ROWS) {
                writeRows(entry, out);
            }
        } else {
            Encodings.writeProtobuf(Encodings.encoded(entry), out);
        }
    }

    /** Each row alone, with updates of a document, a number or a text split. */
    private static void writeRows(Entry entry, ByteWriter out) {
        RowPieces pieces = Encodings.pieces(entry, new RowCut(KEY, RowKey.PRIMARY, true, true));
        for (int i = 0; i < pieces.count(); i++) {
            out.clear();
            Entry row = pieces.entryOf(i);
            Encodings.writeFlat(row, out, 1, 1);
            Encodings.writeProtobuf(row, out);
        }
    }

    private static final class Framed implements EventSource {
        private final byte[] input;
        private int at = 1;
        private int offset = 4;

        Framed(byte[] input) {
            this.input = input;
        }

        @Override
        public int next(ByteWriter out) {
            if (input.length - at < FRAME) {
                return -1;
            }
            int code = input[at] & 0xFF;
            int wanted = input[at + 1] & 0xFF | (input[at + 2] & 0xFF) << 8;
            int body = Math.min(wanted, input.length - at - FRAME);
            ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + body).order(ByteOrder.LITTLE_ENDIAN);
            offset += event.capacity();
            event.putInt(1_700_000_000)
                    .put((byte) code)
                    .putInt(1)
                    .putInt(event.capacity())
                    .putInt(offset);
            event.position(EventHeader.LENGTH);
            event.put(input, at + FRAME, body);
            at += FRAME + body;
            out.write(event.array());
            return event.capacity();
        }

        @Override
        public boolean hasBuffered() {
            return true;
        }

        @Override
        public void close() {}
    }
}
