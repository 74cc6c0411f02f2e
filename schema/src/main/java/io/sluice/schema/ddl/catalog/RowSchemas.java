package io.sluice.schema.ddl.catalog;

import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The table schemas by which rows are read, if the rows do not match the schema in memory, or it is in doubt: what was recorded for the event, or what the
 * source has, is taken into the {@link TableCatalog} if the rows can be of it. For one thread.
 */
public final class RowSchemas {
    private final TableCatalog catalog;
    private final DoubtResolver doubts;
    private final TableDefinitions definitions;
    private final SchemaRecorder recorder;
    private Predicate<TableName> presentAccepted = table -> false;
    private long session = BinlogSession.NO_ID;

    /** Creates it for the tables of a catalog. */
    public RowSchemas(
            TableCatalog catalog, DoubtResolver doubts, TableDefinitions definitions, SchemaRecorder recorder) {
        this.catalog = catalog;
        this.doubts = doubts;
        this.definitions = definitions;
        this.recorder = recorder;
    }

    /**
     * Sets the session that changes the rows that are read from now on. It is known on MySQL only.
     *
     * @param id {@link BinlogSession#NO_ID} if it is not known
     */
    public void setSession(long id) {
        session = catalog.source().mariaDb() ? BinlogSession.NO_ID : id;
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
     * Ends the doubts about a table whose rows have come, as {@link DoubtResolver} does.
     *
     * @param fits whether the rows can be of a schema
     * @return the schema that the table has; null if it is not known, or cannot be determined
     * @throws IOException if the source could not be asked
     */
    public @Nullable TableSchema resolveDoubts(TableName name, Predicate<TableSchema> fits) throws IOException {
        return doubts.resolveByRows(name, session, fits);
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
