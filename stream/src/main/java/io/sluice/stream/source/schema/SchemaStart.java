package io.sluice.stream.source.schema;

import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the table schemas of the position where a stream begins: from the schema history, then from DDL in the binlog, then from the source. For one
 * start and one thread; the methods are its steps.
 */
final class SchemaStart {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaStart.class);

    private static final String REMEDY_OF_GAP =
            "if tables were changed by DDL between, load them again; else nothing is to be done";

    private final SchemaEnvironment environment;
    private final SchemaHistory kept;
    private final SchemaTracker tracker;
    private final DumpStart start;
    private final @Nullable Cursor cursor;
    private final SourceConnection connection;
    private final PositionedSchemas schemas;

    /** The start, with its position in a file as soon as that had to be found. */
    private DumpStart at;

    /**
     * @param tracker has no schemas yet
     * @param start where the stream begins
     * @param cursor where it got to when the history was written; null if it begins there for another reason
     */
    SchemaStart(
            SchemaEnvironment environment,
            SchemaHistory kept,
            SchemaTracker tracker,
            DumpStart start,
            @Nullable Cursor cursor,
            SourceConnection connection) {
        this.environment = environment;
        this.kept = kept;
        this.tracker = tracker;
        this.start = start;
        this.cursor = cursor;
        this.connection = connection;
        this.schemas = new PositionedSchemas(environment, kept, tracker.catalog(), connection);
        this.at = start;
    }

    /** Begins the history with the schemas of the source. */
    void begin() throws IOException {
        kept.setFilter(environment.filterRules());
        at = StreamStarts.located(start, connection);
        if (cursor != null && !isAtEnd()) {
            LOG.warn(
                    "there is no schema history, though the stream was read before: instance={} start={}",
                    environment.instance(),
                    at);
        }
        schemas.defineFromSource(at);
        kept.begin(tracker.catalog()::state);
        // The first snapshot names no position, since it is the base for all: this one states from where on the history
        // is complete.
        schemas.writeBeginning(beginning());
    }

    /**
     * Restores the schemas from the history, and brings them to the start position if the history does not have that.
     *
     * @param streamStart the start, as the history knows it
     * @param isHeld whether the history has the row to which the cursor refers
     */
    RestoredSchemas restore(StreamStart streamStart, boolean isHeld) throws IOException {
        RestoredSchemas restored = kept.restore(tracker, streamStart, isHeld ? referredAtStart() : 0);
        kept.setFilter(restored.filter()); // until the tables that are new to it are known
        schemas.moveBeforeBeginning(restored, start, streamStart, environment.reloaded());
        complete(isHeld);
        if (restored.hasReturned()) {
            schemas.writeBeginning(beginning());
        }
        return restored;
    }

    /** The row to which the cursor at the start refers; 0 if the start is elsewhere, or the cursor was moved. */
    private long referredAtStart() throws IOException {
        if (cursor == null
                || !cursor.position().equals(start.position())
                || !connection.facts().isServerOf(cursor)) {
            return 0;
        }
        SchemaReference referred = cursor.schema();
        return referred != null && referred.completeTo().equals(cursor.position()) ? referred.rowId() : 0;
    }

    /** Brings the restored table schemas to the start position, if the history ends before that. */
    private void complete(boolean isHeld) throws IOException {
        HistoryGap gap = new HistoryGap(
                environment.instance(), kept, environment.binlog().epoch(), connection, environment.time());
        String lost = environment.lost().doubt();
        String doubt = lost == null && !start.byGtids() ? environment.binlog().doubt() : lost;
        HistoryGap.Extent extent =
                doubt == null ? gap.extent(start, cursor, isHeld) : new HistoryGap.Extent.Unknown(doubt);
        if (lost != null) {
            at = StreamStarts.located(start, connection);
        } else if (extent instanceof HistoryGap.Extent.Unknown && start.position() == null) {
            at = StreamStarts.located(start, connection);
            extent = gap.extent(at, cursor, isHeld);
        }
        if (extent instanceof HistoryGap.Extent.Complete) {
            return;
        }
        boolean isAtEnd = isAtEnd();
        if (!isAtEnd
                && extent instanceof HistoryGap.Extent.UpTo upTo
                && at.position() != null
                && gap.close(upTo, at.position(), tracker)) {
            return;
        }
        schemas.replaceFromSource(at);
        kept.setFilter(environment.filterRules());
        schemas.writeBeginning(beginning());
        environment.lost().endDoubt();
        reportReplaced(extent, isAtEnd);
    }

    private void reportReplaced(HistoryGap.Extent extent, boolean isAtEnd) {
        if (isAtEnd) {
            LOG.info(
                    "the schema history ends before the start position, which is the end of the binlog; taking the schemas from the source: instance={} start={}",
                    environment.instance(),
                    at);
        } else {
            LOG.warn(
                    "THE SCHEMA HISTORY IS INCOMPLETE, and {}: tables are read with the"
                            + " schemas that the source has now, without the DDL after the start position: instance={} start={} because={} remedy={}",
                    extent instanceof HistoryGap.Extent.Apart
                            ? "the start position is at different places of the binlog for its domains"
                            : "the binlog does not have the DDL before the start position",
                    environment.instance(),
                    at,
                    extent.why(),
                    REMEDY_OF_GAP);
        }
    }

    /**
     * Defines the tables that are new to the filter.
     *
     * @return how it differs from that of the history; null if it does not, or that is not known
     */
    @Nullable FilterChange applyFilter(RestoredSchemas restored) throws IOException {
        GrownFilter grown = new GrownFilter(
                environment.instance(),
                environment.queries(),
                environment.filter(),
                environment.reloaded(),
                "in the last run",
                environment.search());
        if (grown.differs(restored.filter()) || environment.reloaded() != null) {
            at = StreamStarts.located(at, connection);
        }
        return grown.apply(restored.filter(), tracker.catalog(), at, connection);
    }

    /**
     * Writes the filter to the history, and what an operator wants to be reloaded.
     *
     * @param change how the filter differs from that of the history; null if it does not
     */
    void writeChanges(RestoredSchemas restored, @Nullable FilterChange change) throws IOException {
        kept.setFilter(environment.filterRules());
        if (change != null || lacksFilter(restored)) {
            schemas.writeSnapshot(environment.starts().continued(at, cursor, connection));
        }
        TableFilter reloaded = environment.reloaded();
        if (reloaded != null) {
            environment.source().reload(tracker.catalog(), reloaded);
            schemas.writeSnapshot(environment.starts().continued(at, cursor, connection));
        }
    }

    /**
     * Whether the history has no filter, as one that canal has begun, so that the next change of the filter could not be told. One of canal must
     * be recognizable as such until a cursor refers to its rows.
     */
    private boolean lacksFilter(RestoredSchemas restored) {
        return restored.filter() == null && start.position() != null && cursor != null && cursor.schema() != null;
    }

    private StreamStart beginning() throws IOException {
        return environment.starts().beginning(at, cursor, connection);
    }

    private boolean isAtEnd() throws IOException {
        return connection.facts().end().position().equals(at.position());
    }
}
