package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.LogFile;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.event.Event;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.mapping.RowDelivery;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates of {@code s.t (id int primary key, j json)} with differences of JSON values. */
class MissingDocumentsTest {
    private static final FormatDescription FORMAT = new FormatDescription("8.0.31", false, 6, false);
    private static final String TABLE_MAP = "070000000000 0100 01 73 00 01 74 00 02 03 f5 01 04 02";
    private static final String UPDATE = "070000000000 0100 0200 02 ";

    @AutoClose
    private final LogLines log = LogLines.of(RowsReader.class);

    private final Event event = new Event(new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"));
    private final TableMappings tables = new TableMappings(
            new SchemaTracker(name -> "create table t (id int primary key, j json)"),
            new TableFilter("", ""),
            ColumnTypes.defaults(ZoneOffset.UTC),
            RowDelivery.ALL,
            HiddenColumns.NONE,
            TableMappings.DEFAULT_BYTES);

    @ParameterizedTest
    @CsvSource({"DOCUMENT, 01 02, 1", "DOCUMENT, 03 02, 0", "FUNCTION, 01 02, 1", "FUNCTION, 03 02, 0"})
    void differencesToDocumentsThatTheEventLacksAreReportedOnce(PartialJson form, String bits, int warnings)
            throws IOException {
        RowsReader reader = new RowsReader(StreamOptions.DEFAULT.with(form), tables);
        Chunk chunk = new Chunk(new ChunkBuffers(), 64);
        for (int i = 0; i < 2; i++) {
            open(EventCode.TABLE_MAP, TABLE_MAP);
            tables.accept(event, FORMAT);
            open(EventCode.PARTIAL_UPDATE_ROWS, UPDATE + bits);
            reader.read(chunk, event, EventType.UPDATE, FORMAT);
        }

        assertThat(chunk.entries()).hasSize(2);
        assertThat(log.texts())
                .hasSize(warnings)
                .allSatisfy(line -> assertThat(line).contains("without the document before", "table=s.t "));
    }

    private void open(int code, String hex) {
        byte[] body = HexFormat.of().parseHex(hex.replace(" ", ""));
        int length = EventHeader.LENGTH + body.length;
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(1_700_000_000)
                .put((byte) code)
                .putInt(1)
                .putInt(length)
                .putInt(4 + length)
                .putShort((short) 0)
                .put(body);
        event.open(bytes.array(), 0, length);
    }
}
