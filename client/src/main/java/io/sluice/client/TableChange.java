package io.sluice.client;

import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * What one statement did to one table: to some of its rows, or to its schema.
 *
 * @param schema the table's schema (database); empty if there is none
 * @param table the table; empty for statements about a schema
 * @param type what was done
 * @param at when the source executed it, by the source's clock, in whole seconds
 * @param position the binlog position of the event, {@code file:offset}; empty in changes of flat messages, which do not state it
 * @param sql the statement, if it changed the table schema or was logged as text; else empty
 * @param isDdl whether it changed the table schema
 * @param rows the rows; empty if it changed none
 */
public record TableChange(
        String schema,
        String table,
        EventType type,
        Instant at,
        String position,
        String sql,
        boolean isDdl,
        List<ChangedRow> rows) {
    public TableChange {
        rows = List.copyOf(rows);
    }

    /**
     * A row before and after; the image that does not exist is empty: before an insert, after a delete. The type of a change does not follow from
     * an image that is empty: see {@link RowImage#isEmpty}.
     */
    public record ChangedRow(RowImage before, RowImage after) {
        /** Returns the image after the change; the one before it if that is empty. */
        public RowImage newest() {
            return after.isEmpty() ? before : after;
        }
    }

    /**
     * Reads a change from an entry of rows.
     *
     * @throws IOException if it cannot be read, or is of a type that this version does not know
     */
    static TableChange of(Entry entry) throws IOException {
        Header header = entry.getHeader();
        RowChange change = RowChange.parseFrom(entry.getStoreValue());
        // A value that an enum does not have is read as its default, and is among the unknown fields.
        if (change.getUnknownFields().hasField(RowChange.EVENTTYPE_FIELD_NUMBER)) {
            throw new IOException("a change of %s.%s of a type that is not known: is the server newer than this client?"
                    .formatted(header.getSchemaName(), header.getTableName()));
        }
        return new TableChange(
                header.getSchemaName(),
                header.getTableName(),
                change.getEventType(),
                Instant.ofEpochMilli(header.getExecuteTime()),
                header.getLogfileName() + ":" + header.getLogfileOffset(),
                change.getSql(),
                change.getIsDdl(),
                change.getRowDatasList().stream().map(TableChange::row).toList());
    }

    private static ChangedRow row(RowData row) {
        return new ChangedRow(new RowImage(row.getBeforeColumnsList()), new RowImage(row.getAfterColumnsList()));
    }
}
