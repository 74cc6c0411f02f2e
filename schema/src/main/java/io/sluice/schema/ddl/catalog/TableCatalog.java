package io.sluice.schema.ddl.catalog;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table schemas at the event that is processed; an unknown one is requested from the source when it is needed. {@link RowSchemas} and {@link DoubtResolver}
 * determine which one a table has if rows do not match it, or it may have several. For one thread.
 */
public final class TableCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(TableCatalog.class);

    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private final SchemaCharsets charsets;
    private final PastDefinitions past;
    private final CatalogTables tables;
    private final TableDoubts doubts;
    private final SchemaHeap heap = new SchemaHeap();
    private final CatalogText text;
    /** What is in doubt from a position on that is not reached yet. */
    private final List<Awaited> awaited = new ArrayList<>();

    private @Nullable EventPosition at;
    /** Whether recorded statements are applied: the source may be ahead of them, so it is not asked for tables. */
    private boolean isReplaying;

    /** Creates a catalog that knows no tables. */
    public TableCatalog(
            TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder, SchemaCounts counts) {
        this.source = source;
        this.recorder = recorder;
        this.charsets = new SchemaCharsets(definitions, source);
        this.past = new PastDefinitions(definitions, source, recorder, charsets, counts);
        this.tables = new CatalogTables(source, charsets);
        this.doubts = new TableDoubts(tables);
        this.text = new CatalogText(tables, charsets, past, source, heap);
    }

    /** Sets the event that is processed now; null if none is, so that nothing is recorded. */
    public void moveTo(@Nullable EventPosition position) {
        at = position;
        if (position != null && !awaited.isEmpty()) {
            BinlogPosition reached = new BinlogPosition(position.file(), position.offset());
            awaited.stream().filter(names -> !reached.isBefore(names.from())).forEach(names -> doubt(names.names()));
            awaited.removeIf(names -> !reached.isBefore(names.from()));
        }
    }

    /** What is in doubt from a position on. */
    private record Awaited(BinlogPosition from, DoubtfulNames names) {}

    /** Forgets what is in doubt: it is requested from the source when it is needed next. Whether the tables exist is not known, either. */
    public void doubt(DoubtfulNames names) {
        for (TableName name : names.tables()) {
            if (name.table().isEmpty()) {
                tables.forgetAllOf(name.schema());
                charsets.forget(name.schema());
            } else {
                tables.forget(name);
            }
            charsets.doubtTables(name.schema());
        }
        names.defaults().forEach(charsets::forget);
    }

    /** Has names be in doubt from a position on that is still to be read; up to there, all is as it is in memory. */
    public void doubtFrom(BinlogPosition from, DoubtfulNames names) {
        awaited.add(new Awaited(from, names));
    }

    /** Sets whether recorded statements are applied, and not those of the stream. */
    public void setReplaying(boolean isReplaying) {
        this.isReplaying = isReplaying;
    }

    /** The event that is processed now; null if none is. */
    public @Nullable EventPosition at() {
        return at;
    }

    /** The definitions that tables had at an event. */
    PastDefinitions past() {
        return past;
    }

    /** The tables in memory. */
    public CatalogTables tables() {
        return tables;
    }

    /** What is in doubt about the tables in memory. */
    public TableDoubts doubts() {
        return doubts;
    }

    /** The default character sets of schemas at the event. */
    public SchemaCharsets charsets() {
        return charsets;
    }

    /** The server whose statements change the table schemas. */
    public SourceTraits source() {
        return source;
    }

    /**
     * Returns the table schema, the same object until a statement changes the table. It is requested from the source if it is unknown or must be
     * rechecked. While recorded statements are applied, only the recorder is asked: it has what the source returned in the stream, and where it has
     * nothing, the schema in memory was used.
     *
     * @return null if there is no such table, none is recorded, or its definition on the source cannot be read
     * @throws IOException if the source had to be asked and could not be
     */
    public @Nullable TableSchema table(TableName name) throws IOException {
        KnownTable known = tables.find(name);
        if (known != null && known.recheck() == RecheckReason.NONE) {
            return known.schema();
        }
        PastDefinition definition = isReplaying ? past.recall(name, at) : past.recallOrRead(name, at);
        if (definition == null) {
            return known == null ? null : settled(known);
        }
        return known == null ? take(definition) : settle(known, definition);
    }

    /** Stores the schema of a definition in memory, and records the definition unless it is recorded. */
    TableSchema take(PastDefinition definition) throws IOException {
        if (at != null && !definition.isRecorded()) {
            recorder.recordDefinition(at, definition.table().name(), definition.createStatement(), text::state);
        }
        tables.put(definition.table(), RecheckReason.NONE);
        return definition.table();
    }

    /**
     * Takes a schema that was determined otherwise than by a statement, and records it, so that a doubt does not come back by the recorded statement.
     *
     * @throws IOException if it could not be recorded
     */
    public TableSchema takeDerived(TableSchema table) throws IOException {
        return take(PastDefinition.derived(table));
    }

    private TableSchema settled(KnownTable known) {
        tables.store(known.withRecheck(RecheckReason.NONE));
        return known.schema();
    }

    /**
     * Uses a table's {@code CREATE TABLE} text from the source or a stored history instead of what was known.
     *
     * @return null if the text cannot be read, which is logged
     * @throws IOException if the source had to be asked for the schema's character set and could not be
     */
    public @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        TableSchema table = past.parse(name, createStatement);
        if (table != null) {
            tables.put(table, RecheckReason.NONE);
        }
        return table;
    }

    private TableSchema settle(KnownTable known, PastDefinition definition) throws IOException {
        TableSchema ours = known.schema();
        TableSchema found = definition.table();
        boolean agrees = ours.agreesWith(found);
        TableDoubt doubt = known.doubt();
        if (doubt != null && doubt.mayBe(found)) {
            return take(definition);
        }
        if (!agrees) {
            boolean isOurs = known.recheck() == RecheckReason.SPELLED_BY_SOURCE;
            warnOfOtherColumns(isOurs ? "the stream's" : "the source's", ours, found);
        }
        return agrees == (known.recheck() == RecheckReason.SPELLED_BY_SOURCE) ? take(definition) : settled(known);
    }

    static void warnOfOtherColumns(String taken, TableSchema ours, TableSchema asked) {
        LOG.warn(
                "the source has other columns than the DDL of the stream, taking {}: table={} stream={} source={}",
                taken,
                ours.name(),
                ours.columns().size(),
                asked.columns().size());
    }

    /**
     * Uses the source's definition of a table, unless the schema in memory, which keeps its spelling, has the same columns.
     *
     * @return a schema with the columns of both; null if the definition cannot be read, which is logged
     * @throws IOException if the source had to be asked for the schema's character set and could not be
     */
    public @Nullable TableSchema align(TableName name, String createStatement) throws IOException {
        TableSchema table = past.parse(name, createStatement);
        KnownTable known = tables.find(name);
        if (known != null && table != null && known.schema().agreesWith(table)) {
            tables.store(known.withDoubt(null));
        } else if (table != null) {
            tables.put(table, RecheckReason.NONE);
        }
        return table;
    }

    /** A session in the binlog file of the event; {@link BinlogSession#NONE} if one of them is not known. */
    public BinlogSession sessionHere(long session) {
        EventPosition event = at;
        return event == null || session == BinlogSession.NO_ID
                ? BinlogSession.NONE
                : new BinlogSession(session, event.file());
    }

    /** The default character set of a schema at the event, as {@link SchemaCharsets#find}; of a recorded one, as {@link SchemaCharsets#findPresent}. */
    public @Nullable String schemaCharset(String schema) throws IOException {
        return isReplaying ? charsets.findPresent(schema) : charsets.find(schema, at);
    }

    /** The heap that the tables in memory take. */
    public SchemaHeap heap() {
        return heap;
    }

    /**
     * All table schemas as texts, for {@link #restore}.
     *
     * @throws io.sluice.mysql.failure.SourceException if the heap has no room for a snapshot of them
     */
    public SchemaState state() throws IOException {
        return text.state();
    }

    /**
     * Checks whether the heap has room for {@link #state}.
     *
     * @throws io.sluice.mysql.wire.error.ResultTooLargeException if it has not
     */
    public void requireRoom() throws IOException {
        text.requireRoom();
    }

    /**
     * Replaces all that is in memory by a result of {@link #state}, or by what canal wrote.
     *
     * @throws io.sluice.mysql.wire.error.ResultTooLargeException if the heap has no room for that, or for a snapshot of it; then no table is in memory
     * @throws IOException if the source had to be asked for a schema's character set and could not be
     */
    public void restore(SchemaState state) throws IOException {
        awaited.clear();
        text.restore(state);
    }
}
