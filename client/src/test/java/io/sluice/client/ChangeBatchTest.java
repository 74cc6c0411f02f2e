package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ChangeBatchTest {
    private static byte[] packet(PacketType type, Entry... entries) {
        Messages.Builder messages = Messages.newBuilder();
        for (Entry entry : entries) {
            messages.addMessages(entry.toByteString());
        }
        return Packet.newBuilder()
                .setType(type)
                .setBody(messages.build().toByteString())
                .build()
                .toByteArray();
    }

    @Test
    void aRecordOfAQueueIsReadLikeABatch() throws IOException {
        RowChange insert = RowChange.newBuilder()
                .setEventType(EventType.INSERT)
                .addRowDatas(RowData.newBuilder()
                        .addAfterColumns(Column.newBuilder().setName("id").setValue("7")))
                .build();
        Entry rows = Entry.newBuilder()
                .setEntryType(EntryType.ROWDATA)
                .setHeader(Header.newBuilder()
                        .setSchemaName("shop")
                        .setTableName("orders")
                        .setLogfileName("binlog.000001")
                        .setLogfileOffset(400))
                .setStoreValue(insert.toByteString())
                .build();
        Entry end = Entry.newBuilder().setEntryType(EntryType.TRANSACTIONEND).build();

        ChangeBatch batch = ChangeBatch.ofMessage(packet(PacketType.MESSAGES, rows, end));

        assertThat(batch.isEmpty()).isFalse();
        assertThat(batch.entries()).hasSize(2);
        assertThat(batch.changes()).singleElement().satisfies(change -> {
            assertThat(change.table()).isEqualTo("orders");
            assertThat(change.position()).isEqualTo("binlog.000001:400");
            assertThat(change.rows().get(0).newest().number("id")).isEqualTo(7);
        });
    }

    /** An enum's default is an update, and an entry of rows: what is not known must not be read as that. */
    @Test
    void whatIsOfAKindThatIsNotKnownIsReported() throws IOException {
        RowChange later = RowChange.newBuilder()
                .setUnknownFields(of(RowChange.EVENTTYPE_FIELD_NUMBER, 99))
                .build();
        Entry rows = Entry.newBuilder()
                .setEntryType(EntryType.ROWDATA)
                .setHeader(Header.newBuilder().setSchemaName("shop").setTableName("orders"))
                .setStoreValue(later.toByteString())
                .build();
        ChangeBatch batch = ChangeBatch.ofMessage(packet(PacketType.MESSAGES, rows));
        assertThatThrownBy(batch::changes)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a change of shop.orders of a type that is not known");

        Entry kind = Entry.newBuilder()
                .setUnknownFields(of(Entry.ENTRYTYPE_FIELD_NUMBER, 99))
                .build();
        ChangeBatch kinds = ChangeBatch.ofMessage(packet(PacketType.MESSAGES, kind));
        assertThatThrownBy(kinds::changes)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("an entry of a kind that is not known");
    }

    private static UnknownFieldSet of(int field, int value) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        field,
                        UnknownFieldSet.Field.newBuilder().addVarint(value).build())
                .build();
    }

    @Test
    void aPacketWithoutEntriesIsReported() {
        assertThatThrownBy(() -> ChangeBatch.ofMessage(packet(PacketType.ACK)))
                .isInstanceOf(IOException.class)
                .hasMessage("a packet of type ACK has no entries");
        assertThatThrownBy(() -> ChangeBatch.ofMessage("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }
}
