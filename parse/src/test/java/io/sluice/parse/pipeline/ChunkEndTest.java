package io.sluice.parse.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.entry.BinlogEntry;
import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.EntryKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a chunk ends when every event comes by itself. */
class ChunkEndTest {
    private final SchemaTracker tracker = new SchemaTracker(table -> null);
    private final TableFilter filter = new TableFilter("", "");
    private final EventReader reader = new EventReader(
            "localhost",
            3306,
            new StreamPoint("binlog.000001", 4),
            null,
            StreamOptions.DEFAULT,
            new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), false),
            new StatementReader(tracker, filter, StreamOptions.DEFAULT));

    @Test
    void aTransactionIsOneChunk() throws IOException {
        Statements statements = new Statements(
                "BEGIN",
                "SAVEPOINT here",
                "COMMIT",
                "BEGIN",
                "COMMIT",
                "BEGIN",
                "ROLLBACK",
                "create table shop.t (id int)");

        assertThat(kindsOfChunk(statements)).containsExactly(EntryKind.BEGIN, EntryKind.END);
        assertThat(statements.given).isEqualTo(3);
        assertThat(kindsOfChunk(statements)).containsExactly(EntryKind.BEGIN, EntryKind.END);
        assertThat(statements.given).isEqualTo(5);
        assertThat(kindsOfChunk(statements)).containsExactly(EntryKind.BEGIN);
        assertThat(statements.given).isEqualTo(7);
        assertThat(kindsOfChunk(statements)).containsExactly(EntryKind.DDL);
    }

    @Test
    void aPreparedTransactionEndsWhenItIsCommitted() throws IOException {
        Statements statements = new Statements("XA START X'78',X'',1", "XA END X'78',X'',1", "XA COMMIT X'78',X'',1");

        assertThat(kindsOfChunk(statements)).hasSize(3);
        assertThat(reader.resumePoint().offset()).isEqualTo(statements.offset);
    }

    private List<EntryKind> kindsOfChunk(EventSource source) throws IOException {
        Chunk chunk = new Chunk(reader.expectedChunkBytes());
        reader.read(source, chunk);
        return chunk.entries().stream().map(BinlogEntry::kind).toList();
    }

    /** Statements as query events, one after the other, none of which is there before it is asked for. */
    private static final class Statements implements EventSource {
        private static final int FIXED_BYTES = 13;

        private final List<String> statements;
        private int given;
        private int offset = 4;

        Statements(String... statements) {
            this.statements = List.of(statements);
        }

        @Override
        public int next(ByteWriter out) {
            if (given == statements.size()) {
                return -1;
            }
            byte[] sql = statements.get(given++).getBytes(StandardCharsets.US_ASCII);
            ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + FIXED_BYTES + 1 + sql.length)
                    .order(ByteOrder.LITTLE_ENDIAN);
            offset += event.capacity();
            event.putInt(1_700_000_000).put((byte) EventCode.QUERY).putInt(1);
            event.putInt(event.capacity()).putInt(offset).putShort((short) 0);
            event.position(EventHeader.LENGTH + FIXED_BYTES + 1); // no schema, no variables
            event.put(sql);
            out.write(event.array());
            return event.capacity();
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() {}
    }
}
