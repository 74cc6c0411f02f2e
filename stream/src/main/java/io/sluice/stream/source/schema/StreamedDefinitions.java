package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets table definitions from the source for a stream, which may be far behind it: the DDL between the stream's position and the end of the binlog is
 * looked for, which tells whether a definition is that of the position, too. What was found is kept, so that each part of the binlog is read once. For one
 * thread.
 */
final class StreamedDefinitions implements TableDefinitions {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedDefinitions.class);

    private final SourceQueries queries;
    private final TableDefinitions source;
    private final DdlSearch search;
    private @Nullable SearchedBinlog binlog;
    private @Nullable EventReader reader;
    private @Nullable Part known;

    /** What happens in a part of the binlog. */
    private record Part(BinlogPosition from, BinlogPosition until, LaterChanges changes) {
        boolean has(BinlogPosition position) {
            return !position.isBefore(from) && position.isBefore(until);
        }
    }

    StreamedDefinitions(SourceQueries queries, DdlSearch search) {
        this.queries = queries;
        this.source = new HeartbeatTables(queries);
        this.search = search;
    }

    /**
     * Sets the binlog that the stream reads from now on.
     *
     * @throws IOException if its server cannot be asked
     */
    void moveTo(SourceConnection connection) throws IOException {
        SearchedBinlog former = binlog;
        SearchedBinlog next = SearchedBinlog.of(connection);
        if (former == null || !former.identity().equals(next.identity())) {
            known = null;
        }
        binlog = next;
    }

    /** Sets what reads the stream. */
    void setReader(EventReader reader) {
        this.reader = reader;
    }

    @Override
    public @Nullable String createStatement(TableName table) throws IOException {
        return source.createStatement(table);
    }

    @Override
    public @Nullable List<String> addedAfter(TableName table, EventPosition event) throws IOException {
        BinlogPosition next = after(event);
        try {
            LaterChanges changes = changes(next);
            return changes == null ? List.of() : changes.addedFrom(next, table);
        } catch (ServerErrorException | MidTransactionException e) {
            if (isToBeTriedAgain(e)) {
                throw e;
            }
            LOG.warn(
                    "whether a DDL that follows changes a table cannot be looked up, its definition on the source is taken: table={} at={} cause={}",
                    table,
                    next,
                    e.getMessage());
            return List.of();
        }
    }

    @Override
    public boolean wasSequence(TableName name, EventPosition event, boolean isGone) throws IOException {
        BinlogPosition next = after(event);
        try {
            LaterChanges changes = changes(next);
            return changes != null && changes.wasSequence(next, name, isGone);
        } catch (ServerErrorException | MidTransactionException e) {
            if (isToBeTriedAgain(e)) {
                throw e;
            }
            LOG.debug("whether a name was that of a sequence cannot be looked up: name={} at={}", name, next, e);
            return false;
        }
    }

    @Override
    public boolean changesCharsetAfter(String schema, EventPosition event) throws IOException {
        BinlogPosition next = after(event);
        try {
            LaterChanges changes = changes(next);
            return changes != null && changes.changesDefault(next, schema);
        } catch (ServerErrorException | MidTransactionException e) {
            if (isToBeTriedAgain(e)) {
                throw e;
            }
            LOG.warn(
                    "whether a DDL that follows changes the default character set of a schema cannot be looked up, the one on the source is taken:"
                            + " schema={} at={} cause={}",
                    schema,
                    next,
                    e.getMessage());
            return false;
        }
    }

    private static BinlogPosition after(EventPosition event) {
        return new BinlogPosition(event.file(), event.offset() + event.length());
    }

    /** What comes up to the end of the binlog, which is asked for after definitions were; null if that is nothing, or cannot be told. */
    private @Nullable LaterChanges changes(BinlogPosition next) throws IOException {
        BinlogPosition end = queries.binlogEnd();
        if (!next.isBefore(end)) {
            known = null; // all of it has passed
            return null;
        }
        return changes(next, end);
    }

    private static boolean isToBeTriedAgain(IOException e) {
        return switch (FailureClassifier.of(e)) {
            case UNREACHABLE, AUTHENTICATION, DUPLICATE_SERVER_ID -> true;
            default -> false;
        };
    }

    private @Nullable LaterChanges changes(BinlogPosition next, BinlogPosition end) throws IOException {
        SearchedBinlog searched = binlog;
        if (searched == null) {
            return null;
        }
        Part part = known;
        known = null; // what is being read is of no use if that fails
        if (part == null || !part.has(next) || !extend(part, end, searched)) {
            BinlogPosition from = boundaryBefore(next);
            EventReader open = reader;
            LaterChanges changes = search.between(
                    from,
                    end,
                    open == null ? null : passed(open.executed()),
                    searched,
                    "the source was asked for a table or schema");
            known = changes == null ? null : new Part(from, end, changes);
            return changes;
        }
        known = new Part(part.from(), part.until().isBefore(end) ? end : part.until(), part.changes());
        return part.changes();
    }

    /**
     * The transactions after the reader's position that it does not read; null for none. Of one domain of MariaDB it reads all that comes, whatever the numbers
     * of the servers that write it; several domains may have been started at different places.
     */
    private static @Nullable GtidSet passed(@Nullable GtidSet executed) {
        return executed instanceof MariaDbGtidSet own && !own.hasSeveralDomains() ? null : executed;
    }

    /** Reads what has come since; returns whether that could be done. */
    private boolean extend(Part part, BinlogPosition end, SearchedBinlog searched) throws IOException {
        BinlogPosition from = part.until();
        if (!from.isBefore(end)) {
            return true;
        }
        try {
            return search.extend(part.changes(), from, end, searched);
        } catch (MidTransactionException e) {
            return false;
        }
    }

    /** Where the transaction begins that is read, so that the search need not look for that. */
    private BinlogPosition boundaryBefore(BinlogPosition next) {
        EventReader open = reader;
        BinlogPosition boundary = open == null ? BinlogPosition.UNKNOWN : open.resumePosition();
        return boundary.isKnown() && boundary.file().equals(next.file()) && boundary.isBefore(next) ? boundary : next;
    }

    @Override
    public @Nullable List<StoredColumn> storedColumns(TableName table) throws IOException {
        return source.storedColumns(table);
    }

    @Override
    public @Nullable String schemaCharset(String schema) throws IOException {
        return source.schemaCharset(schema);
    }
}
