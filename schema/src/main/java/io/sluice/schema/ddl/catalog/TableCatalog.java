package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table schemas at the event that is processed; an unknown one is requested from the source when it is needed, and so is one in doubt when its rows
 * come. For one thread.
 */
public final class TableCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(TableCatalog.class);

    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private final SchemaCharsets charsets;
    private final PastDefinitions past;
    private final CatalogTables tables;
    private final TableDoubts doubts;
    private final CatalogText text;
    private @Nullable EventPosition at;
    /** Whether recorded statements are applied: the source may be ahead of them, so it is not asked for tables. */
    private boolean isReplaying;

    private long rowSession = BinlogSession.NO_ID;

    /** Creates a catalog that knows no tables. */
    public TableCatalog(
            TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder, SchemaCounts counts) {
        this.definitions = definitions;
        this.source = source;
        this.recorder = recorder;
        this.charsets = new SchemaCharsets(definitions, source);
        this.past = new PastDefinitions(definitions, source, recorder, charsets, counts);
        this.tables = new CatalogTables(source, charsets);
        this.doubts = new TableDoubts(tables);
        this.text = new CatalogText(tables, charsets, past, source);
    }

    /** Sets the event that is processed now; null if none is, so that nothing is recorded. */
    public void moveTo(@Nullable EventPosition position) {
        at = position;
    }

    /** Sets the session whose rows are read from now on. */
    public void setRowSession(long session) {
        rowSession = session;
    }

    /** Sets whether recorded statements are applied, and not those of the stream. */
    public void setReplaying(boolean isReplaying) {
        this.isReplaying = isReplaying;
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
     * Returns the table schema; it is requested from the source if it is unknown or must be rechecked. While recorded statements are applied, only the recorder
     * is asked: it has what the source returned in the stream, and where it has nothing, the schema in memory was used.
     *
     * @return null if there is no such table, or none is recorded
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

    /**
     * Determines whether rows that fit no schema are those of a sequence that was dropped after this event. The binlog is searched for that up to its
     * end, so only if the rows can be those of a sequence.
     *
     * @return the schema of the sequence, which is in memory then; null if the name was not certainly that of one
     */
    public @Nullable TableSchema goneSequence(TableName name, Predicate<TableSchema> fits) throws IOException {
        PastDefinition sequence = past.goneSequence(name, at, fits);
        return sequence == null ? null : take(sequence);
    }

    private TableSchema take(PastDefinition definition) throws IOException {
        if (at != null && !definition.isRecorded()) {
            recorder.recordDefinition(at, definition.table().name(), definition.createStatement(), text::state);
        }
        tables.put(definition.table(), RecheckReason.NONE);
        return definition.table();
    }

    /** Replaces the known schema of a table by one that was derived from its table map. */
    public void correct(TableSchema table) throws IOException {
        take(PastDefinition.derived(table));
    }

    private TableSchema settled(KnownTable known) {
        tables.store(known.withRecheck(RecheckReason.NONE));
        return known.schema();
    }

    /**
     * Reads again the schema of a table whose rows do not match the known one.
     *
     * @param mayFit whether the binlog is searched for DDL that follows the present definition on the source
     * @return the first schema that matches, which is in memory then; null if none does, and nothing has changed
     */
    public @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits, Predicate<TableSchema> mayFit)
            throws IOException {
        PastDefinition recalled = past.recall(name, at);
        if (recalled != null && fits.test(recalled.table())) {
            return take(recalled);
        }
        PastDefinition read = past.read(name, at, mayFit);
        return read != null && fits.test(read.table()) ? take(read) : null;
    }

    /** Whether the table is known to be changed after this position. */
    public boolean changesLater(TableName name) {
        return at != null && recorder.changesLater(at, name);
    }

    /** All columns of a table as the source stores them now; null if it does not show them. */
    public @Nullable List<StoredColumn> storedColumns(TableName name) throws IOException {
        return definitions.storedColumns(name);
    }

    /** Parses the definition of a table on the source, and stores the schema in memory. */
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

    private static void warnOfOtherColumns(String taken, TableSchema ours, TableSchema asked) {
        LOG.warn(
                "the source has other columns than the DDL of the stream, taking {}: table={} stream={} source={}",
                taken,
                ours.name(),
                ours.columns().size(),
                asked.columns().size());
    }

    /** Uses the source's definition of a table only if the schema in memory, which keeps its spelling, has other columns; null if it cannot be read. */
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

    /**
     * Ends the doubts about a table whose rows have come, so that its name is that of a permanent one. If it may have several schemas, it has
     * the one that the rows can be of; if they can be of several, the session of the rows decides, or the source.
     *
     * @return the schema in memory then; null if there is none, or it cannot be determined
     */
    public @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        tables.note(name, table -> table.withNameInDoubt(false));
        TableSchema known = tables.known(name);
        TableDoubt doubt = doubts.of(name);
        if (known == null || doubt == null) {
            return known;
        }
        List<TableSchema> fitting = doubt.others().stream().filter(fits).toList();
        boolean isKnown = fits.test(known);
        if (fitting.isEmpty() || isKnown && doubt.isBy(sessionHere(rowSession))) {
            return isKnown && doubt.isFlagged() ? confirmed(known) : withoutDoubt(known);
        }
        if (!isKnown && fitting.size() == 1) {
            return confirmed(fitting.get(0));
        }
        return confirmedBySource(known, doubt);
    }

    /** A session in the binlog file of the event; {@link BinlogSession#NONE} if one of them is not known. */
    public BinlogSession sessionHere(long session) {
        EventPosition event = at;
        return event == null || session == BinlogSession.NO_ID
                ? BinlogSession.NONE
                : new BinlogSession(session, event.file());
    }

    /** Takes one of the schemas that a table may have, and records it, so that the doubt does not come back by the recorded statement. */
    private TableSchema confirmed(TableSchema table) throws IOException {
        return take(PastDefinition.derived(table));
    }

    private TableSchema withoutDoubt(TableSchema known) {
        tables.note(known.name(), table -> table.withDoubt(null));
        return known;
    }

    /** The schema that a table has, if the source confirms one of those that it may have. */
    private @Nullable TableSchema confirmedBySource(TableSchema known, TableDoubt doubt) throws IOException {
        PastDefinition definition = past.recallOrRead(known.name(), at);
        if (definition != null && doubt.mayBe(definition.table())) {
            warnOfOtherColumns("the source's", known, definition.table());
            return take(definition);
        }
        boolean isConfirmed = definition != null && definition.table().agreesWith(known);
        if (!isConfirmed && doubt.isFlagged() && (definition != null || !source.mariaDb())) {
            return definition == null ? unknown(known, doubt) : take(definition);
        }
        if (!isConfirmed) {
            LOG.warn(
                    "it is not known from the source whether a DDL was of temporary tables, taking it for one of permanent ones: table={} columns={} else={}",
                    known.name(),
                    names(known),
                    doubt.others().stream().map(TableCatalog::names).toList());
        }
        return isConfirmed && doubt.isFlagged() ? confirmed(known) : withoutDoubt(known);
    }

    /** The rows of MySQL state their session, so where these come from another one it is as likely that the table was a temporary one. */
    private @Nullable TableSchema unknown(TableSchema known, TableDoubt doubt) {
        LOG.warn(
                "it is not known from the source whether a DDL was of temporary tables: table={} columns={} else={}",
                known.name(),
                names(known),
                doubt.others().stream().map(TableCatalog::names).toList());
        tables.forgetColumns(known.name());
        return null;
    }

    /** Reads a table that may have several schemas from the source; if that does not decide, the doubt stays. */
    public void askInDoubt(TableName name) throws IOException {
        TableDoubt doubt = doubts.of(name);
        TableSchema known = tables.known(name);
        if (doubt != null && doubt.isFlagged() && known != null) {
            PastDefinition definition = past.recallOrRead(known.name(), at);
            if (definition != null) {
                boolean isKnown = known.agreesWith(definition.table());
                TableSchema found = isKnown ? confirmed(known) : take(definition);
                LOG.debug("read the schema of a table from the source: table={} columns={}", name, names(found));
            }
        }
    }

    private static List<String> names(TableSchema table) {
        return table.columns().stream().map(ColumnSchema::name).toList();
    }

    /** The default character set of a schema at the event, as {@link SchemaCharsets#find}; of a recorded one, as {@link SchemaCharsets#findPresent}. */
    public @Nullable String schemaCharset(String schema) throws IOException {
        return isReplaying ? charsets.findPresent(schema) : charsets.find(schema, at);
    }

    /** All that is in memory, for {@link #restore}. */
    public SchemaState state() {
        return text.state();
    }

    /** Replaces all that is in memory by a result of {@link #state}, or by what canal wrote. */
    public void restore(SchemaState state) throws IOException {
        text.restore(state);
    }
}
