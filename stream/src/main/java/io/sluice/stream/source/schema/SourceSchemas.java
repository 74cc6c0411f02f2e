package io.sluice.stream.source.schema;

import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the present table schemas from the source. For one thread. */
final class SourceSchemas {
    private static final Logger LOG = LoggerFactory.getLogger(SourceSchemas.class);
    private static final int TABLES_PER_PROGRESS_LINE = 1_000;

    private final String instance;
    private final SourceQueries queries;
    private final TableFilter filter;
    private final boolean areRecorded;
    private final Time time;

    /**
     * Makes it.
     *
     * @param areRecorded whether they are written to a schema history
     */
    SourceSchemas(String instance, SourceQueries queries, TableFilter filter, boolean areRecorded, Time time) {
        this.instance = instance;
        this.queries = queries;
        this.filter = filter;
        this.areRecorded = areRecorded;
        this.time = time;
    }

    /** Defines all tables that pass the filter. */
    void define(TableCatalog catalog) throws IOException {
        readAll(queries.tables(filter), catalog, catalog::define);
    }

    /** Sets the default character sets of all schemas. */
    void defineDefaults(TableCatalog catalog) throws IOException {
        catalog.charsets().setAll(queries.schemaCharsets());
    }

    /**
     * Updates the schemas in memory that differ from the source, and removes tables that no longer exist there, and those that do not
     * pass the filter: what changed them is not known either, and they may pass another filter later. Forgets the default character sets of schemas.
     */
    void align(TableCatalog catalog) throws IOException {
        catalog.charsets().setAll(Map.of());
        Set<TableName> existing = new HashSet<>();
        readAll(queries.tables(filter), catalog, (table, create) -> {
            existing.add(table);
            return catalog.align(table, create);
        });
        for (TableSchema table : List.copyOf(catalog.tables().schemas())) {
            if (!existing.contains(table.name())) {
                catalog.tables().forget(table.name());
            }
        }
    }

    /** Replaces the schemas of tables in memory by those of the source, as an operator requested. */
    void reload(TableCatalog catalog, TableFilter reloaded) throws IOException {
        for (TableSchema table : List.copyOf(catalog.tables().schemas())) {
            TableName name = table.name();
            if (reloaded.passes(name.schema(), name.table())) {
                catalog.tables().forget(name);
            }
        }
        List<TableName> tables = queries.tables(filter).stream()
                .filter(name -> reloaded.passes(name.schema(), name.table()))
                .toList();
        readAll(tables, catalog, catalog::define);
        LOG.warn(
                "the table schemas were read from the source as canal.instance.schema.reload requests, remove that key now: instance={} tables={} names={}",
                instance,
                tables.size(),
                tables.subList(0, Math.min(tables.size(), FilterChange.MAX_NAMES)));
    }

    private void readAll(List<TableName> tables, TableCatalog catalog, PagedDefinitions.Taker taker)
            throws IOException {
        long begin = time.nanos();
        LOG.info("reading the schemas of all tables: instance={} tables={}", instance, tables.size());
        PagedDefinitions.read(queries, tables, catalog, areRecorded, taker, done -> {
            if (done % TABLES_PER_PROGRESS_LINE == 0 || done == tables.size()) {
                LOG.info(
                        "reading the schemas of all tables: instance={} done={} of={} ms={}",
                        instance,
                        done,
                        tables.size(),
                        (time.nanos() - begin) / 1_000_000);
            }
        });
    }
}
