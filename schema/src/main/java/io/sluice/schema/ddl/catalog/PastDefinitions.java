package io.sluice.schema.ddl.catalog;

import io.sluice.schema.definition.TableBody;
import io.sluice.schema.definition.TableDefinition;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets the definitions that tables had at an event: from the recorder, or from the source without what later DDL added. For one thread. */
final class PastDefinitions {
    private static final Logger LOG = LoggerFactory.getLogger(PastDefinitions.class);

    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private final SchemaCharsets charsets;
    private final SchemaCounts counts;

    PastDefinitions(
            TableDefinitions definitions,
            SourceTraits source,
            SchemaRecorder recorder,
            SchemaCharsets charsets,
            SchemaCounts counts) {
        this.definitions = definitions;
        this.source = source;
        this.recorder = recorder;
        this.charsets = charsets;
        this.counts = counts;
    }

    /** The recorded definition; null if none is recorded for the event, or there is no event. */
    @Nullable PastDefinition recall(TableName name, @Nullable EventPosition at) throws IOException {
        String text = at == null ? null : recorder.recall(at, name);
        TableSchema table = text == null ? null : parse(name, text);
        return text == null || table == null ? null : new PastDefinition(table, text, true);
    }

    /** The recorded definition, or else the source's. */
    @Nullable PastDefinition recallOrRead(TableName name, @Nullable EventPosition at) throws IOException {
        PastDefinition recalled = recall(name, at);
        return recalled == null ? read(name, at, present -> true) : recalled;
    }

    /**
     * Reads the definition from the source, and removes the columns that DDL after the event has added.
     *
     * @param at null if the source is at the event, too
     * @param mayFit whether a present definition is of use, so that the binlog is searched for DDL that follows the event
     * @return null if the source has no such table, its definition is of no use, or that of the event cannot be determined
     */
    @Nullable PastDefinition read(TableName name, @Nullable EventPosition at, Predicate<TableSchema> mayFit) throws IOException {
        counts.countTableAsked();
        PastDefinition definition = null;
        for (int attempt = 0; attempt < 2 && definition == null; attempt++) { // a column may have been added meanwhile
            String text = definitions.createStatement(name);
            TableSchema table = text == null ? null : parse(name, text);
            if (text == null || table == null || !mayFit.test(table)) {
                return null;
            }
            List<String> added = at == null ? List.of() : definitions.addedAfter(name, at);
            if (added == null) {
                warnOfLaterChange(name, at);
                return null;
            }
            definition = ofEvent(table, text, added);
        }
        return definition;
    }

    private static @Nullable PastDefinition ofEvent(TableSchema table, String text, List<String> addedLater) {
        if (addedLater.isEmpty()) {
            return new PastDefinition(table, text, false);
        }
        TableSchema before = without(table, addedLater);
        return before == null ? null : PastDefinition.derived(before);
    }

    private static void warnOfLaterChange(TableName name, @Nullable EventPosition at) {
        LOG.warn(
                "the definition of a table on the source is not that of the stream's position, since a DDL that follows changes it: table={} at={}:{}",
                name,
                at == null ? "" : at.file(),
                at == null ? 0 : at.offset());
    }

    /**
     * Determines whether rows that fit no schema are those of a sequence that was dropped after the event. The binlog is searched for that up to its
     * end, so only if the rows can be those of a sequence.
     *
     * @return null if the name was not certainly that of a sequence
     */
    @Nullable PastDefinition goneSequence(TableName name, @Nullable EventPosition at, Predicate<TableSchema> fits)
            throws IOException {
        TableSchema sequence = TableSchema.ofSequence(name);
        if (!source.mariaDb() || at == null || !fits.test(sequence)) {
            return null;
        }
        boolean isGone = definitions.createStatement(name) == null;
        return definitions.wasSequence(name, at, isGone) ? PastDefinition.derived(sequence) : null;
    }

    /** Parses a definition of a table as the source shows it; null with a warning if that cannot be read. */
    @Nullable TableSchema parse(TableName name, String createStatement) throws IOException {
        try {
            TableBody body = TableDefinition.parse(createStatement, name.schema(), source)
                    .body();
            if (body == null) {
                throw new UnreadableSqlException("the columns come from a query");
            }
            return body.toSchema(name, body.needsSchemaCharset() ? charsets.findPresent(name.schema()) : null);
        } catch (UnreadableSqlException e) {
            LOG.warn(
                    "the definition of a table on the source cannot be read: table={} reason={}", name, e.getMessage());
            return null;
        }
    }

    /** A table schema without some columns; null if it does not have them all, or no others. */
    static @Nullable TableSchema without(TableSchema table, List<String> columns) {
        List<ColumnSchema> left = table.columns().stream()
                .filter(column -> columns.stream().noneMatch(name -> IdentifierCase.areSame(column.name(), name)))
                .toList();
        return left.isEmpty() || left.size() + columns.size() != table.columns().size()
                ? null
                : new TableSchema(table.name(), left, table.defaultCharset());
    }
}
