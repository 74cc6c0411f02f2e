package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.FormatDescription;
import io.sluice.parse.binlog.HeartbeatEvent;
import io.sluice.parse.binlog.RotateEvent;
import io.sluice.parse.entry.BinlogEntry;
import io.sluice.parse.entry.BorderEntry;
import io.sluice.protocol.entry.EventType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gives each event to who follows its kind: files, table maps, transactions, GTIDs, rows, texts. For one thread. */
final class EventDispatcher {
    private final LargeEvents large;
    private final StreamProgress progress;
    private final GtidTracker gtids;
    private final TableMappings tables;
    private final RowsReader rows;
    private final TextReader texts;
    private final MariaDbTransactions mariaDb;

    EventDispatcher(
            StreamOptions options,
            TableMappings tables,
            StatementReader statements,
            StreamProgress progress,
            GtidTracker gtids) {
        this.large = options.large();
        this.progress = progress;
        this.gtids = gtids;
        this.tables = tables;
        this.rows = new RowsReader(options, tables);
        this.texts = new TextReader(options, tables, statements, progress);
        this.mariaDb = new MariaDbTransactions(options.mariaDbBegins(), gtids, progress);
    }

    /**
     * Whether more than the beginning of a large event is needed.
     *
     * @param body the first bytes of its body
     */
    boolean needsWhole(EventHeader header, EventBody body, Event.Place place, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(header.code());
        if (rowsType != null) {
            return progress.isAhead(place) && rows.leaves(body, rowsType, format);
        }
        return switch (header.code()) {
            case EventCode.ROWS_QUERY, EventCode.MARIADB_ANNOTATE_ROWS -> !texts.dropsRowStatements();
            case EventCode.ROTATE,
                    EventCode.HEARTBEAT,
                    EventCode.HEARTBEAT_V2,
                    EventCode.TABLE_MAP,
                    EventCode.XID,
                    EventCode.QUERY,
                    EventCode.MARIADB_QUERY_COMPRESSED,
                    EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY,
                    EventCode.MARIADB_GTID,
                    EventCode.GTID,
                    EventCode.GTID_TAGGED,
                    EventCode.ANONYMOUS_GTID -> true;
            default -> false;
        };
    }

    /** Follows a rows event that is too large, by the first bytes of its body; stops at any other. */
    void leaveUnread(Chunk chunk, EventHeader header, EventBody body, Event.Place place, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(header.code());
        if (rowsType == null) {
            throw RowsReader.tooLarge(place, header.length(), large.largestText());
        }
        rows.leaveUnread(chunk, event(header, body, place), rowsType, format);
        progress.passOfTransaction();
    }

    /** How large an event may be that is read. */
    long largestRead(EventHeader header) {
        return RowsReader.typeOf(header.code()) == null ? large.largestText() : large.largestRead();
    }

    /**
     * Follows an event, and puts what it becomes into the chunk that holds its bytes.
     *
     * @param body without header and checksum
     * @param format how the events of this file are written
     * @throws IOException if the source had to be asked for a structure, and could not
     * @throws StreamException if the event cannot be understood
     */
    void dispatch(Chunk chunk, EventHeader header, EventBody body, Event.Place place, FormatDescription format)
            throws IOException {
        EventType rowsType = RowsReader.typeOf(header.code());
        if (rowsType != null) {
            Event event = event(header, body, place);
            if (progress.isAhead(place)) {
                rows.read(chunk, event, rowsType, format);
            }
            progress.passOfTransaction();
            return;
        }
        switch (header.code()) {
            case EventCode.ROTATE -> {
                if (progress.rotate(RotateEvent.decode(body))) {
                    tables.forgetIds();
                }
            }
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2 -> {
                HeartbeatEvent heartbeat = HeartbeatEvent.decode(header, body);
                progress.skipTo(heartbeat.file(), heartbeat.offset());
            }
            case EventCode.TABLE_MAP -> tables.accept(event(header, body, place), format);
            case EventCode.XID -> {
                progress.end();
                if (progress.isAhead(place)) {
                    String id = Long.toString(body.readLong());
                    add(chunk, BorderEntry.end(event(header, body, place).origin(), id));
                }
            }
            case EventCode.QUERY, EventCode.MARIADB_QUERY_COMPRESSED -> {
                if (!mariaDb.hidesStatement()) {
                    add(chunk, texts.read(event(header, body, place)));
                }
                progress.passOfTransaction();
            }
            case EventCode.ROWS_QUERY,
                    EventCode.MARIADB_ANNOTATE_ROWS,
                    EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY -> {
                add(chunk, texts.read(event(header, body, place)));
                progress.passOfTransaction();
            }
            case EventCode.MARIADB_GTID -> {
                add(chunk, mariaDb.begin(event(header, body, place)));
                progress.passOfTransaction();
            }
            case EventCode.GTID, EventCode.GTID_TAGGED -> {
                progress.transactionStartsAt(place.start());
                gtids.accept(body, header.code() == EventCode.GTID_TAGGED);
            }
            case EventCode.ANONYMOUS_GTID -> {
                progress.transactionStartsAt(place.start());
                gtids.acceptAnonymous(place);
            }
            case EventCode.FORMAT_DESCRIPTION,
                    EventCode.PREVIOUS_GTIDS,
                    EventCode.STOP,
                    EventCode.IGNORABLE,
                    EventCode.TRANSACTION_CONTEXT,
                    EventCode.APPEND_BLOCK,
                    EventCode.DELETE_FILE,
                    EventCode.EXECUTE_LOAD_QUERY,
                    EventCode.VIEW_CHANGE,
                    EventCode.MARIADB_BINLOG_CHECKPOINT,
                    EventCode.MARIADB_GTID_LIST,
                    EventCode.MARIADB_START_ENCRYPTION -> {}
            case EventCode.XA_PREPARE -> progress.end();
            case EventCode.INCIDENT ->
                throw new StreamException(
                        "the source has lost events at %s, as its incident event says; set the position behind it and load again what is missing"
                                .formatted(place));
            default -> unknown(header, place);
        }
    }

    private Event event(EventHeader header, EventBody body, Event.Place place) {
        return new Event(header, body, place, progress.sequence(), gtids.stamp());
    }

    private static void add(Chunk chunk, @Nullable BinlogEntry entry) {
        if (entry != null) {
            chunk.entries().add(entry);
        }
    }

    private static void unknown(EventHeader header, Event.Place place) {
        if (!header.isIgnorable()) {
            throw new StreamException("the event at %s is of the unknown type %d, and not one that may be skipped"
                    .formatted(place, header.code()));
        }
    }
}
