package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
    private final ArrivedRows rows = new ArrivedRows();

    @Test
    void flatRowsAreSummedUpByType() throws IOException {
        RecordReader reader = RecordReader.of(Form.FLAT);
        reader.read(
                flat("{'table':'orders','type':'INSERT','data':[{'id':'7','amount':'1.5'},{'id':'8','amount':'2'}]}"),
                rows);
        reader.read(flat("{'table':'orders','type':'DELETE','data':[{'id':'7','amount':'1.50'}]}"), rows);

        assertThat(rows.totals()).isEqualTo(new Totals(new Tally(2, 15, 350), Tally.NONE, new Tally(1, 7, 150)));
    }

    @Test
    void theMarkerAndStatementsDoNotCount() throws IOException {
        RecordReader reader = RecordReader.of(Form.FLAT);
        reader.read(flat("{'table':'marker','type':'INSERT','data':[{'id':'1','word':'w'}]}"), rows);
        reader.read(flat("{'table':'orders','type':'ALTER','isDdl':true,'data':null}"), rows);

        assertThat(rows.totals()).isEqualTo(Totals.NONE);
    }

    @Test
    void ofARawDeleteTheImageBeforeCounts() throws IOException {
        RowData row = RowData.newBuilder()
                .addBeforeColumns(Column.newBuilder().setName("id").setValue("9"))
                .addBeforeColumns(Column.newBuilder().setName("amount").setValue("0.01"))
                .build();
        Entry entry = Entry.newBuilder()
                .setHeader(Header.newBuilder().setTableName("orders"))
                .setEntryType(EntryType.ROWDATA)
                .setStoreValue(RowChange.newBuilder()
                        .setEventType(EventType.DELETE)
                        .addRowDatas(row)
                        .build()
                        .toByteString())
                .build();
        Packet packet = Packet.newBuilder()
                .setBody(Messages.newBuilder()
                        .addMessages(entry.toByteString())
                        .build()
                        .toByteString())
                .build();

        RecordReader.of(Form.RAW).read(packet.toByteArray(), rows);

        assertThat(rows.totals()).isEqualTo(new Totals(Tally.NONE, Tally.NONE, new Tally(1, 9, 1)));
    }

    @Test
    void anotherFormIsAnError() {
        assertThatThrownBy(() -> RecordReader.of(Form.RAW).read(flat("{'data':[]}"), rows))
                .isInstanceOf(IOException.class);
    }

    private static byte[] flat(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
