package io.sluice.schema.ddl;

import io.sluice.schema.ddl.catalog.RowSchemas;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.sql.SourceTraits;

/**
 * The schema of every table at the position of the stream.
 *
 * <p>The {@linkplain #statements() statements} of the stream change them, its {@linkplain #rows() rows} are read by them, and a start or a move of the
 * stream replaces those in {@linkplain #catalog() memory}. For one thread.
 */
public final class SchemaTracker {
    private final TableCatalog catalog;
    private final StatementApplier statements;
    private final RowSchemas rows;

    /** Makes a tracker of a MySQL 8.0 source that knows no tables. */
    public SchemaTracker(TableDefinitions definitions) {
        this(definitions, SourceTraits.DEFAULT);
    }

    /** Makes a tracker that knows no tables. */
    public SchemaTracker(TableDefinitions definitions, SourceTraits source) {
        this(definitions, source, SchemaRecorder.NONE);
    }

    /** Makes a tracker that knows no tables, and records what changes their schemas. */
    public SchemaTracker(TableDefinitions definitions, SourceTraits source, SchemaRecorder recorder) {
        SchemaCounts counts = new SchemaCounts();
        this.catalog = new TableCatalog(definitions, source, recorder, counts);
        this.statements = new StatementApplier(catalog, recorder, counts);
        this.rows = new RowSchemas(catalog, definitions, recorder, counts);
    }

    /** The table schemas in memory. */
    public TableCatalog catalog() {
        return catalog;
    }

    /** The table schemas as the statements of the stream change them. */
    public StatementApplier statements() {
        return statements;
    }

    /** The table schemas as the rows of the stream need them. */
    public RowSchemas rows() {
        return rows;
    }
}
