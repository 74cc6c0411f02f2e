package io.sluice.schema.ddl;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
    private static final String CHARSET = "charset ";
    private static final String COMPLETE = "complete ";

    private static final Logger log = LoggerFactory.getLogger(TableCatalog.class);

    private record Entry(TableSchema table, RecheckReason recheck) {}

    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private final SchemaCounts counts;
    private @Nullable EventPosition at;
    /** Whether events are of a time whose binlog is not looked at. */
    private boolean isReplaying;

    private final Map<TableName, Entry> tables = new HashMap<>();
    private final Set<TableName> suspects = new LinkedHashSet<>();
    /** Tables that exist, and whose columns are not known. */
    private final Set<TableName> uncertain = new HashSet<>();

    /**
     * Names that tables got by a {@code RENAME TABLE} which may have been that of temporary tables, as far as the binlog tells, and which no table had
     * before.
     */
    private final Set<TableName> renamed = new HashSet<>();

    /** The schemas that tables have instead of those in memory if a {@code RENAME TABLE} was that of temporary tables. */
    private final Map<TableName, TableSchema> alternatives = new HashMap<>();

    /** Names of tables that were dropped or renamed. */
    private final Set<TableName> gone = new LinkedHashSet<>();

    private final Map<String, String> schemaCharsets = new HashMap<>();
    /** Schemas that were made in the stream: a table of theirs that is not in memory does not exist. */
    private final Set<String> completeSchemas = new HashSet<>();

    TableCatalog(TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder, SchemaCounts counts) {
        this.counts = counts;
        this.definitions = definitions;
        this.source = source;
        this.recorder = recorder;
    }

    /** Sets the event that is processed now; null if none is, so that nothing is recorded. */
    void moveTo(@Nullable EventPosition position) {
        at = position;
    }

    /** Sets whether recorded statements are applied, and not those of the stream. */
    void setReplaying(boolean isReplaying) {
        this.isReplaying = isReplaying;
    }

    /** The server whose statements change the table schemas. */
    SourceTraits source() {
        return source;
    }

    /** Returns the table schema; it is requested from the source if it is unknown or must be rechecked. Null if there is no such table. */
    @Nullable TableSchema table(TableName name) throws IOException {
        Entry entry = tables.get(key(name));
        if (entry != null && entry.recheck() == RecheckReason.NONE) {
            return entry.table();
        }
        Answer answer = recall(name);
        if (answer == null) {
            answer = ask(name, present -> true);
        }
        if (answer == null) {
            return entry == null ? null : settled(entry.table());
        }
        return entry == null ? take(answer) : settle(entry, answer);
    }

    /**
     * The definition of a table from the source or from the recorder.
     *
     * @param written whether the recorder has it already
     */
    private record Answer(TableSchema table, String createStatement, boolean written) {}

    private @Nullable Answer recall(TableName name) throws IOException {
        String text = at == null ? null : recorder.recall(at, name);
        TableSchema table = text == null ? null : read(name, text);
        return text == null || table == null ? null : new Answer(table, text, true);
    }

    private @Nullable Answer ask(TableName name, Predicate<TableSchema> mayFit) throws IOException {
        counts.countTableAsked();
        Answer answer = null;
        for (int attempt = 0; attempt < 2 && answer == null; attempt++) { // a column may have been added meanwhile
            String text = definitions.createStatement(name);
            TableSchema table = text == null ? null : read(name, text);
            if (text == null || table == null || !mayFit.test(table)) {
                return null;
            }
            EventPosition event = at;
            List<String> added = event == null || isReplaying ? List.of() : definitions.addedAfter(name, event);
            if (added == null) {
                warnOfLaterChange(name);
                return null;
            }
            answer = ofThisEvent(table, text, added);
        }
        return answer;
    }

    /**
     * Finds out whether rows that fit no schema are those of a sequence that was dropped after this event. The binlog is searched for that up to its
     * end, so only if the rows can be those of a sequence.
     *
     * @return the schema of the sequence, which is in memory then; null if the name was not certainly that of one
     */
    @Nullable TableSchema goneSequence(TableName name, Predicate<TableSchema> fits) throws IOException {
        EventPosition event = at;
        TableSchema sequence = TableSchema.ofSequence(name);
        if (!source.mariaDb() || event == null || !fits.test(sequence)) {
            return null;
        }
        boolean isGone = definitions.createStatement(name) == null;
        if (!definitions.wasSequence(name, event, isGone)) {
            return null;
        }
        return take(new Answer(sequence, TableText.of(sequence), false));
    }

    private static @Nullable Answer ofThisEvent(TableSchema table, String text, List<String> addedLater) {
        if (addedLater.isEmpty()) {
            return new Answer(table, text, false);
        }
        TableSchema before = without(table, addedLater);
        return before == null ? null : new Answer(before, TableText.of(before), false);
    }

    private void warnOfLaterChange(TableName name) {
        EventPosition event = at;
        log.warn(
                "the definition of a table on the source is not that of the stream's position, since a DDL that follows changes it: table={} at={}:{}",
                name,
                event == null ? "" : event.file(),
                event == null ? 0 : event.offset());
    }

    private TableSchema take(Answer answer) throws IOException {
        if (at != null && !answer.written()) {
            recorder.recordDefinition(at, answer.table().name(), answer.createStatement());
        }
        put(answer.table(), RecheckReason.NONE);
        return answer.table();
    }

    /** Replaces the known schema of a table by one that was derived from its table map. */
    void correct(TableSchema table) throws IOException {
        take(new Answer(table, TableText.of(table), false));
    }

    private TableSchema settled(TableSchema table) {
        tables.put(key(table.name()), new Entry(table, RecheckReason.NONE));
        return table;
    }

    /**
     * Looks again for the schema of a table whose rows do not match the known one.
     *
     * @param mayFit whether the binlog is searched for DDL that follows the present definition on the source
     * @return the first schema that matches, which is in memory then; null if none does, and nothing has changed
     */
    @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits, Predicate<TableSchema> mayFit) throws IOException {
        Answer recalled = recall(name);
        if (recalled != null && fits.test(recalled.table())) {
            return take(recalled);
        }
        Answer asked = ask(name, mayFit);
        return asked != null && fits.test(asked.table()) ? take(asked) : null;
    }

    /** Whether the table is known to be changed after this position. */
    boolean changesLater(TableName name) {
        return at != null && recorder.changesLater(at, name);
    }

    /** All columns of a table as the source stores them now; null if it does not tell. */
    @Nullable List<StoredColumn> storedColumns(TableName name) throws IOException {
        return definitions.storedColumns(name);
    }

    /** Parses the definition of a table on the source, and stores the schema in memory. */
    @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        TableSchema table = read(name, createStatement);
        if (table != null) {
            put(table, RecheckReason.NONE);
        }
        return table;
    }

    private @Nullable TableSchema read(TableName name, String createStatement) throws IOException {
        try {
            TableBody body = TableDefinition.parse(createStatement, name.schema(), source)
                    .body();
            if (body == null) {
                throw new UnreadableSqlException("the columns come from a query");
            }
            return body.toSchema(name, body.needsSchemaCharset() ? schemaCharset(name.schema()) : null);
        } catch (UnreadableSqlException e) {
            log.warn(
                    "the definition of a table on the source cannot be read: table={} reason={}", name, e.getMessage());
            return null;
        }
    }

    private TableSchema settle(Entry entry, Answer answer) throws IOException {
        TableSchema ours = entry.table();
        TableSchema asked = answer.table();
        boolean agrees = ours.agreesWith(asked);
        if (!agrees) {
            boolean isOurs = entry.recheck() == RecheckReason.SPELLED_BY_SOURCE;
            warnOfOtherColumns(isOurs ? "the stream's" : "the source's", ours, asked);
        }
        return agrees == (entry.recheck() == RecheckReason.SPELLED_BY_SOURCE) ? take(answer) : settled(ours);
    }

    private static void warnOfOtherColumns(String taken, TableSchema ours, TableSchema asked) {
        log.warn(
                "the source has other columns than the DDL of the stream, taking {}: table={} stream={} source={}",
                taken,
                ours.name(),
                ours.columns().size(),
                asked.columns().size());
    }

    /** Uses the source's definition of a table only if the schema in memory, which keeps its spelling, has other columns. */
    void align(TableName name, String createStatement) throws IOException {
        TableSchema table = read(name, createStatement);
        TableSchema ours = known(name);
        if (table != null && (ours == null || !ours.agreesWith(table))) {
            put(table, RecheckReason.NONE);
        }
    }

    /** The table schema in memory, also if it must be rechecked; null if there is none. */
    @Nullable TableSchema known(TableName name) {
        Entry entry = tables.get(key(name));
        return entry == null ? null : entry.table();
    }

    boolean knows(TableName name) {
        return tables.containsKey(key(name));
    }

    /** Whether a table exists as far as the stream tells, also if its columns are not known. */
    boolean hasTable(TableName name) {
        return knows(name) || uncertain.contains(key(name));
    }

    /** Whether the name of a table in memory may be free, since a temporary table may have been renamed to it. */
    boolean isNameInDoubt(TableName name) {
        return renamed.contains(key(name));
    }

    /** Notes that the name of a table in memory may be free. */
    void doubtName(TableName name) {
        if (knows(name)) {
            renamed.add(key(name));
        }
    }

    /** Notes that a table, which exists, may have another schema than the one in memory. */
    void addAlternative(TableSchema other) {
        TableSchema known = known(other.name());
        renamed.remove(key(other.name()));
        if (known != null && !known.agreesWith(other)) {
            alternatives.put(key(other.name()), other);
        }
    }

    /**
     * Ends the doubts about a table whose rows have come, so that its name is that of a permanent one. If it may have two schemas, it has
     * the one that the rows can be of; if they can be of both, the source is asked.
     *
     * @return the schema that has replaced the one in memory; null if that has not changed
     */
    @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        renamed.remove(key(name));
        TableSchema known = known(name);
        TableSchema other = alternatives.get(key(name));
        TableSchema told = null;
        if (known != null && other != null && fits.test(other)) {
            told = fits.test(known) ? otherIfTold(known, other) : take(new Answer(other, TableText.of(other), false));
        }
        alternatives.remove(key(name));
        return told;
    }

    /** The other schema that a table may have, if the source tells that it has that one. */
    private @Nullable TableSchema otherIfTold(TableSchema known, TableSchema other) throws IOException {
        Answer recalled = recall(known.name());
        Answer answer = recalled == null ? ask(known.name(), present -> true) : recalled;
        if (answer != null && answer.table().agreesWith(other)) {
            warnOfOtherColumns("the source's", known, answer.table());
            return take(answer);
        }
        if (answer == null || !answer.table().agreesWith(known)) {
            log.warn(
                    "the source does not tell whether a RENAME TABLE was of temporary tables, taking it for one of permanent ones: table={} columns={} else={}",
                    known.name(),
                    names(known),
                    names(other));
        }
        return null;
    }

    private static List<String> names(TableSchema table) {
        return table.columns().stream().map(ColumnSchema::name).toList();
    }

    void put(TableSchema table, RecheckReason recheck) {
        uncertain.remove(key(table.name()));
        renamed.remove(key(table.name()));
        alternatives.remove(key(table.name()));
        boolean certain = recheck == RecheckReason.MAY_HAVE_BEEN_THERE
                && completeSchemas.contains(key(table.name().schema()));
        tables.put(key(table.name()), new Entry(table, certain ? RecheckReason.NONE : recheck));
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
        TableSchema known = known(name);
        if (known == null) {
            return;
        }
        replace(change.apply(known));
        renamed.remove(key(name)); // a change of a temporary table is flagged, or not logged
        TableSchema other = alternatives.remove(key(name));
        if (other != null) {
            try {
                addAlternative(change.apply(other));
            } catch (UnreadableSqlException e) {
                log.debug("a table does not have the schema that it may have had: table={}", name, e);
            }
        }
    }

    private void replace(TableSchema table) {
        tables.computeIfPresent(key(table.name()), (name, entry) -> new Entry(table, entry.recheck()));
    }

    /** Takes columns out of a table schema; false if it does not have them all, and nothing has changed. */
    boolean removeColumns(TableName name, List<String> columns) {
        TableSchema table = known(name);
        TableSchema before = table == null ? null : without(table, columns);
        if (before == null) {
            return false;
        }
        replace(before);
        return true;
    }

    /** A table schema without some columns; null if it does not have them all, or no others. */
    private static @Nullable TableSchema without(TableSchema table, List<String> columns) {
        List<ColumnSchema> left = table.columns().stream()
                .filter(column -> columns.stream().noneMatch(column.name()::equalsIgnoreCase))
                .toList();
        return left.isEmpty() || left.size() + columns.size() != table.columns().size()
                ? null
                : new TableSchema(table.name(), left, table.defaultCharset());
    }

    void recheckSpelling(TableName name) {
        tables.computeIfPresent(key(name), (key, entry) -> new Entry(entry.table(), RecheckReason.SPELLED_BY_SOURCE));
    }

    void forget(TableName name) {
        tables.remove(key(name));
        renamed.remove(key(name));
        alternatives.remove(key(name));
        uncertain.remove(key(name));
        addGone(name);
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

    void rename(TableName from, TableName to) {
        Entry entry = tables.remove(key(from));
        TableSchema other = alternatives.remove(key(from));
        uncertain.remove(key(from));
        renamed.remove(key(from));
        addGone(from);
        if (entry == null) {
            suspect(to);
        } else {
            uncertain.remove(key(to));
            renamed.remove(key(to));
            alternatives.remove(key(to));
            tables.put(key(to), new Entry(entry.table().withName(to), entry.recheck()));
            if (other != null) {
                addAlternative(other.withName(to));
            }
        }
    }

    void createSchema(String schema, @Nullable String charset, boolean ifNotExists) {
        String key = key(schema);
        if (ifNotExists) {
            return; // whether it was there, we cannot tell; then its set is not the one in the text
        }
        completeSchemas.add(key);
        schemaCharsets.remove(key);
        alterSchema(schema, charset);
    }

    void alterSchema(String schema, @Nullable String charset) {
        if (charset != null) {
            schemaCharsets.put(key(schema), charset);
        }
    }

    void dropSchema(String schema) {
        String key = key(schema);
        tables.keySet().removeIf(name -> name.schema().equals(key));
        uncertain.removeIf(name -> name.schema().equals(key));
        renamed.removeIf(name -> name.schema().equals(key));
        alternatives.keySet().removeIf(name -> name.schema().equals(key));
        addGone(new TableName(schema, ""));
        schemaCharsets.remove(key);
        completeSchemas.remove(key);
    }

    @Nullable String schemaCharset(String schema) throws IOException {
        String charset = schemaCharsets.get(key(schema));
        if (charset == null) {
            charset = definitions.schemaCharset(schema);
            if (charset != null) {
                schemaCharsets.put(key(schema), charset);
            }
        }
        return charset;
    }

    /** All that is in memory, for {@link #restore}. */
    SchemaState state() {
        Map<String, StringBuilder> texts = new TreeMap<>();
        Map<String, String> notes = new TreeMap<>();
        for (Entry entry : tables.values()) {
            TableName name = entry.table().name();
            texts.computeIfAbsent(name.schema(), schema -> new StringBuilder()).append(TableText.of(entry.table()));
            if (entry.recheck() != RecheckReason.NONE) {
                notes.put(DOUBT + name, entry.recheck().name());
            }
            if (isNameInDoubt(name)) {
                notes.put(RENAMED + name, "");
            }
        }
        schemaCharsets.forEach((schema, charset) -> notes.put(CHARSET + schema, charset));
        completeSchemas.forEach(schema -> notes.put(COMPLETE + schema, ""));
        Map<String, String> definitionsOf = new TreeMap<>();
        texts.forEach((schema, text) -> definitionsOf.put(schema, text.toString()));
        return new SchemaState(definitionsOf, notes);
    }

    /** Replaces all that is in memory by a result of {@link #state}, or by what canal wrote. */
    void restore(SchemaState state) throws IOException {
        tables.clear();
        uncertain.clear();
        renamed.clear();
        alternatives.clear();
        schemaCharsets.clear();
        completeSchemas.clear();
        state.notes().forEach((note, value) -> {
            if (note.startsWith(CHARSET)) {
                schemaCharsets.put(note.substring(CHARSET.length()), value);
            } else if (note.startsWith(COMPLETE)) {
                completeSchemas.add(note.substring(COMPLETE.length()));
            }
        });
        for (Map.Entry<String, String> schema : state.definitions().entrySet()) {
            for (String text : StoredStatements.split(schema.getValue(), source)) {
                TableName name = StoredStatements.tableOf(text, schema.getKey(), source);
                TableSchema table = name == null ? null : read(name, text);
                if (table != null) {
                    String doubt = state.notes().getOrDefault(DOUBT + name, RecheckReason.NONE.name());
                    tables.put(key(table.name()), new Entry(table, RecheckReason.valueOf(doubt)));
                    if (state.notes().containsKey(RENAMED + name)) {
                        renamed.add(key(table.name()));
                    }
                }
            }
        }
    }

    Collection<TableSchema> tables() {
        return tables.values().stream().map(Entry::table).toList();
    }

    private TableName key(TableName name) {
        return source.foldsNames() ? new TableName(key(name.schema()), key(name.table())) : name;
    }

    private String key(String name) {
        return source.foldsNames() ? name.toLowerCase(Locale.ROOT) : name;
    }
}
