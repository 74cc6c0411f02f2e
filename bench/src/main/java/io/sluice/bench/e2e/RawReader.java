package io.sluice.bench.e2e;

import com.google.protobuf.ByteString;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import java.io.IOException;
import java.util.List;

/** Reads packets of protobuf entries. */
final class RawReader implements RecordReader {
    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        Messages messages = Messages.parseFrom(Packet.parseFrom(record).getBody());
        for (ByteString bytes : messages.getMessagesList()) {
            Entry entry = Entry.parseFrom(bytes);
            if (entry.getEntryType() == EntryType.ROWDATA) {
                read(entry, RowChange.parseFrom(entry.getStoreValue()), rows);
            }
        }
    }

    private static void read(Entry entry, RowChange change, ArrivedRows rows) {
        String table = entry.getHeader().getTableName();
        EventType type = change.getEventType();
        for (RowData row : change.getRowDatasList()) {
            List<Column> columns = type == EventType.DELETE ? row.getBeforeColumnsList() : row.getAfterColumnsList();
            String id = "";
            String amount = "0";
            for (Column column : columns) {
                switch (column.getName()) {
                    case "id" -> id = column.getValue();
                    case "amount" -> amount = column.getValue();
                    default -> {}
                }
            }
            rows.add(table, type.name(), id, amount);
        }
    }
}
