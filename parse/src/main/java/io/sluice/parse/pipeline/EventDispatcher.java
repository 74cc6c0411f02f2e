package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventCode;
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
     * @param event with the first bytes of its body
     */
    boolean needsWhole(Event event, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType != null) {
            return progress.isAhead(event) && rows.leaves(event.body(), rowsType, format);
        }
        return switch (event.code()) {
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
    void leaveUnread(Chunk chunk, Event event, FormatDescription format) {
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType == null) {
            throw RowsReader.tooLarge(event.place(), event.length(), large.largestText());
        }
        event.isOf(progress.sequence(), gtids.stamp());
        rows.leaveUnread(chunk, event, rowsType, format);
        progress.passOfTransaction();
    }

    /** How large an event may be that is read. */
    long largestRead(Event event) {
        return RowsReader.typeOf(event.code()) == null ? large.largestText() : large.largestRead();
    }

    /**
     * Follows an event, and puts what it becomes into the chunk that holds its bytes.
     *
     * @param format how the events of this file are written
     * @throws IOException if the source had to be asked for a structure, and could not
     * @throws StreamException if the event cannot be understood
     */
    void dispatch(Chunk chunk, Event event, FormatDescription format) throws IOException {
        event.isOf(progress.sequence(), gtids.stamp());
        EventType rowsType = RowsReader.typeOf(event.code());
        if (rowsType != null) {
            if (progress.isAhead(event)) {
                rows.read(chunk, event, rowsType, format);
            } else {
                rows.pass(event, format);
            }
            progress.passOfTransaction();
            return;
        }
        switch (event.code()) {
            case EventCode.ROTATE -> {
                if (progress.rotate(RotateEvent.decode(event.body()))) {
                    tables.forgetIds();
                }
            }
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2 -> {
                HeartbeatEvent heartbeat = HeartbeatEvent.decode(event.header(), event.body());
                progress.skipTo(heartbeat.file(), heartbeat.offset());
            }
            case EventCode.TABLE_MAP -> tables.accept(event, format);
            case EventCode.XID -> {
                progress.end();
                if (progress.isAhead(event)) {
                    add(chunk, BorderEntry.end(event.origin(), event.body().readLong()));
                }
            }
            case EventCode.QUERY, EventCode.MARIADB_QUERY_COMPRESSED -> {
                if (!mariaDb.hidesStatement()) {
                    add(chunk, texts.read(event));
                }
                progress.passOfTransaction();
            }
            case EventCode.ROWS_QUERY,
                    EventCode.MARIADB_ANNOTATE_ROWS,
                    EventCode.INTVAR,
                    EventCode.RAND,
                    EventCode.USER_VAR,
                    EventCode.BEGIN_LOAD_QUERY -> {
                add(chunk, texts.read(event));
                progress.passOfTransaction();
            }
            case EventCode.MARIADB_GTID -> {
                add(chunk, mariaDb.begin(event));
                progress.passOfTransaction();
            }
            case EventCode.GTID, EventCode.GTID_TAGGED -> {
                progress.transactionStartsAt(event.start());
                gtids.accept(event.body(), event.code() == EventCode.GTID_TAGGED);
            }
            case EventCode.ANONYMOUS_GTID -> {
                progress.transactionStartsAt(event.start());
                gtids.acceptAnonymous(event);
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
                                .formatted(event.place()));
            default -> unknown(event);
        }
    }

    private static void add(Chunk chunk, @Nullable BinlogEntry entry) {
        if (entry != null) {
            chunk.entries().add(entry);
        }
    }

    private static void unknown(Event event) {
        if (!event.header().isIgnorable()) {
            throw new StreamException("the event at %s is of the unknown type %d, and not one that may be skipped"
                    .formatted(event.place(), event.code()));
        }
    }
}
