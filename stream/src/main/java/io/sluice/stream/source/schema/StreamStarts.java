package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.source.search.BinlogOrder;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.GtidSearch;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Makes the starts of streams, as the schema history knows them, of those of dumps. */
final class StreamStarts {
    private final String instance;
    private final BinlogEpoch binlog;

    /** @param binlog has the epoch of the binlog that is read */
    StreamStarts(String instance, BinlogEpoch binlog) {
        this.instance = instance;
        this.binlog = binlog;
    }

    /**
     * A start where a stream continues.
     *
     * @param cursor where it got to; null if it begins elsewhere: its time is then left out, so that all that the history has of other servers is before it
     */
    StreamStart continued(DumpStart start, @Nullable Cursor cursor, SourceConnection connection) throws IOException {
        return cursor == null
                ? of(start, connection, new LastEvent(0, connection.facts().serverId()))
                : of(start, connection, new LastEvent(start.timeMillis(), cursor.serverId()));
    }

    /** A start as a beginning of the history, which has a time also without a cursor. */
    StreamStart beginning(DumpStart start, @Nullable Cursor cursor, SourceConnection connection) throws IOException {
        long serverId = cursor == null ? connection.facts().serverId() : cursor.serverId();
        return of(start, connection, new LastEvent(start.timeMillis(), serverId));
    }

    /** A start that is not at a cursor. */
    StreamStart elsewhere(DumpStart start, SourceConnection connection) throws IOException {
        return of(
                start,
                connection,
                new LastEvent(start.timeMillis(), connection.facts().serverId()));
    }

    private StreamStart of(DumpStart start, SourceConnection connection, LastEvent before) throws IOException {
        ServerFacts facts = connection.facts();
        BinlogPosition position = start.position();
        return StreamStart.at(
                        facts.identity(),
                        position == null ? "" : position.file(),
                        position == null ? 0 : position.offset(),
                        before.serverId(),
                        before.millis())
                .after(start.executed(), start.byGtids())
                .inEpoch(binlog.epoch())
                .ordered(new BinlogOrder(instance, facts, connection.scan())::isWithin);
    }

    /** A start for which something is written, with the time at which its file was begun: by that the binlog is recognized later. */
    static StreamStart dated(StreamStart start, SourceConnection connection) throws IOException {
        if (start.file().isEmpty()) {
            return start;
        }
        try {
            return start.inFileBegunAt(connection.scan().begunSeconds(start.file()));
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return start; // as what canal has written
        }
    }

    /**
     * Finds the position in a file of a start that is known by GTIDs only, which a snapshot and a search for DDL need: where the first transaction
     * begins that is to be read.
     */
    static DumpStart located(DumpStart start, SourceConnection connection) throws IOException {
        GtidSet executed = start.executed();
        if (start.position() != null || executed == null) {
            return start;
        }
        ServerFacts facts = connection.facts();
        BinlogPosition found = GtidSearch.of(executed).find(facts, connection.scan());
        BinlogPosition oldest = new BinlogPosition(facts.files().get(0).name(), DumpRequest.FIRST_POSITION);
        return DumpStart.after(found == null ? oldest : found, executed, start.lastEvent());
    }
}
