package io.sluice.stream.reader;

import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.format.row.VersionedRows;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.MariaDbCompression;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.QuarantinedTable;
import io.sluice.stream.mapping.TableMapping;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes entries of rows events without decoding their row images. For one thread. */
final class RowsReader {
    private static final Logger LOG = LoggerFactory.getLogger(RowsReader.class);

    /** A flag: the event is the last one of its statement. */
    private static final int STATEMENT_END = 1;

    /** The table id of a rows event that only ends a statement. */
    private static final long DUMMY_TABLE_ID = 0xFF_FFFF;

    private final StreamOptions options;
    private final RowRules rules;
    private final TableMappings tables;
    private final MariaDbCompression packed = new MariaDbCompression();
    private final PartialImageReport partialImages;
    private long unpackedBytes;
    private boolean missingDocumentsSeen;
    private final VersionedRows versioned = new VersionedRows();

    RowsReader(StreamOptions options, TableMappings tables) {
        this.options = options;
        this.rules =
                new RowRules(options.oldAccumulates(), options.partialImages().completesAfter());
        this.partialImages = new PartialImageReport(options.partialImages());
        this.tables = tables;
    }

    /** The kind of change of a rows event; null if it is no rows event. */
    static @Nullable EventType typeOf(int code) {
        return switch (code) {
            case EventCode.WRITE_ROWS_V1,
                    EventCode.WRITE_ROWS_V2,
                    EventCode.MARIADB_WRITE_ROWS_COMPRESSED_V1,
                    EventCode.MARIADB_WRITE_ROWS_COMPRESSED -> EventType.INSERT;
            case EventCode.UPDATE_ROWS_V1,
                    EventCode.UPDATE_ROWS_V2,
                    EventCode.MARIADB_UPDATE_ROWS_COMPRESSED_V1,
                    EventCode.MARIADB_UPDATE_ROWS_COMPRESSED,
                    EventCode.PARTIAL_UPDATE_ROWS -> EventType.UPDATE;
            case EventCode.DELETE_ROWS_V1,
                    EventCode.DELETE_ROWS_V2,
                    EventCode.MARIADB_DELETE_ROWS_COMPRESSED_V1,
                    EventCode.MARIADB_DELETE_ROWS_COMPRESSED -> EventType.DELETE;
            default -> null;
        };
    }

    /**
     * Makes the entry of a rows event, if one leaves for it; several if the table's rows have versions.
     *
     * @param chunk the chunk with the event's bytes, to which the entries are added
     * @throws StreamException if no table map came before it
     */
    void read(Chunk chunk, Event event, EventType type, FormatDescription format) {
        EventBody body = event.body();
        long tableId = TableMap.readTableId(body, format);
        boolean endsStatement = (body.readShort() & STATEMENT_END) != 0;
        int code = event.code();
        passExtraInfo(body, code);
        TableMapping mapping = tables.byId(tableId);
        if (endsStatement) {
            tables.onStatementEnd();
        }
        if (mapping == null) {
            requireDummy(event, tableId);
            return;
        }
        MappedTable table = mapping.table();
        QuarantinedTable held = mapping.held();
        if (held != null) {
            held.leaveOut(event.position());
        }
        if (table == null || !mayLeave(table, type)) {
            return;
        }
        EventBytes bytes = body.array() == chunk.events().array()
                ? chunk.bytes()
                : EventBytes.of(body.array()); // large, and so alone
        EventBody rows = body;
        if (EventCode.isCompressedRows(code)) {
            rows = unpacked(body, type, event.length());
            bytes = EventBytes.of(rows.array());
        }
        PartialJson partialJson = null;
        if (code == EventCode.PARTIAL_UPDATE_ROWS) {
            partialJson = options.partialJson();
            warnOfMissingDocuments(event, table, rows);
        }
        if (table.layout().hasUnlogged()
                && table.layout().namesUnlogged(new EventBody(rows.array(), rows.offset(), rows.end()), type)) {
            tables.refuse(tableId, mapping, event.position());
            return;
        }
        partialImages.check(event, type, table, rows);
        if (table.isVersioned()) {
            for (VersionedRows.Run run : versioned.runsOf(table, type, rows)) {
                add(
                        chunk,
                        event,
                        run.type(),
                        table,
                        tableId,
                        EventBytes.of(run.body().array()),
                        run.body(),
                        null,
                        run.firstRow());
            }
        } else {
            add(chunk, event, type, table, tableId, bytes, rows, partialJson, 0);
        }
    }

    private static void passExtraInfo(EventBody body, int code) {
        if (EventCode.hasExtraRowInfo(code)) {
            int extra = body.readShort();
            body.skip(extra - 2L);
        }
    }

    private static void requireDummy(Event event, long tableId) {
        if (tableId != DUMMY_TABLE_ID) {
            throw new StreamException(
                    SourceFailure.CORRUPT,
                    "the rows event at %s is of table id %d, which no table map before it names; start where a transaction begins"
                            .formatted(event.position(), tableId));
        }
    }

    /**
     * Whether an entry leaves for a rows event that is to be read later, which follows it as {@link #read} does.
     *
     * @param isNew whether it did not come before the connection broke
     * @throws StreamException if no table map came before it
     */
    boolean leavesLater(Event event, EventType type, FormatDescription format, boolean isNew) {
        long tableId = TableMap.readTableId(event.body(), format);
        TableMapping mapping = tables.byId(tableId);
        if (mapping == null) {
            requireDummy(event, tableId);
            return false;
        }
        QuarantinedTable held = mapping.held();
        if (held != null && isNew) {
            held.leaveOut(event.position());
        }
        return leaves(event.body(), type, format);
    }

    /**
     * Passes over a rows event that was read before.
     *
     * @param event with its body, or the first bytes of it
     */
    void pass(Event event, FormatDescription format) {
        EventBody body = event.body();
        TableMap.readTableId(body, format);
        if ((body.readShort() & STATEMENT_END) != 0) {
            tables.onStatementEnd();
        }
    }

    /**
     * Whether an entry leaves for a rows event, if it can be read.
     *
     * @param body the event's body, or its first bytes
     */
    boolean leaves(EventBody body, EventType type, FormatDescription format) {
        MappedTable table = tableOf(body, format);
        return table != null && mayLeave(table, type);
    }

    /** An update of a table whose rows have versions may be a delete. */
    private boolean mayLeave(MappedTable table, EventType type) {
        return !isDropped(type) || type == EventType.UPDATE && table.isVersioned() && !isDropped(EventType.DELETE);
    }

    /** The table of a rows event, if its rows are delivered. */
    @Nullable MappedTable tableOf(EventBody body, FormatDescription format) {
        TableMapping mapping = tables.byId(TableMap.readTableId(body, format));
        return mapping == null ? null : mapping.table();
    }

    /**
     * Makes the entry of a rows event that is too large, of which only the first bytes are needed.
     *
     * @param bytes how large it is, without compression
     * @throws StreamException if it is to stop the stream
     */
    void leaveUnread(Chunk chunk, Event event, EventType type, FormatDescription format, long bytes) {
        MappedTable table = tableOf(event.body(), format);
        pass(event, format);
        if (table == null) {
            return;
        }
        requireUnread(event, bytes);
        long largestRead = options.large().largestRead();
        chunk.entries().add(new UnreadRowsEntry(event.origin(), type, table, bytes, largestRead));
    }

    /** Throws for an event of so many bytes, which are too many, unless such events are left unread. */
    void requireUnread(Event event, long bytes) {
        LargeEventPolicy large = options.large();
        if (!large.leavesUnread()) {
            throw tooLarge(event.position(), bytes, large.largestRead());
        }
    }

    static StreamException tooLarge(Event.Position position, long bytes, long largest) {
        return new StreamException(
                SourceFailure.EVENT_TOO_LARGE,
                "event at %s is %d bytes, limit for this heap is %d: raise -Xmx and restart; it resumes at this event"
                        .formatted(position, bytes, largest));
    }

    private void add(
            Chunk chunk,
            Event event,
            EventType type,
            MappedTable table,
            long tableId,
            EventBytes bytes,
            EventBody rows,
            @Nullable PartialJson partialJson,
            int firstRow) {
        if (!isDropped(type)) {
            chunk.entries()
                    .add(new RowsEntry(
                            event.origin(),
                            type,
                            table,
                            tableId,
                            bytes,
                            rows.offset(),
                            rows.end(),
                            partialJson,
                            firstRow,
                            rules));
        }
    }

    /** The size of all rows that were unpacked until now; they are beside the chunk's bytes. */
    long unpackedBytes() {
        return unpackedBytes;
    }

    /**
     * Returns the size that a compressed rows event has without compression, from its column count on, in bytes.
     *
     * @param event with its body, or the first bytes of it
     */
    static long unpackedBytes(Event event, EventType type, FormatDescription format) {
        EventBody body = event.body();
        TableMap.readTableId(body, format);
        body.skip(2);
        passExtraInfo(body, event.code());
        int from = body.offset();
        passBitmaps(body, type);
        return body.offset() - from + MariaDbCompression.unpackedLength(body, event.length());
    }

    /** Passes over the column count and the bitmaps of columns, which are not compressed. */
    private static void passBitmaps(EventBody body, EventType type) {
        long bitmapBytes = (body.readPackedLong() + 7) / 8;
        body.skip(type == EventType.UPDATE ? 2 * bitmapBytes : bitmapBytes);
    }

    /**
     * The body from its column count on as it would be without compression, in an array of just its size: there is room for that.
     *
     * @param eventBytes how long the event is
     */
    private EventBody unpacked(EventBody body, EventType type, int eventBytes) {
        int from = body.offset();
        passBitmaps(body, type);
        int plainBytes = body.offset() - from;
        ByteWriter rows = new ByteWriter(plainBytes + (int) MariaDbCompression.unpackedLength(body, eventBytes));
        rows.write(body.array(), from, plainBytes);
        packed.unpack(body, rows);
        unpackedBytes += rows.size();
        return new EventBody(rows.array(), 0, rows.size());
    }

    private void warnOfMissingDocuments(Event event, MappedTable table, EventBody rows) {
        if (!missingDocumentsSeen
                && table.layout().hasDifferencesAlone(new EventBody(rows.array(), rows.offset(), rows.end()))) {
            missingDocumentsSeen = true;
            LOG.warn(
                    "JSON documents are logged as differences without the document before, and are delivered as texts"
                            + " of functions (in the format debezium they are left out), set binlog_row_image=FULL or binlog_row_value_options='': table={}.{}"
                            + " file={} offset={}",
                    table.schema(),
                    table.table(),
                    event.position().file().name(),
                    event.position().start());
        }
    }

    private boolean isDropped(EventType type) {
        return options.omits(Omitted.ROWS)
                || options.omits(
                        switch (type) {
                            case INSERT -> Omitted.INSERTS;
                            case UPDATE -> Omitted.UPDATES;
                            default -> Omitted.DELETES;
                        });
    }
}
