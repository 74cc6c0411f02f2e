package io.sluice.testkit.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads records in the protobuf format: one record is a packet of entries, each with its binlog position. */
public final class RawRecords {
    private final Map<List<String>, Columns> columns = new HashMap<>();

    /** The changes of one record, in their order; the borders of transactions are left out. */
    public List<Change> read(String topic, int partition, long offset, byte[] value) {
        try {
            Packet packet = Packet.parseFrom(value);
            if (packet.getType() != PacketType.MESSAGES) {
                throw new IllegalArgumentException("record %d of %s-%d is a packet of type %s"
                        .formatted(offset, topic, partition, packet.getType()));
            }
            List<Change> changes = new ArrayList<>();
            for (ByteString message : Messages.parseFrom(packet.getBody()).getMessagesList()) {
                changes.addAll(read(topic, partition, offset, Entry.parseFrom(message)));
            }
            return changes;
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("record %d of %s-%d".formatted(offset, topic, partition), e);
        }
    }

    /** The changes of one entry. */
    public List<Change> read(String topic, int partition, long offset, Entry entry)
            throws InvalidProtocolBufferException {
        if (entry.getEntryType() != EntryType.ROWDATA) {
            return List.of();
        }
        Header header = entry.getHeader();
        TableId table = new TableId(header.getSchemaName(), header.getTableName());
        Origin origin = new Origin(topic, partition, offset, header.getLogfileName() + ":" + header.getLogfileOffset());
        RowChange event = RowChange.parseFrom(entry.getStoreValue());
        if (event.getIsDdl()) {
            return List.of(
                    new Change.OfSchema(table, origin, event.getEventType().name(), event.getSql()));
        }
        List<Change> changes = new ArrayList<>(event.getRowDatasCount());
        for (RowData row : event.getRowDatasList()) {
            boolean inserted = event.getEventType() == EventType.INSERT;
            boolean deleted = event.getEventType() == EventType.DELETE;
            List<Column> shown =
                    deleted || row.getAfterColumnsCount() == 0 ? row.getBeforeColumnsList() : row.getAfterColumnsList();
            List<String> key = keyOf(inserted ? row.getAfterColumnsList() : row.getBeforeColumnsList());
            changes.add(new Change.OfRow(
                    table,
                    origin,
                    key,
                    types(shown),
                    inserted ? null : row(row.getBeforeColumnsList()),
                    deleted ? null : row(row.getAfterColumnsList())));
        }
        return changes;
    }

    private static List<String> keyOf(List<Column> image) {
        return image.stream().filter(Column::getIsKey).map(Column::getName).toList();
    }

    private static Map<String, String> types(List<Column> image) {
        Map<String, String> types = new LinkedHashMap<>();
        image.forEach(column -> types.put(column.getName(), column.getMysqlType()));
        return types;
    }

    private Row row(List<Column> image) {
        List<String> names = image.stream().map(Column::getName).toList();
        @Nullable String[] values = new String[image.size()];
        for (int i = 0; i < values.length; i++) {
            Column column = image.get(i);
            values[i] = column.getIsNull() ? null : column.getValue();
        }
        return new Row(columns.computeIfAbsent(names, Columns::new), values);
    }
}
