package io.sluice.stream.source.schema;

import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.source.server.SourceQueries;
import org.jspecify.annotations.Nullable;

/**
 * What the table schemas of a stream are made with, whatever the position.
 *
 * @param filter decides of which tables there are schemas
 * @param reloaded the tables whose present schemas an operator wants at the start; null for none
 * @param source reads the present schemas
 * @param search looks for DDL in the binlog
 * @param binlog which binlog of the server is read
 * @param lost marks DDL of the schema history that the source has lost
 * @param starts makes the starts that the schema history knows
 */
record SchemaEnvironment(
        String instance,
        SourceQueries queries,
        TableFilter filter,
        @Nullable TableFilter reloaded,
        SourceSchemas source,
        DdlSearch search,
        BinlogEpoch binlog,
        LostDdl lost,
        StreamStarts starts,
        Time time) {

    static SchemaEnvironment of(
            String instance, SourceQueries queries, TableFilter filter, SchemaOptions options, Time time) {
        BinlogEpoch binlog = new BinlogEpoch(instance);
        return new SchemaEnvironment(
                instance,
                queries,
                filter,
                options.reloaded(),
                new SourceSchemas(instance, queries, filter, options.history() != null, time),
                new DdlSearch(instance, queries, time),
                binlog,
                new LostDdl(instance, queries),
                new StreamStarts(instance, binlog),
                time);
    }

    /** The filter, as the history keeps it. */
    FilterRules filterRules() {
        return FilterRules.ofTablesIn(filter);
    }
}
