package io.sluice.bench.record;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads packets of protobuf entries. */
public final class RawReader implements RecordReader {
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
            Map<String, @Nullable String> before = columns(row.getBeforeColumnsList());
            rows.add(
                    table,
                    type.name(),
                    type == EventType.DELETE ? before : columns(row.getAfterColumnsList()),
                    type == EventType.UPDATE ? before.get("amount") : null);
        }
    }

    private static Map<String, @Nullable String> columns(List<Column> columns) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        for (Column column : columns) {
            values.put(column.getName(), column.getIsNull() ? null : column.getValue());
        }
        return values;
    }
}
