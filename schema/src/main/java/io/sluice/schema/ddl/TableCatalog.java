package io.sluice.schema.ddl;

import io.sluice.schema.definition.SourceSpelling;
import io.sluice.schema.definition.StoredStatements;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table schemas in memory; an unknown one is requested from the source when it is needed. For one thread. */
final class TableCatalog {
    private static final String DOUBT = "doubt ";
    private static final String RENAMED = "renamed ";
    private static final String ALTERNATIVE = "alternative ";
    private static final String FLAGGED = "flagged ";

    private static final int MAX_ABSENT = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(TableCatalog.class);

    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private final SchemaCharsets charsets;
    private final PastDefinitions past;
    private @Nullable EventPosition at;
    /** Whether recorded statements are applied: the source may be ahead of them, so it is not asked for tables. */
    private boolean isReplaying;

    /** Null if types are as statements spell them. */
    private @Nullable SourceSpelling spelling;

    private final Map<TableName, KnownTable> tables = new HashMap<>();
    private final Set<TableName> suspects = new LinkedHashSet<>();
    /** Tables that exist, and whose columns are not known. */
    private final Set<TableName> uncertain = new HashSet<>();

    private long rowSession = SchemaTracker.NO_SESSION;

    /** Names of tables that were dropped or renamed. */
    private final Set<TableName> gone = new LinkedHashSet<>();

    /** Tables that a statement has dropped, and none has made since: the newest of them. */
    private final Set<TableName> absent = new LinkedHashSet<>();

    TableCatalog(TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder, SchemaCounts counts) {
        this.definitions = definitions;
        this.source = source;
        this.recorder = recorder;
        this.charsets = new SchemaCharsets(definitions, source);
        this.past = new PastDefinitions(definitions, source, recorder, charsets, counts);
    }

    /** Sets the event that is processed now; null if none is, so that nothing is recorded. */
    void moveTo(@Nullable EventPosition position) {
        at = position;
    }

    /** Sets the session whose rows are read from now on. */
    void setRowSession(long session) {
        rowSession = session;
    }

    /** Sets whether recorded statements are applied, and not those of the stream. */
    void setReplaying(boolean isReplaying) {
        this.isReplaying = isReplaying;
    }

    /** Spells types as the source does from now on, and not as statements do. */
    void spellAsSource() {
        spelling = new SourceSpelling(source);
    }

    /** The default character sets of schemas at the event. */
    SchemaCharsets charsets() {
        return charsets;
    }

    /** The server whose statements change the table schemas. */
    SourceTraits source() {
        return source;
    }

    /**
     * Returns the table schema; it is requested from the source if it is unknown or must be rechecked. While recorded statements are applied, only the recorder
     * is asked: it has what the source returned in the stream, and where it has nothing, the schema in memory was used.
     *
     * @return null if there is no such table, or none is recorded
     */
    @Nullable TableSchema table(TableName name) throws IOException {
        KnownTable known = tables.get(key(name));
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
    @Nullable TableSchema goneSequence(TableName name, Predicate<TableSchema> fits) throws IOException {
        PastDefinition sequence = past.goneSequence(name, at, fits);
        return sequence == null ? null : take(sequence);
    }

    private TableSchema take(PastDefinition definition) throws IOException {
        if (at != null && !definition.isRecorded()) {
            recorder.recordDefinition(at, definition.table().name(), definition.createStatement(), this::state);
        }
        put(definition.table(), RecheckReason.NONE);
        return definition.table();
    }

    /** Replaces the known schema of a table by one that was derived from its table map. */
    void correct(TableSchema table) throws IOException {
        take(PastDefinition.derived(table));
    }

    private TableSchema settled(KnownTable known) {
        store(known.withRecheck(RecheckReason.NONE));
        return known.schema();
    }

    private void store(KnownTable table) {
        SourceSpelling spelled = spelling;
        absent.remove(key(table.name()));
        tables.put(key(table.name()), spelled == null ? table : table.withSchema(spelled.of(table.schema())));
    }

    /**
     * Reads again the schema of a table whose rows do not match the known one.
     *
     * @param mayFit whether the binlog is searched for DDL that follows the present definition on the source
     * @return the first schema that matches, which is in memory then; null if none does, and nothing has changed
     */
    @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits, Predicate<TableSchema> mayFit) throws IOException {
        PastDefinition recalled = past.recall(name, at);
        if (recalled != null && fits.test(recalled.table())) {
            return take(recalled);
        }
        PastDefinition read = past.read(name, at, mayFit);
        return read != null && fits.test(read.table()) ? take(read) : null;
    }

    /** Whether the table is known to be changed after this position. */
    boolean changesLater(TableName name) {
        return at != null && recorder.changesLater(at, name);
    }

    /** All columns of a table as the source stores them now; null if it does not show them. */
    @Nullable List<StoredColumn> storedColumns(TableName name) throws IOException {
        return definitions.storedColumns(name);
    }

    /** Parses the definition of a table on the source, and stores the schema in memory. */
    @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        TableSchema table = past.parse(name, createStatement);
        if (table != null) {
            put(table, RecheckReason.NONE);
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
    @Nullable TableSchema align(TableName name, String createStatement) throws IOException {
        TableSchema table = past.parse(name, createStatement);
        KnownTable known = tables.get(key(name));
        if (known != null && table != null && known.schema().agreesWith(table)) {
            store(known.withDoubt(null));
        } else if (table != null) {
            put(table, RecheckReason.NONE);
        }
        return table;
    }

    /** The table schema in memory, also if it must be rechecked; null if there is none. */
    @Nullable TableSchema known(TableName name) {
        KnownTable known = tables.get(key(name));
        return known == null ? null : known.schema();
    }

    boolean knows(TableName name) {
        return tables.containsKey(key(name));
    }

    /** Whether a table exists according to the stream, also if its columns are not known. */
    boolean hasTable(TableName name) {
        return knows(name) || uncertain.contains(key(name));
    }

    /** Whether the name of a table in memory may be free, since a temporary table may have been renamed to it. */
    boolean isNameInDoubt(TableName name) {
        KnownTable known = tables.get(key(name));
        return known != null && known.isNameInDoubt();
    }

    /** Notes that the name of a table in memory may be free. */
    void doubtName(TableName name) {
        tables.computeIfPresent(key(name), (key, known) -> known.withNameInDoubt(true));
    }

    /** Whether two names are those of one table. */
    boolean isSame(TableName one, TableName other) {
        return key(one).equals(key(other));
    }

    /** Notes that a table, which exists, may have another schema than the one in memory, since a {@code RENAME TABLE} may have been of temporary tables. */
    void addAlternative(TableSchema other) {
        tables.computeIfPresent(key(other.name()), (key, known) -> {
            TableDoubt doubt = known.doubt();
            List<TableSchema> others = new ArrayList<>();
            others.add(other);
            if (doubt != null) {
                others.addAll(doubt.others());
            }
            boolean isFlagged = doubt != null && doubt.isFlagged();
            TableDoubt more = TableDoubt.of(known.schema(), others, TableDoubt.By.NONE, isFlagged);
            return known.withNameInDoubt(false).withDoubt(more == null ? null : more.withoutOldest());
        });
    }

    /** Notes that a table, which has the schema of another one, may have the other schemas that this one may have. */
    void copyDoubt(TableName from, TableName to) {
        TableDoubt doubt = doubt(from);
        if (doubt != null) {
            tables.computeIfPresent(key(to), (key, copy) -> copy.withDoubt(doubt.withName(to)));
        }
    }

    /** Whether a table may have another schema than the one in memory. */
    boolean isInDoubt(TableName name) {
        return doubt(name) != null;
    }

    private @Nullable TableDoubt doubt(TableName name) {
        KnownTable known = tables.get(key(name));
        return known == null ? null : known.doubt();
    }

    /** Notes that a session may have had a temporary table of a name for a part of the time. */
    void separateSessions(TableName name) {
        TableDoubt doubt = doubt(name);
        if (doubt != null) {
            tables.computeIfPresent(key(name), (key, known) -> known.withDoubt(doubt.withoutSession()));
        }
    }

    /**
     * Ends the doubts about a table whose rows have come, so that its name is that of a permanent one. If it may have several schemas, it has
     * the one that the rows can be of; if they can be of several, the session of the rows decides, or the source.
     *
     * @return the schema in memory then; null if there is none, or it cannot be determined
     */
    @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        tables.computeIfPresent(key(name), (key, table) -> table.withNameInDoubt(false));
        TableSchema known = known(name);
        TableDoubt doubt = doubt(name);
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

    private TableDoubt.By sessionHere(long session) {
        EventPosition event = at;
        return event == null || session == SchemaTracker.NO_SESSION
                ? TableDoubt.By.NONE
                : new TableDoubt.By(session, event.file());
    }

    /** Takes one of the schemas that a table may have, and records it, so that the doubt does not come back by the recorded statement. */
    private TableSchema confirmed(TableSchema table) throws IOException {
        return take(PastDefinition.derived(table));
    }

    private TableSchema withoutDoubt(TableSchema known) {
        tables.computeIfPresent(key(known.name()), (key, table) -> table.withDoubt(null));
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
        forget(known.name());
        uncertain.add(key(known.name()));
        return null;
    }

    /** Reads a table that may have several schemas from the source; if that does not decide, the doubt stays. */
    void askInDoubt(TableName name) throws IOException {
        TableDoubt doubt = doubt(name);
        TableSchema known = known(name);
        if (doubt != null && doubt.isFlagged() && known != null) {
            PastDefinition definition = past.recallOrRead(known.name(), at);
            if (definition != null) {
                boolean isKnown = known.agreesWith(definition.table());
                TableSchema found = isKnown ? confirmed(known) : take(definition);
                LOG.debug("read the schema of a table from the source: table={} columns={}", name, names(found));
            }
        }
    }

    /** Puts a table that may have other columns: the source is asked before its schema is used. */
    void putInDoubt(TableSchema table) {
        uncertain.remove(key(table.name()));
        store(new KnownTable(table, RecheckReason.MAY_HAVE_BEEN_THERE));
        suspects.add(table.name());
    }

    /**
     * Changes the schema of a table in memory, which may keep the schema that it has.
     *
     * @throws UnreadableSqlException if the change does not match the table schema, which is unchanged then, or there are too many that the table may have
     */
    void alterInDoubt(TableName name, long session, Change change) throws UnreadableSqlException {
        KnownTable known = tables.get(key(name));
        if (known == null || known.recheck() != RecheckReason.NONE) {
            throw new UnreadableSqlException("it may be of a temporary table");
        }
        TableSchema before = known.schema();
        TableSchema after = change.apply(before);
        TableDoubt doubt = known.doubt();
        TableDoubt.By by = sessionHere(session);
        List<TableSchema> others = new ArrayList<>();
        if (doubt == null) {
            others.add(before);
        } else {
            others.addAll(doubt.others());
            if (!doubt.isBy(by)) {
                by = TableDoubt.By.NONE;
                others.add(before);
                others.addAll(changed(doubt.others(), change));
            }
        }
        TableDoubt more = TableDoubt.of(after, others, by, true);
        if (more != null && more.others().size() > TableDoubt.MOST) {
            throw new UnreadableSqlException("it is one of many that may be of a temporary table");
        }
        store(new KnownTable(after, known.recheck(), false, more));
        suspects.add(name);
    }

    /**
     * Renames a table in memory, which may keep its name and its schema.
     *
     * @param isRespelled whether the source is to be asked how it spells the types of the renamed table
     * @throws UnreadableSqlException if the change does not match the table schema, or the table may have several; nothing has changed then
     */
    void renameInDoubt(TableName from, TableName to, Change change, boolean isRespelled) throws UnreadableSqlException {
        KnownTable known = tables.get(key(from));
        if (known == null || known.recheck() != RecheckReason.NONE || known.doubt() != null) {
            throw new UnreadableSqlException("it may be of a temporary table");
        }
        put(
                change.apply(known.schema()).withName(to),
                isRespelled ? RecheckReason.SPELLED_BY_SOURCE : RecheckReason.NONE);
        doubtName(from);
        doubtName(to);
    }

    private static List<TableSchema> changed(List<TableSchema> tables, Change change) {
        List<TableSchema> changed = new ArrayList<>();
        for (TableSchema table : tables) {
            try {
                changed.add(change.apply(table));
            } catch (UnreadableSqlException e) {
                LOG.debug("a table does not have the schema that it may have had: table={}", table.name(), e);
            }
        }
        return changed;
    }

    private static List<String> names(TableSchema table) {
        return table.columns().stream().map(ColumnSchema::name).toList();
    }

    void put(TableSchema table, RecheckReason recheck) {
        uncertain.remove(key(table.name()));
        boolean certain = recheck == RecheckReason.MAY_HAVE_BEEN_THERE
                && (charsets.isComplete(table.name().schema()) || absent.contains(key(table.name())));
        store(new KnownTable(table, certain ? RecheckReason.NONE : recheck));
    }

    /** A change of a table schema. */
    @FunctionalInterface
    interface Change {
        TableSchema apply(TableSchema before) throws UnreadableSqlException;
    }

    /**
     * Changes the schema of a table in memory, with the same reason to recheck it.
     *
     * @throws UnreadableSqlException if the change does not match the table schema, which is unchanged then
     */
    void alter(TableName name, Change change) throws UnreadableSqlException {
        KnownTable known = tables.get(key(name));
        if (known == null) {
            return;
        }
        TableDoubt doubt = known.doubt();
        List<TableSchema> others = doubt == null ? List.of() : changed(doubt.others(), change);
        TableSchema after;
        try {
            after = change.apply(known.schema());
        } catch (UnreadableSqlException e) {
            if (others.isEmpty()) {
                throw e;
            }
            after = others.get(0); // the table has one of these, since the statement was executed
        }
        TableDoubt left = doubt == null ? null : TableDoubt.of(after, others, doubt.by(), doubt.isFlagged());
        // a change of a temporary table is flagged, or not logged, so the name is that of a permanent one
        store(new KnownTable(after, known.recheck(), false, left));
    }

    /** Takes columns out of a table schema; false if it does not have them all, and nothing has changed. */
    boolean removeColumns(TableName name, List<String> columns) {
        KnownTable known = tables.get(key(name));
        TableSchema before = known == null ? null : PastDefinitions.without(known.schema(), columns);
        if (known == null || before == null) {
            return false;
        }
        store(known.withSchema(before));
        return true;
    }

    void recheckSpelling(TableName name) {
        tables.computeIfPresent(key(name), (key, known) -> known.withRecheck(RecheckReason.SPELLED_BY_SOURCE));
    }

    void forget(TableName name) {
        tables.remove(key(name));
        uncertain.remove(key(name));
        absent.remove(key(name));
        suspects.remove(name);
        addGone(name);
    }

    /** Forgets a table that does not exist any more. */
    void drop(TableName name) {
        forget(name);
        absent.add(key(name));
        if (absent.size() > MAX_ABSENT) {
            absent.remove(absent.iterator().next());
        }
    }

    private void addGone(TableName name) {
        gone.add(name);
        gone.add(key(name));
    }

    /** The names that no longer belong to the same table since the last call; a schema is one with an empty table name. */
    List<TableName> takeGone() {
        List<TableName> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }

    /** Forgets a table that exists, but whose schema is uncertain after a statement. */
    void suspect(TableName name) {
        forget(name);
        uncertain.add(key(name));
        suspects.add(name);
    }

    /** Returns the tables whose schemas became uncertain since the last call. */
    List<TableName> takeSuspects() {
        List<TableName> taken = List.copyOf(suspects);
        suspects.clear();
        return taken;
    }

    /** Keeps a table for {@link #takeSuspects}, since the source could not be asked for it. */
    void suspectStill(TableName name) {
        suspects.add(name);
    }

    /** Whether the source is to be asked for a table. */
    boolean isSuspect(TableName name) {
        return suspects.contains(name);
    }

    void rename(TableName from, TableName to) {
        if (suspects.remove(from)) {
            suspects.add(to);
        }
        KnownTable known = tables.remove(key(from));
        uncertain.remove(key(from));
        addGone(from);
        if (known == null) {
            suspect(to);
        } else {
            uncertain.remove(key(to));
            store(known.withName(to));
        }
    }

    void dropSchema(String schema) {
        String key = key(schema);
        tables.keySet().removeIf(name -> name.schema().equals(key));
        uncertain.removeIf(name -> name.schema().equals(key));
        absent.removeIf(name -> name.schema().equals(key));
        addGone(new TableName(schema, ""));
        charsets.drop(schema);
    }

    /** The default character set of a schema at the event, as {@link SchemaCharsets#find}; of a recorded one, as {@link SchemaCharsets#findPresent}. */
    @Nullable String schemaCharset(String schema) throws IOException {
        return isReplaying ? charsets.findPresent(schema) : charsets.find(schema, at);
    }

    /** All that is in memory, for {@link #restore}. */
    SchemaState state() {
        Map<String, StringBuilder> texts = new TreeMap<>();
        Map<String, String> notes = new TreeMap<>();
        for (KnownTable known : tables.values()) {
            TableName name = known.name();
            texts.computeIfAbsent(name.schema(), schema -> new StringBuilder()).append(TableText.of(known.schema()));
            if (known.recheck() != RecheckReason.NONE) {
                notes.put(DOUBT + name, known.recheck().name());
            }
            if (known.isNameInDoubt()) {
                notes.put(RENAMED + name, "");
            }
            TableDoubt doubt = known.doubt();
            if (doubt != null) {
                for (int i = 0; i < doubt.others().size(); i++) {
                    notes.put(
                            ALTERNATIVE + i + " " + name,
                            TableText.of(doubt.others().get(i)));
                }
                if (doubt.isFlagged()) {
                    notes.put(FLAGGED + name, doubt.by().toString());
                }
            }
        }
        charsets.addTo(notes);
        Map<String, String> definitionsOf = new TreeMap<>();
        texts.forEach((schema, text) -> definitionsOf.put(schema, text.toString()));
        return new SchemaState(definitionsOf, notes);
    }

    /** Replaces all that is in memory by a result of {@link #state}, or by what canal wrote. */
    void restore(SchemaState state) throws IOException {
        tables.clear();
        uncertain.clear();
        absent.clear();
        suspects.clear();
        charsets.restore(state.notes());
        for (Map.Entry<String, String> schema : state.definitions().entrySet()) {
            for (String text : StoredStatements.split(schema.getValue(), source)) {
                TableName name = StoredStatements.tableOf(text, schema.getKey(), source);
                TableSchema table = name == null ? null : past.parse(name, text);
                if (table != null) {
                    store(restored(table, state.notes()));
                }
            }
        }
    }

    private KnownTable restored(TableSchema table, Map<String, String> notes) throws IOException {
        TableName name = table.name();
        List<TableSchema> others = new ArrayList<>();
        for (int i = 0; i < TableDoubt.MOST; i++) {
            String text = notes.get(ALTERNATIVE + i + " " + name);
            TableSchema other = text == null ? null : past.parse(name, text);
            if (other != null) {
                others.add(other);
            }
        }
        String flagged = notes.get(FLAGGED + name);
        TableDoubt.By by = flagged == null ? TableDoubt.By.NONE : TableDoubt.By.parse(flagged);
        return new KnownTable(
                table,
                RecheckReason.valueOf(notes.getOrDefault(DOUBT + name, RecheckReason.NONE.name())),
                notes.containsKey(RENAMED + name),
                TableDoubt.of(table, others, by, flagged != null));
    }

    Collection<TableSchema> tables() {
        return tables.values().stream().map(KnownTable::schema).toList();
    }

    private TableName key(TableName name) {
        return source.foldsNames() ? new TableName(key(name.schema()), key(name.table())) : name;
    }

    private String key(String name) {
        return source.foldsNames() ? IdentifierCase.fold(name) : name;
    }
}
