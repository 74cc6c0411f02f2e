package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.StreamOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargePayloadTest {
    private static final int STATEMENTS = 4_000;
    private static final String SQL = "delete from t where note = '" + "x".repeat(50_000) + "'";

    /** 200 MB come out of an event of some KB; no chunk holds more than it would of plain events. */
    @Test
    void passesThroughManySmallChunks() throws IOException {
        byte[] payload = payload();
        assertThat(payload).hasSizeLessThan(1 << 20);
        SchemaTracker tracker = new SchemaTracker(table -> null);
        TableFilter filter = new TableFilter("", "");
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                new BinlogPosition("binlog.000001", 4),
                null,
                StreamOptions.DEFAULT,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        EventSource source = new ListedEvents(List.of(payload));

        int statements = 0;
        int chunks = 0;
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(source, chunk);
            assertThat(chunk.events().array()).hasSizeLessThan(1 << 20);
            statements += chunk.entries().size();
            chunks++;
        }
        reader.close();

        assertThat(statements).isEqualTo(STATEMENTS);
        assertThat(chunks).isGreaterThan(STATEMENTS / 5);
        assertThat(reader.resumePosition()).isEqualTo(new BinlogPosition("binlog.000001", 4L + payload.length));
    }

    private static byte[] payload() throws IOException {
        byte[] text = SQL.getBytes(StandardCharsets.US_ASCII);
        byte[] event = new byte[EventHeader.LENGTH + 1 + text.length];
        System.arraycopy(text, 0, event, EventHeader.LENGTH + 1, text.length);
        header(event, EventCode.ROWS_QUERY, 0);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(packed)) {
            for (int i = 0; i < STATEMENTS; i++) {
                zstd.write(event);
            }
        }
        ByteWriter out = new ByteWriter(1 << 12);
        out.write(new byte[EventHeader.LENGTH]);
        out.write(new byte[] {2, 1, 0, 0}); // compressed by zstd; end of the fields
        out.write(packed.toByteArray());
        byte[] payload = out.toByteArray();
        header(payload, EventCode.TRANSACTION_PAYLOAD, 4 + payload.length);
        return payload;
    }

    private static void header(byte[] event, int code, int nextOffset) {
        ByteBuffer.wrap(event)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 1_700_000_000)
                .put(4, (byte) code)
                .putInt(9, event.length)
                .putInt(13, nextOffset);
    }
}
