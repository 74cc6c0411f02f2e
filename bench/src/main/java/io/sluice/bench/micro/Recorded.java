package io.sluice.bench.micro;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.TableName;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.pipeline.EncodingPool;
import io.sluice.stream.pipeline.EventReader;
import io.sluice.stream.pipeline.StatementReader;
import io.sluice.stream.pipeline.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.pipeline.TableMappings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** A workload's binlog on disk, read from the file as a server's stream would be. */
final class Recorded {
    /** Enough for every branch to be warm, and few enough to be read many times a second. */
    static final long ROWS = 50_000;

    private final RecordedBinlog binlog;

    private Recorded(RecordedBinlog binlog) {
        this.binlog = binlog;
    }

    /** The binlog of a small workload, made now if it was not before. */
    static Recorded of(WorkloadKind kind) throws IOException {
        Path folder = Path.of(System.getProperty("sluice.bench.folder"), "workloads");
        return new Recorded(RecordedBinlog.of(new Workload(kind, ROWS, 1), Files.createDirectories(folder)));
    }

    long rows() {
        return binlog.totals().rows();
    }

    /**
     * Reads the whole binlog.
     *
     * @param store takes the entries
     * @param encoders encode them; null if they are to keep their row images
     */
    void readInto(EntrySink store, @Nullable EncodingPool encoders) throws IOException, InterruptedException {
        StreamOptions options = StreamOptions.DEFAULT;
        TableFilter filter = new TableFilter("", "");
        SchemaTracker tracker = new SchemaTracker(table -> null);
        for (Tables.TableText table : Tables.all()) {
            tracker.define(new TableName(Tables.SCHEMA, table.name()), table.create());
        }
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                new BinlogPosition(binlog.file(), binlog.offset()),
                null,
                options,
                new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), false),
                new StatementReader(tracker, filter, options));
        try (BinlogFile source = BinlogFile.open(binlog.path(), binlog.offset(), Long.MAX_VALUE);
                StreamPipeline pipeline =
                        new StreamPipeline(reader, store, encoders, 4, false, () -> {}, Time.SYSTEM)) {
            pipeline.read(source);
            pipeline.drain();
        }
    }
}
