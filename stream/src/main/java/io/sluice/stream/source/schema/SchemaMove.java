package io.sluice.stream.source.schema;

import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Moves the table schemas of a stream to where it is read next, if that is elsewhere than it got to.
 *
 * <p>A move that fails leaves them torn: of no position. Then one must succeed before an event is read. For one thread.
 */
final class SchemaMove {
    private final SchemaEnvironment environment;
    private boolean areTorn;

    /** Whether a history in which nothing names its server was restored for a start elsewhere, and a restart could take it for that server's. */
    private boolean hasLeftCanal;

    SchemaMove(SchemaEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Restores the schemas of an earlier time. The filter may have accepted fewer tables then, so the others are checked as they are when an
     * instance starts. They are torn until {@link #end}.
     *
     * @return how the filter differs from that of then; null if it does not, or that is not known
     */
    @Nullable FilterChange restoreEarlier(SchemaHistory kept, SchemaTracker tracker, DumpStart start, SourceConnection connection)
            throws IOException {
        areTorn = true;
        PositionedSchemas schemas = new PositionedSchemas(environment, kept, tracker.catalog(), connection);
        StreamStart streamStart = environment.starts().elsewhere(start, connection);
        kept.setSource(streamStart.source(), environment.binlog().epoch()); // of the snapshots that are written here
        RestoredSchemas restored = kept.restore(tracker, streamStart);
        kept.setFilter(restored.filter());
        // What an operator lets be reloaded is for the position of the start.
        schemas.moveBeforeBeginning(restored, start, streamStart, null);
        if (restored.hasReturned()) {
            schemas.writeBeginning(streamStart);
        }
        GrownFilter grown = new GrownFilter(
                environment.instance(),
                environment.queries(),
                environment.filter(),
                null,
                "when the binlog was read there before",
                environment.search());
        DumpStart at = grown.differs(restored.filter()) ? StreamStarts.located(start, connection) : start;
        FilterChange change = grown.apply(restored.filter(), tracker.catalog(), at, connection);
        kept.setFilter(environment.filterRules());
        return change;
    }

    /** Ends {@link #restoreEarlier}. */
    void end(SchemaHistory kept) throws IOException {
        hasLeftCanal = kept.recorded().isOfCanal();
        areTorn = false;
    }

    /** Replaces the schemas by those of the source, and begins the history with them again. */
    void alignWithSource(SchemaHistory kept, TableCatalog catalog, DumpStart start, SourceConnection connection)
            throws IOException {
        areTorn = true;
        PositionedSchemas schemas = new PositionedSchemas(environment, kept, catalog, connection);
        schemas.replaceFromSource(start);
        StreamStart streamStart = environment.starts().elsewhere(start, connection);
        kept.setSource(streamStart.source(), environment.binlog().epoch());
        kept.setFilter(environment.filterRules());
        schemas.writeBeginning(streamStart);
        environment.binlog().markStored();
        environment.lost().endDoubt();
        areTorn = false;
    }

    /** Replaces the schemas by those of the source, where there is no history. */
    void alignWithSource(TableCatalog catalog) throws IOException {
        areTorn = true;
        environment.source().align(catalog);
        areTorn = false;
    }

    /** Has the schemas moved again before an event is read. */
    void tear() {
        areTorn = true;
    }

    /** Whether the schemas are of no position. */
    boolean areTorn() {
        return areTorn;
    }

    /**
     * Writes to the history which binlog is read from now on, if nothing else would tell a restart: of a reset, or whose positions are those of
     * canal.
     */
    void writeBinlog(SchemaHistory kept, TableCatalog catalog, DumpStart start, SourceConnection connection)
            throws IOException {
        if (!environment.binlog().isNew() && !hasLeftCanal) {
            return;
        }
        DumpStart at = StreamStarts.located(start, connection);
        new PositionedSchemas(environment, kept, catalog, connection)
                .writeSnapshot(environment.starts().elsewhere(at, connection));
        environment.binlog().markStored();
        hasLeftCanal = false;
    }
}
