package io.sluice.schema.ddl;

import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.ddl.catalog.DoubtResolver;
import io.sluice.schema.ddl.catalog.RowSchemas;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.sql.SourceTraits;
import org.jspecify.annotations.Nullable;

/**
 * The schema of every table at the position of the stream.
 *
 * <p>The {@linkplain #statements() statements} of the stream change them, its {@linkplain #rows() rows} are read by them, and a start or a move of the
 * stream replaces those in {@linkplain #catalog() memory}. For one thread.
 */
public final class SchemaTracker {
    private final SchemaRecorder recorder;
    private final SchemaCounts counts;
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
        this.recorder = recorder;
        this.counts = new SchemaCounts();
        this.catalog = new TableCatalog(definitions, source, recorder, counts);
        DoubtResolver doubts = new DoubtResolver(catalog);
        this.statements = new StatementApplier(catalog, doubts, recorder, counts);
        this.rows = new RowSchemas(catalog, doubts, definitions, recorder);
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

    /** The newest row of the schema history that the table schemas rely on; null if there is no history. */
    public @Nullable SchemaReference reference() {
        return recorder.reference();
    }

    /** The counters of table schemas that did not follow from DDL alone; may be read by any thread. */
    public SchemaCounts counts() {
        return counts;
    }
}
