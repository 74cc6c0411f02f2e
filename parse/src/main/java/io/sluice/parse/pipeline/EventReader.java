package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.Checksums;
import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.binlog.FormatDescription;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.parse.binlog.QueryEvent;
import io.sluice.parse.binlog.RotateEvent;
import io.sluice.parse.binlog.TableMap;
import io.sluice.parse.entry.BinlogEntry;
import io.sluice.parse.entry.BorderEntry;
import io.sluice.parse.entry.GtidStamp;
import io.sluice.parse.entry.LogFile;
import io.sluice.parse.entry.MappedTable;
import io.sluice.parse.entry.Origin;
import io.sluice.parse.entry.RowsEntry;
import io.sluice.parse.entry.StatementEntry;
import io.sluice.parse.entry.XaText;
import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.pipeline.TableMappings.Mapping;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The serial stage: takes events in their order, follows files, formats, table maps, GTIDs and DDL, and makes an entry of
 * each event that leaves; row images are not decoded here.
 *
 * <p>It remembers where it stands. After a broken connection it is given the same events again from the start of the
 * transaction it was in, and passes over those that it has handed on already, so nothing is doubled. For one thread.
 */
public final class EventReader {
    private static final Logger LOG = LoggerFactory.getLogger(EventReader.class);

    /** A chunk is closed when it has so many bytes, or when no event is waiting. */
    private static final int CHUNK_BYTES = 1 << 17;

    private static final int SMALLEST_CHUNK_BYTES = 1 << 13;

    private static final long OFFSETS_OF_HEADER = 1L << 32;

    /** In place of a table id, in a rows event that only ends a statement. */
    private static final long DUMMY_TABLE_ID = 0xFF_FFFF;

    private final String sourceHost;
    private final int sourcePort;
    private final StreamOptions options;
    private final TableMappings tables;
    private final StatementReader statements;
    private final Checksums checksums = new Checksums();
    private final @Nullable GtidSet executed;

    private FormatDescription format = FormatDescription.UNKNOWN;
    private LogFile file;
    private long offset;
    private @Nullable GtidStamp gtid;
    private StreamPoint transactionStart;
    private StreamPoint handedOn;
    private boolean inTransaction;
    private int expectedChunkBytes = SMALLEST_CHUNK_BYTES;
    private long newestSeconds;
    private volatile long lastEventMillis;
    private boolean statementFormatSeen;

    /**
     * Makes a reader that stands at {@code start}.
     *
     * @param sourceHost what cursors state as the source's host
     * @param sourcePort and as its port
     * @param start where the first event to come starts
     * @param executed the GTID set before that event; null outside of GTID mode
     */
    public EventReader(
            String sourceHost,
            int sourcePort,
            StreamPoint start,
            @Nullable GtidSet executed,
            StreamOptions options,
            TableMappings tables,
            StatementReader statements) {
        this.sourceHost = sourceHost;
        this.sourcePort = sourcePort;
        this.options = options;
        this.tables = tables;
        this.statements = statements;
        this.executed = executed;
        this.gtid = executed == null ? null : new GtidStamp(executed.toString(), null, 0, 0);
        this.file = new LogFile(sourceHost, sourcePort, start.file());
        this.offset = start.offset();
        this.transactionStart = start;
        this.handedOn = start;
    }

    /** Where events must come from after a broken connection: the start of the transaction it is in. */
    public StreamPoint resumePoint() {
        return transactionStart;
    }

    /** When the newest event was written that it has seen, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        return lastEventMillis;
    }

    /**
     * States that the next events come from a new connection, from {@link #resumePoint()} on.
     *
     * @param checksummed whether events have checksums before the format description says so
     */
    public void reconnected(boolean checksummed) {
        format = new FormatDescription("", checksummed, 6);
        offset = transactionStart.offset();
        inTransaction = false;
        if (!file.name().equals(transactionStart.file())) {
            file = new LogFile(sourceHost, sourcePort, transactionStart.file());
        }
        tables.forgetIds();
    }

    /**
     * Waits for events and fills one chunk.
     *
     * @param source gives the events
     * @param chunk takes them; what it got before an exception is whole, and is to be handed on
     * @return false at the end of the source
     * @throws IOException if the source broke
     * @throws StreamException if an event cannot be understood
     */
    boolean read(EventSource source, Chunk chunk) throws IOException {
        ByteWriter events = chunk.events();
        do {
            int from = events.size();
            int length = source.next(events);
            if (length < 0) {
                return false;
            }
            try {
                accept(chunk, from, length);
            } catch (MalformedEventException e) {
                throw new StreamException(
                        "the event at %s:%d cannot be read: %s".formatted(file.name(), offset, e.getMessage()), e);
            }
        } while (events.size() < CHUNK_BYTES && source.hasBuffered());
        lastEventMillis = newestSeconds * 1000;
        expectedChunkBytes =
                Math.max(SMALLEST_CHUNK_BYTES, Math.min(2 * CHUNK_BYTES, events.size() + (events.size() >> 2)));
        return true;
    }

    /** How many bytes the next chunk will probably take. */
    int expectedChunkBytes() {
        return expectedChunkBytes;
    }

    private void accept(Chunk chunk, int from, int length) throws IOException {
        byte[] bytes = chunk.events().array();
        EventHeader header = EventHeader.read(bytes, from, length);
        if (header.length() != length) {
            throw new MalformedEventException(
                    "its header states %d bytes, it came with %d".formatted(header.length(), length));
        }
        int bodyEnd = from + length;
        if (header.code() == EventCode.FORMAT_DESCRIPTION) {
            format = FormatDescription.decode(new EventBody(bytes, from + EventHeader.LENGTH, bodyEnd));
            if (format.checksummed()) {
                checksums.verify(bytes, from, length);
            }
        } else if (format.checksummed()) {
            checksums.verify(bytes, from, length);
            bodyEnd -= FormatDescription.CHECKSUM_LENGTH;
        }
        EventBody body = new EventBody(bytes, from + EventHeader.LENGTH, bodyEnd);

        boolean standsInFile = header.nextOffset() != 0
                && !header.isArtificial()
                && !isHeartbeat(header.code())
                && header.code() != EventCode.FORMAT_DESCRIPTION;
        long start = offset;
        long end = offset;
        if (standsInFile) {
            end = widened(header.nextOffset());
            start = end - length;
        }
        newestSeconds = Math.max(newestSeconds, header.timestampSeconds());
        dispatch(chunk, header, body, start, end);
        if (header.code() == EventCode.FORMAT_DESCRIPTION) {
            // A file's own comes first even if reading starts behind it.
            offset = Math.max(offset, header.nextOffset());
        }
        if (standsInFile && header.code() != EventCode.ROTATE) {
            offset = end;
            if (isAhead(end)) {
                handedOn = new StreamPoint(file.name(), end);
            }
            if (!inTransaction && header.code() != EventCode.GTID && header.code() != EventCode.ANONYMOUS_GTID) {
                transactionStart = new StreamPoint(file.name(), end);
            }
        }
    }

    /** Headers have 32 bits of an offset; files may be larger. */
    private long widened(long nextOffset) {
        long end = offset & -OFFSETS_OF_HEADER | nextOffset;
        return end < offset ? end + OFFSETS_OF_HEADER : end;
    }

    /** Whether an event that ends here was not handed on before the connection broke. */
    private boolean isAhead(long end) {
        return !file.name().equals(handedOn.file()) || end > handedOn.offset();
    }

    private static boolean isHeartbeat(int code) {
        return code == EventCode.HEARTBEAT || code == EventCode.HEARTBEAT_V2;
    }

    private void dispatch(Chunk chunk, EventHeader header, EventBody body, long start, long end) throws IOException {
        switch (header.code()) {
            case EventCode.ROTATE -> rotate(RotateEvent.decode(body));
            case EventCode.TABLE_MAP -> tables.accept(body, format, file.name(), start);
            case EventCode.WRITE_ROWS_V1, EventCode.WRITE_ROWS_V2 ->
                rows(chunk, header, body, start, end, EventType.INSERT);
            case EventCode.UPDATE_ROWS_V1, EventCode.UPDATE_ROWS_V2 ->
                rows(chunk, header, body, start, end, EventType.UPDATE);
            case EventCode.DELETE_ROWS_V1, EventCode.DELETE_ROWS_V2 ->
                rows(chunk, header, body, start, end, EventType.DELETE);
            case EventCode.XID -> {
                inTransaction = false;
                if (isAhead(end)) {
                    String id = Long.toString(body.readLong());
                    chunk.entries().add(BorderEntry.end(origin(header, start), id));
                }
            }
            case EventCode.QUERY -> query(chunk, header, QueryEvent.decode(body), start, end);
            case EventCode.ROWS_QUERY -> rowsQuery(chunk, header, body, start, end);
            case EventCode.GTID -> {
                beginsTransaction(start);
                if (executed != null) {
                    GtidEvent event = GtidEvent.decode(body);
                    executed.add(event.source(), event.number());
                    gtid = new GtidStamp(
                            executed.toString(),
                            event.source() + ":" + event.number(),
                            event.sequenceNumber(),
                            event.lastCommitted());
                }
            }
            case EventCode.ANONYMOUS_GTID -> beginsTransaction(start);
            case EventCode.FORMAT_DESCRIPTION,
                    EventCode.PREVIOUS_GTIDS,
                    EventCode.STOP,
                    EventCode.HEARTBEAT,
                    EventCode.HEARTBEAT_V2,
                    EventCode.IGNORABLE,
                    EventCode.TRANSACTION_CONTEXT,
                    EventCode.VIEW_CHANGE -> {}
            case EventCode.XA_PREPARE -> inTransaction = false;
            case EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY,
                    EventCode.EXECUTE_LOAD_QUERY -> statementFormat(start);
            case EventCode.INCIDENT ->
                throw new StreamException(
                        "the source has lost events at %s:%d, as its incident event says; set the position behind it and"
                                        .formatted(file.name(), start)
                                + " load again what is missing");
            case EventCode.PARTIAL_UPDATE_ROWS ->
                throw unsupported("partial JSON updates", start, "binlog_row_value_options=''");
            case EventCode.TRANSACTION_PAYLOAD ->
                throw unsupported("compressed transactions", start, "binlog_transaction_compression=OFF");
            default -> unknown(header, start);
        }
    }

    private StreamException unsupported(String what, long start, String setting) {
        return new StreamException("the event at %s:%d holds %s, which cannot be read yet; set %s on the source"
                .formatted(file.name(), start, what, setting));
    }

    private void unknown(EventHeader header, long start) {
        if (!header.isIgnorable()) {
            throw new StreamException("the event at %s:%d is of the unknown type %d, and not one that may be skipped"
                    .formatted(file.name(), start, header.code()));
        }
    }

    private void statementFormat(long start) {
        if (!statementFormatSeen) {
            statementFormatSeen = true;
            LOG.warn(
                    "the source writes statements and not rows, set binlog_format=ROW: file={} offset={}",
                    file.name(),
                    start);
        }
    }

    private void rotate(RotateEvent event) {
        if (!event.nextFile().equals(file.name())) {
            file = new LogFile(sourceHost, sourcePort, event.nextFile());
            tables.forgetIds();
        }
        offset = event.nextOffset();
        if (!inTransaction) {
            StreamPoint next = new StreamPoint(file.name(), offset);
            transactionStart = next;
            if (!handedOn.file().equals(file.name())) {
                handedOn = next;
            }
        }
    }

    private void beginsTransaction(long start) {
        transactionStart = new StreamPoint(file.name(), start);
    }

    private Origin origin(EventHeader header, long start) {
        return new Origin(file, start, header.serverId(), header.timestampSeconds() * 1000, header.length(), gtid);
    }

    private void rows(Chunk chunk, EventHeader header, EventBody body, long start, long end, EventType type) {
        long tableId = TableMap.readTableId(body, format);
        body.skip(2);
        if (header.code() >= EventCode.WRITE_ROWS_V2) {
            int extra = body.readShort();
            body.skip(extra - 2L);
        }
        Mapping mapping = tables.byId(tableId);
        if (mapping == null) {
            if (tableId == DUMMY_TABLE_ID) {
                return;
            }
            throw new StreamException(
                    "the rows event at %s:%d is of table id %d, which no table map before it names; start where a transaction begins"
                            .formatted(file.name(), start, tableId));
        }
        MappedTable table = mapping.table();
        if (table == null || isDropped(type) || !isAhead(end)) {
            return;
        }
        chunk.entries()
                .add(new RowsEntry(
                        origin(header, start),
                        type,
                        table,
                        tableId,
                        chunk.bytes(),
                        body.offset(),
                        body.end(),
                        options.oldAccumulates()));
    }

    private boolean isDropped(EventType type) {
        StreamOptions.Dropped dropped = options.dropped();
        return dropped.rows()
                || switch (type) {
                    case INSERT -> dropped.inserts();
                    case UPDATE -> dropped.updates();
                    default -> dropped.deletes();
                };
    }

    private void query(Chunk chunk, EventHeader header, QueryEvent event, long start, long end) throws IOException {
        String sql = statements.textOf(event);
        String command = sql.strip();
        XaText xa = XaText.of(sql);
        if (command.equalsIgnoreCase("BEGIN")) {
            inTransaction = true;
            if (isAhead(end)) {
                chunk.entries().add(BorderEntry.begin(origin(header, start), event.threadId()));
            }
        } else if (command.equalsIgnoreCase("COMMIT")) {
            inTransaction = false;
            if (isAhead(end)) {
                chunk.entries().add(BorderEntry.end(origin(header, start), "0"));
            }
        } else if (command.equalsIgnoreCase("ROLLBACK")) {
            inTransaction = false;
        } else if (xa != null) {
            xa(chunk, origin(header, start), event, sql, xa, end);
        } else if (!isSavepoint(command) && isAhead(end)) {
            StatementEntry entry = statements.read(origin(header, start), sql, event.schema());
            tables.structuresChanged();
            if (entry != null) {
                chunk.entries().add(entry);
            }
        }
    }

    private void xa(Chunk chunk, Origin origin, QueryEvent event, String sql, XaText xa, long end) {
        BinlogEntry entry = switch (xa.type()) {
            case "XA START" -> BorderEntry.begin(origin, event.threadId(), xa);
            case "XA END" -> BorderEntry.end(origin, xa);
            case "XA COMMIT" -> new StatementEntry(origin, EventType.XACOMMIT, sql, xa);
            default -> new StatementEntry(origin, EventType.XAROLLBACK, sql, xa);
        };
        // The transaction in the binlog goes on to the event that prepares it.
        inTransaction |= xa.type().equals("XA START");
        if (isAhead(end)) {
            chunk.entries().add(entry);
        }
    }

    private static boolean isSavepoint(String command) {
        return command.regionMatches(true, 0, "SAVEPOINT ", 0, 10)
                || command.regionMatches(true, 0, "ROLLBACK TO ", 0, 12)
                || command.regionMatches(true, 0, "RELEASE SAVEPOINT ", 0, 18);
    }

    /**
     * A {@code ROWS_QUERY_EVENT}: a length of one byte, which is of no use since texts are longer, and the text.
     */
    private void rowsQuery(Chunk chunk, EventHeader header, EventBody body, long start, long end) {
        if (options.dropped().rowStatements() || !isAhead(end)) {
            return;
        }
        body.skip(1);
        String sql = body.readText(body.remaining(), StandardCharsets.UTF_8);
        String table = statements.tableOf(sql);
        chunk.entries().add(new StatementEntry(origin(header, start), EventType.QUERY, "", table, null, sql, ""));
    }
}
