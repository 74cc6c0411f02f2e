package io.sluice.deployer.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessagePrinterTest {
    private final MessagePrinter printer = new MessagePrinter(Form.LINES, new Paint(false));

    @Test
    void anUpdateShowsWhatChanged() {
        String message = """
                {"data":[{"id":"1","price":"11.25","note":null}],"database":"shop","isDdl":false,
                 "old":[{"price":"12.50"}],"table":"orders","type":"UPDATE"}""";

        assertThat(printer.show(message.getBytes(StandardCharsets.UTF_8)).lines())
                .containsExactly("  UPDATE  shop.orders  id=1  price=11.25 (was 12.50)  note=NULL");
    }

    @Test
    void aDdlShowsItsStatement() {
        String message = """
                {"data":null,"database":"shop","isDdl":true,"old":null,"sql":"create table orders (\\n  id int)",
                 "table":"orders","type":"CREATE"}""";

        assertThat(printer.show(message.getBytes(StandardCharsets.UTF_8)).lines())
                .containsExactly("  CREATE  shop.orders  create table orders ( id int)");
    }

    @Test
    void jsonShowsTheMessageItself() {
        MessagePrinter.Shown shown = new MessagePrinter(Form.JSON, new Paint(true))
                .show("{\"type\":\"QUERY\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(shown.lines()).containsExactly("{\"type\":\"QUERY\"}");
        assertThat(shown.types()).containsExactly("QUERY");
    }

    @Test
    void rawShowsTheEntriesOfAPacket() {
        Column column = Column.newBuilder().setName("id").setValue("7").build();
        RowChange change = RowChange.newBuilder()
                .addRowDatas(RowData.newBuilder().addAfterColumns(column))
                .build();
        Entry entry = Entry.newBuilder()
                .setEntryType(EntryType.ROWDATA)
                .setHeader(Header.newBuilder()
                        .setSchemaName("shop")
                        .setTableName("t")
                        .setEventType(EventType.INSERT)
                        .setLogfileName("binlog.000001")
                        .setLogfileOffset(4))
                .setStoreValue(change.toByteString())
                .build();
        Messages messages = Messages.newBuilder()
                .setBatchId(3)
                .addMessages(entry.toByteString())
                .build();
        Packet packet = Packet.newBuilder().setBody(messages.toByteString()).build();

        MessagePrinter.Shown shown = new MessagePrinter(Form.RAW, new Paint(false)).show(packet.toByteArray());

        assertThat(shown.types()).containsExactly("INSERT");
        assertThat(shown.lines()).hasSize(3).first().asString().contains("batch 3");
        assertThat(shown.lines().get(1)).contains("INSERT", "shop.t", "binlog.000001:4");
        assertThat(shown.lines().get(2)).contains("id=7");
    }

    @Test
    void coloursAreOnlyForTerminals() {
        assertThat(new Paint(true).bold("x")).isEqualTo("\u001b[1mx\u001b[0m");
        assertThat(new Paint(false).bold("x")).isEqualTo("x");
    }
}
