package io.sluice.stream.source;

import io.sluice.format.protobuf.EncodingPool;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.FilterChange;
import io.sluice.stream.source.schema.StreamSchemas;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.UnloggedCascades;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of one stream, from events to the store: made when it is known where the stream begins, and kept over all
 * connections. For one thread, but for {@link #reader}, {@link #pipeline} and {@link #schemaCounts}.
 */
final class StreamStages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamStages.class);

    private final SourceOptions source;
    private final SourceStream stream;
    private final EntryStore store;
    private final @Nullable EncodingPool encoders;
    private final SourceQueries queries;
    private final StreamSchemas schemas;
    private final Time time;
    private volatile @Nullable EventReader reader;
    private volatile @Nullable SchemaCounts schemaCounts;
    private volatile @Nullable StreamPipeline pipeline;

    StreamStages(
            SourceOptions source,
            SourceStream stream,
            EntryStore store,
            @Nullable EncodingPool encoders,
            SourceQueries queries,
            StreamSchemas schemas,
            Time time) {
        this.source = source;
        this.stream = stream;
        this.store = store;
        this.encoders = encoders;
        this.queries = queries;
        this.schemas = schemas;
        this.time = time;
    }

    /** The serial stage; null before {@link #open}. */
    @Nullable EventReader reader() {
        return reader;
    }

    /** The counters of table schemas; null before {@link #open}. */
    @Nullable SchemaCounts schemaCounts() {
        return schemaCounts;
    }

    /** How the filter differs from that of the last run; null if it does not, or before {@link #open}. */
    @Nullable FilterChange filterChange() {
        return schemas.filterChange();
    }

    /** Where events go; null before {@link #open}. */
    @Nullable StreamPipeline pipeline() {
        return pipeline;
    }

    /**
     * Restores the table schemas, and makes the stages.
     *
     * @param cursor where the last run got to; null if there was none
     * @param onFailure wakes the thread that waits for the source
     */
    EventReader open(DumpStart start, SourceConnection connection, @Nullable Cursor cursor, Runnable onFailure)
            throws IOException {
        ServerAddress address = connection.facts().address();
        check(address, "binlog_format", source.acceptedFormats(), "canal.instance.binlog.format");
        check(address, "binlog_row_image", source.acceptedImages(), "canal.instance.binlog.image");
        SchemaTracker tracker = schemas.trackerAt(start, cursor, connection);
        schemaCounts = tracker.counts();
        reportUnloggedCascades(address);
        SourceStream.Stages opened = stream.with(reportPartialImages(address))
                .stages(
                        SourceServer.at(address.host(), address.port()),
                        start.positionOrUnknown(),
                        tracker,
                        queries.hiddenColumns(),
                        store,
                        encoders,
                        onFailure,
                        time);
        reader = opened.reader();
        schemas.setReader(opened.reader());
        pipeline = opened.pipeline();
        return opened.reader();
    }

    /** Reports that the source logs row images without all columns, if that matters; then their tables are not reported, too. */
    private StreamOptions reportPartialImages(ServerAddress address) throws IOException {
        StreamOptions options = stream.options();
        PartialImagePolicy images = options.partialImages();
        String value = images.reportedAtStart() ? queries.variable("binlog_row_image") : null;
        if (value == null || value.equalsIgnoreCase("FULL")) {
            return options;
        }
        LOG.warn(
                "the source logs row images without all columns, {}: binlog_row_image={} source={}",
                images.consequence(),
                value,
                address);
        return options.with(images.unreported());
    }

    /** Reports that foreign keys of the source change rows which the binlog does not have. That it cannot be asked, or not in time, is no failure. */
    private void reportUnloggedCascades(ServerAddress address) {
        try {
            UnloggedCascades.Found found = queries.unloggedCascades(stream.filter());
            List<TableName> tables = found.tables();
            if (!tables.isEmpty()) {
                LOG.warn(
                        "foreign keys with CASCADE or SET NULL change rows that the source does not log, so these changes are not"
                                + " delivered: have applications change the rows themselves: tables={} source={}",
                        UnloggedCascades.named(tables),
                        address);
            }
            if (found.unknown() > 0) {
                LOG.info(
                        "not all foreign keys of the source were looked at, bin/sluice.sh check takes more time for it: tables={} source={}",
                        found.unknown(),
                        address);
            }
        } catch (IOException | ExpensivePatternException e) {
            LOG.info(
                    "the foreign keys of the source are not known, bin/sluice.sh check takes more time for it: source={} cause={}",
                    address,
                    String.valueOf(e.getMessage()));
        }
    }

    private void check(ServerAddress address, String variable, List<String> accepted, String key) throws IOException {
        String value = queries.variable(variable);
        if (value != null && !accepted.isEmpty() && !accepted.contains(value.toUpperCase(Locale.ROOT))) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "%s has %s=%s, but %s allows only %s"
                            .formatted(address, variable, value, key, String.join(",", accepted)));
        }
    }

    /** Aborts a pending operation, from any thread. */
    void abort() {
        schemas.abort();
    }

    /** Writes the schema history again if its file was removed. By the thread that reads, between two chunks. */
    void keepSchemas() {
        schemas.keep();
    }

    /** Stops publishing, and closes the schema history. */
    @Override
    public void close() {
        StreamPipeline open = pipeline;
        if (open != null) {
            open.close();
        }
        schemas.close();
    }
}
