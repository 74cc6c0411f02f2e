package io.sluice.bench.record;

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
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
    private final ArrivedRows rows = new ArrivedRows();

    @Test
    void flatRowsAreSummedUpByType() throws IOException {
        RecordReader reader = RecordReader.of(Format.FLAT);
        reader.read(
                flat("{'table':'orders','type':'INSERT','data':[{'id':'7','amount':'1.5'},{'id':'8','amount':'2'}]}"),
                rows);
        reader.read(flat("{'table':'orders','type':'DELETE','data':[{'id':'7','amount':'1.50'}]}"), rows);

        assertThat(rows.totals()).isEqualTo(new Totals(new Tally(2, 15, 350), Tally.NONE, new Tally(1, 7, 150)));
    }

    @Test
    void theMarkerAndStatementsDoNotCount() throws IOException {
        RecordReader reader = RecordReader.of(Format.FLAT);
        reader.read(flat("{'table':'marker','type':'INSERT','data':[{'id':'1','word':'w'}]}"), rows);
        reader.read(flat("{'table':'orders','type':'ALTER','isDdl':true,'data':null}"), rows);

        assertThat(rows.totals()).isEqualTo(Totals.NONE);
    }

    @Test
    void aRawDeleteCountsWithItsBeforeImage() throws IOException {
        RecordReader.of(Format.RAW).read(rawPacket(EventType.DELETE), rows);

        assertThat(rows.totals()).isEqualTo(new Totals(Tally.NONE, Tally.NONE, new Tally(1, 9, 1)));
    }

    @Test
    void rowsOfDebeziumCountWithTheirAfterImage() throws IOException {
        RecordReader reader = new EnvelopeReader(EnvelopeReader.Dialect.DEBEZIUM);
        reader.read(
                flat("{'before':null,'after':{'id':7,'amount':'1.50'},'source':{'table':'orders'},'op':'c'}"), rows);
        reader.read(
                flat("{'before':{'id':7,'amount':'1.50'},'after':{'id':7,'amount':'2.00'},"
                        + "'source':{'table':'orders'},'op':'u'}"),
                rows);
        reader.read(
                flat("{'before':{'id':8,'amount':'0.01'},'after':null,'source':{'table':'orders'},'op':'d'}"), rows);
        reader.read(flat("{'after':{'id':1,'word':'w'},'source':{'table':'marker'},'op':'c'}"), rows);

        assertThat(rows.totals()).isEqualTo(new Totals(new Tally(1, 7, 150), new Tally(1, 7, 200), new Tally(1, 8, 1)));
    }

    @Test
    void numbersOfMaxwellAreRead() throws IOException {
        RecordReader reader = new EnvelopeReader(EnvelopeReader.Dialect.MAXWELL);
        reader.read(flat("{'table':'orders','type':'insert','data':{'id':7,'amount':12345678.91}}"), rows);
        reader.read(flat("{'table':'orders','type':'update','data':{'id':7,'amount':2.5},'old':{'amount':1}}"), rows);
        reader.read(flat("{'table':'orders','type':'delete','data':{'id':8,'amount':3}}"), rows);
        reader.read(flat("{'table':'marker','type':'insert','data':{'id':1,'word':'w'}}"), rows);

        assertThat(rows.totals())
                .isEqualTo(new Totals(new Tally(1, 7, 1234567891), new Tally(1, 7, 250), new Tally(1, 8, 300)));
    }

    @Test
    void rawAndFlatRowsWithTheSameTextsHaveTheSameFingerprint() throws IOException {
        RecordReader.of(Format.FLAT)
                .read(flat("{'table':'orders','type':'INSERT','data':[{'id':'9','amount':'0.01'}]}"), rows);
        ArrivedRows raw = new ArrivedRows();
        RecordReader.of(Format.RAW).read(rawPacket(EventType.INSERT), raw);

        assertThat(raw.fingerprint()).isEqualTo(rows.fingerprint());
    }

    @Test
    void aRecordWithoutARowChangeIsRejected() {
        for (EnvelopeReader.Dialect dialect : EnvelopeReader.Dialect.values()) {
            RecordReader reader = new EnvelopeReader(dialect);
            assertThatThrownBy(() -> reader.read(flat("{'type':'INSERT','data':[{'id':'7'}]}"), rows))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> reader.read(flat("{}"), rows)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aRecordOfAnotherFormatIsRejected() {
        assertThatThrownBy(() -> RecordReader.of(Format.RAW).read(flat("{'data':[]}"), rows))
                .isInstanceOf(IOException.class);
    }

    private static byte[] rawPacket(EventType type) {
        List<Column> columns = List.of(
                Column.newBuilder().setName("id").setValue("9").build(),
                Column.newBuilder().setName("amount").setValue("0.01").build());
        RowData.Builder row = RowData.newBuilder();
        RowChange change = RowChange.newBuilder()
                .setEventType(type)
                .addRowDatas(
                        type == EventType.DELETE ? row.addAllBeforeColumns(columns) : row.addAllAfterColumns(columns))
                .build();
        Entry entry = Entry.newBuilder()
                .setHeader(Header.newBuilder().setTableName("orders"))
                .setEntryType(EntryType.ROWDATA)
                .setStoreValue(change.toByteString())
                .build();
        Messages messages =
                Messages.newBuilder().addMessages(entry.toByteString()).build();
        return Packet.newBuilder().setBody(messages.toByteString()).build().toByteArray();
    }

    private static byte[] flat(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
