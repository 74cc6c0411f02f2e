package io.sluice.stream.source.schema;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.HistoryBeginning;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The table schemas of a stream while they are brought to a position of one server: where the history does not have those of there, they are
 * derived from others. Writes them to the history as those of that position. For one thread.
 */
final class PositionedSchemas {
    /** Events have times in whole seconds. */
    private static final long MILLIS_OF_EVENT_TIMES = 999;

    private final SchemaEnvironment environment;
    private final SchemaHistory kept;
    private final TableCatalog catalog;
    private final SourceConnection connection;

    /** @param catalog has the schemas */
    PositionedSchemas(
            SchemaEnvironment environment, SchemaHistory kept, TableCatalog catalog, SourceConnection connection) {
        this.environment = environment;
        this.kept = kept;
        this.catalog = catalog;
        this.connection = connection;
    }

    /**
     * Brings the restored schemas back to the start position, if the history begins after that.
     *
     * @param reloaded the tables whose present schemas an operator wants; null for none
     */
    void moveBeforeBeginning(
            RestoredSchemas restored, DumpStart start, StreamStart streamStart, @Nullable TableFilter reloaded)
            throws IOException {
        HistoryBeginning beginning = restored.beginning();
        if (beginning == null) {
            return;
        }
        PastSchemas past = new PastSchemas(environment.instance(), reloaded, environment.search());
        BinlogPosition position = beginning.position();
        if (position == null) {
            past.moveTo(
                    start,
                    beginning,
                    restored.recordedUpTo(beginning.timeMillis() + MILLIS_OF_EVENT_TIMES),
                    catalog,
                    connection);
            writeSnapshot(afterWhatIsOlder(streamStart));
        } else {
            past.moveTo(start, position, catalog, connection);
            writeSnapshot(streamStart);
        }
    }

    /** All before a start by time is older; so the snapshot holds at such a start of the same second in a further binlog, too. */
    private static StreamStart afterWhatIsOlder(StreamStart start) {
        return start.timeMillis() > 1 ? start.withTimeMillis(start.timeMillis() - 1) : start;
    }

    /** Defines all tables as the source has them now, without the DDL after the start. */
    void defineFromSource(DumpStart start) throws IOException {
        environment.source().define(catalog);
        moveFromPresent(start);
    }

    /** Replaces the schemas by those that the source has now, without the DDL after the start. */
    void replaceFromSource(DumpStart start) throws IOException {
        environment.source().align(catalog);
        moveFromPresent(start);
    }

    private void moveFromPresent(DumpStart start) throws IOException {
        environment.source().defineDefaults(catalog);
        new PastSchemas(environment.instance(), environment.reloaded(), environment.search())
                .moveTo(start, catalog, connection);
    }

    /** Writes the schemas to the history. */
    void writeSnapshot(StreamStart at) throws IOException {
        kept.snapshot(StreamStarts.dated(at, connection), catalog::state);
    }

    /** Writes the schemas to the history as those with which it begins again: what was before is not complete up to there. */
    void writeBeginning(StreamStart at) throws IOException {
        kept.beginAt(StreamStarts.dated(at, connection), catalog::state);
    }
}
