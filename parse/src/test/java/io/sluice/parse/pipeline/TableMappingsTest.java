package io.sluice.parse.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.FormatDescription;
import io.sluice.parse.entry.LogFile;
import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.schema.TableName;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableMappingsTest {
    private static final FormatDescription FORMAT = new FormatDescription("8.0.31", false, 6);
    private static final int INT = 3;

    private final Map<String, String> structures = new HashMap<>();
    private final SchemaTracker tracker = new SchemaTracker(table -> structures.get(table.table()));
    private final TableFilter filter = new TableFilter("", "s\\.hidden");
    private final TableMappings tables =
            new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), false);
    private final Event event = new Event(new LogFile("localhost", 3306, "binlog.000001"));

    @BeforeEach
    void define() {
        structures.put("a", "create table a (id int, n int)");
        structures.put("b", "create table b (id int)");
    }

    @Test
    @DisplayName("a table map that says the same again changes nothing, wherever it stands in a buffer")
    void sameAgain() throws IOException {
        accept(7, "a", 2, 0);
        TableMappings.Mapping first = tables.byId(7);

        accept(7, "a", 2, 33);

        assertThat(tables.byId(7)).isSameAs(first);
        assertThat(tableOf(7)).isEqualTo("a");
    }

    @Test
    @DisplayName("an id that comes with another table stands for that one, and with the first again for the first")
    void idWithOtherBytes() throws IOException {
        accept(7, "a", 2, 0);
        accept(8, "b", 1, 0);

        accept(7, "b", 1, 0);
        assertThat(tableOf(7)).isEqualTo("b");
        assertThat(tableOf(8)).isEqualTo("b");

        accept(7, "a", 2, 0);
        assertThat(tableOf(7)).isEqualTo("a");
    }

    @Test
    @DisplayName("in another file ids stand for nothing until their table maps come")
    void otherFile() throws IOException {
        accept(7, "a", 2, 0);

        tables.forgetIds();
        assertThat(tables.byId(7)).isNull();

        accept(7, "b", 1, 0);
        assertThat(tableOf(7)).isEqualTo("b");
    }

    @Test
    @DisplayName("behind a DDL the same bytes are read with the structure that the table has then")
    void behindADdl() throws IOException {
        accept(7, "a", 2, 0);
        TableMappings.Mapping before = tables.byId(7);

        tracker.define(new TableName("s", "a"), "create table a (id int, renamed int)");
        tables.structuresChanged();
        accept(7, "a", 2, 0);

        TableMappings.Mapping after = tables.byId(7);
        assertThat(after.structure().columns().get(1).name()).isEqualTo("renamed");
        assertThat(before.structure().columns().get(1).name()).isEqualTo("n");
    }

    @Test
    @DisplayName(
            "a client's filter that is too expensive for a table gives way to the configured one, and reading continues")
    void filterThatFails() throws IOException {
        structures.put("c".repeat(60), "create table c (id int)");
        filter.include(".*".repeat(20) + "x");

        accept(7, "c".repeat(60), 1, 0);
        accept(8, "hidden", 1, 0);
        accept(7, "c".repeat(60), 1, 0);

        assertThat(tableOf(7)).startsWith("ccc");
        assertThat(tables.byId(8).table()).isNull();
    }

    private String tableOf(long id) {
        return tables.byId(id).table().table();
    }

    private void accept(long id, String table, int columns, int from) throws IOException {
        ByteWriter body = new ByteWriter(64);
        for (int i = 0; i < 6; i++) {
            body.writeByte((int) (id >> 8 * i));
        }
        body.write(new byte[2]);
        text(body, "s");
        text(body, table);
        body.writeByte(columns);
        for (int i = 0; i < columns; i++) {
            body.writeByte(INT);
        }
        body.writeByte(0);
        body.writeByte(0xFF);
        int length = EventHeader.LENGTH + body.size();
        ByteBuffer bytes = ByteBuffer.allocate(from + length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(from);
        bytes.putInt(1_700_000_000)
                .put((byte) EventCode.TABLE_MAP)
                .putInt(1)
                .putInt(length)
                .putInt(4 + length)
                .putShort((short) 0)
                .put(body.array(), 0, body.size());
        event.open(bytes.array(), from, length);
        tables.accept(event, FORMAT);
    }

    private static void text(ByteWriter to, String text) {
        to.writeByte(text.length());
        to.write(text.getBytes(StandardCharsets.US_ASCII));
        to.writeByte(0);
    }
}
