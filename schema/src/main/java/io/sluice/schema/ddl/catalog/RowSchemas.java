package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.SourceTraits;
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
 * The table schemas by which rows are read. Where the rows do not match the schema in memory, or it is in doubt, the schema that they are of is determined
 * from what was recorded, or from the source. For one thread.
 */
public final class RowSchemas {
    private static final Logger LOG = LoggerFactory.getLogger(RowSchemas.class);

    private final TableCatalog catalog;
    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final SchemaRecorder recorder;
    private Predicate<TableName> presentAccepted = table -> false;
    private long session = BinlogSession.NO_ID;

    /** Creates it for the tables of a catalog. */
    public RowSchemas(TableCatalog catalog, TableDefinitions definitions, SchemaRecorder recorder) {
        this.catalog = catalog;
        this.definitions = definitions;
        this.source = catalog.source();
        this.recorder = recorder;
    }

    /**
     * Sets the session that changes the rows that are read from now on. It is known on MySQL only.
     *
     * @param id {@link BinlogSession#NO_ID} if it is not known
     */
    public void setSession(long id) {
        session = source.mariaDb() ? BinlogSession.NO_ID : id;
    }

    /** Sets for which tables an operator accepts that older rows are read with the first columns of the schema of now. */
    public void acceptPresent(Predicate<TableName> tables) {
        presentAccepted = tables;
    }

    /** Whether the first columns of its schema may be taken for rows of a table that have fewer. */
    public boolean isPresentAccepted(TableName name) {
        return presentAccepted.test(name);
    }

    /**
     * Ends the doubts about a table whose rows have come, so that its name is that of a permanent one. If it has one of several schemas, since
     * statements may have been of temporary tables, it is the one that the rows can be of. If they can be of several, but come from the session that
     * executed the statements, these were of the permanent table, which a temporary one would have hidden. Otherwise the source is asked.
     *
     * @param fits whether the rows can be of a schema
     * @return the schema that the table has; null if it is not known, or cannot be determined
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        catalog.tables().note(name, table -> table.withNameInDoubt(false));
        TableSchema known = catalog.tables().known(name);
        TableDoubt doubt = catalog.doubts().of(name);
        if (known == null || doubt == null) {
            return known;
        }
        List<TableSchema> fitting = doubt.others().stream().filter(fits).toList();
        boolean isKnown = fits.test(known);
        if (fitting.isEmpty() || isKnown && doubt.isBy(catalog.sessionHere(session))) {
            return isKnown && doubt.isFlagged() ? catalog.takeDerived(known) : withoutDoubt(known);
        }
        if (!isKnown && fitting.size() == 1) {
            return catalog.takeDerived(fitting.get(0));
        }
        return confirmedBySource(known, doubt);
    }

    private TableSchema withoutDoubt(TableSchema known) {
        catalog.tables().note(known.name(), table -> table.withDoubt(null));
        return known;
    }

    /** The schema that a table has, if the source confirms one of those that it may have. */
    private @Nullable TableSchema confirmedBySource(TableSchema known, TableDoubt doubt) throws IOException {
        PastDefinition definition = catalog.past().recallOrRead(known.name(), catalog.at());
        if (definition != null && doubt.mayBe(definition.table())) {
            TableCatalog.warnOfOtherColumns("the source's", known, definition.table());
            return catalog.take(definition);
        }
        boolean isConfirmed = definition != null && definition.table().agreesWith(known);
        if (!isConfirmed && doubt.isFlagged() && (definition != null || !source.mariaDb())) {
            return definition == null ? unknown(known, doubt) : catalog.take(definition);
        }
        if (!isConfirmed) {
            LOG.warn(
                    "it is not known from the source whether a DDL was of temporary tables, taking it for one of permanent ones: table={} columns={} else={}",
                    known.name(),
                    TableCatalog.names(known),
                    doubt.others().stream().map(TableCatalog::names).toList());
        }
        return isConfirmed && doubt.isFlagged() ? catalog.takeDerived(known) : withoutDoubt(known);
    }

    /** The rows of MySQL state their session, so where these come from another one it is as likely that the table was a temporary one. */
    private @Nullable TableSchema unknown(TableSchema known, TableDoubt doubt) {
        LOG.warn(
                "it is not known from the source whether a DDL was of temporary tables: table={} columns={} else={}",
                known.name(),
                TableCatalog.names(known),
                doubt.others().stream().map(TableCatalog::names).toList());
        catalog.tables().forgetColumns(known.name());
        return null;
    }

    /**
     * Looks again for the schema of a table whose rows do not match the known one: first what was known when this position was passed
     * before, then the source.
     *
     * @return the first schema that matches, which is used from now on; null if none does, and nothing has changed
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits) throws IOException {
        return reread(name, fits, present -> true);
    }

    /**
     * As {@link #reread(TableName, Predicate)}, unless the present definition on the source shows at once that it does not match: then the binlog is not
     * searched for DDL that follows.
     *
     * @param mayFit whether a schema may match if it is the one of this position
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema reread(TableName name, Predicate<TableSchema> fits, Predicate<TableSchema> mayFit)
            throws IOException {
        PastDefinition recalled = catalog.past().recall(name, catalog.at());
        if (recalled != null && fits.test(recalled.table())) {
            return catalog.take(recalled);
        }
        PastDefinition read = catalog.past().read(name, catalog.at(), mayFit);
        return read != null && fits.test(read.table()) ? catalog.take(read) : null;
    }

    /**
     * Determines whether rows that fit no schema are those of a sequence that was dropped after this event. The binlog is searched for that up to its
     * end, so only if the rows can be those of a sequence.
     *
     * @param fits whether the rows can be of a schema
     * @return the schema of the sequence, which is used from now on; null if the name was not certainly that of one
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema goneSequence(TableName name, Predicate<TableSchema> fits) throws IOException {
        PastDefinition sequence = catalog.past().goneSequence(name, catalog.at(), fits);
        return sequence == null ? null : catalog.take(sequence);
    }

    /**
     * Whether the table is known to be changed after this position, so that its present definition on the source is not that of this
     * position.
     */
    public boolean changesLater(TableName name) {
        EventPosition at = catalog.at();
        return at != null && recorder.changesLater(at, name);
    }

    /**
     * All columns of a table as the source stores them now, with those for indexes on expressions; null if it does not show them.
     *
     * @throws IOException if the source could not be asked
     */
    public @Nullable List<StoredColumn> storedColumns(TableName name) throws IOException {
        return definitions.storedColumns(name);
    }
}
