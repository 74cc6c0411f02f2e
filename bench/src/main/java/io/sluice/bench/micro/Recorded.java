package io.sluice.bench.micro;

import io.sluice.bench.Paths;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.TableName;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.EventReader;
import io.sluice.stream.pipeline.StreamPipeline;
import java.io.IOException;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** A workload's binlog on disk, read from the file like the stream of a server. */
public final class Recorded {
    /** Enough rows to warm up every branch, and few enough to be read many times a second. */
    static final long ROWS = 50_000;

    private final RecordedBinlog binlog;

    private Recorded(RecordedBinlog binlog) {
        this.binlog = binlog;
    }

    /** For a binlog that is recorded already. */
    public static Recorded of(RecordedBinlog binlog) {
        return new Recorded(binlog);
    }

    /** The binlog of a small workload, recorded now if it is not yet. */
    static Recorded of(WorkloadKind kind) throws IOException {
        return new Recorded(RecordedBinlog.of(new Workload(kind, ROWS, 1), Paths.workloads()));
    }

    long rows() {
        return binlog.totals().rows();
    }

    /**
     * Reads the whole binlog.
     *
     * @param store receives the entries
     * @param encoders encode the entries; null to keep row images
     */
    public void readInto(EntrySink store, @Nullable EncodingPool encoders) throws IOException, InterruptedException {
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
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC));
        try (EventSource source = binlog.open();
                StreamPipeline pipeline =
                        new StreamPipeline(reader, store, encoders, 4, false, () -> {}, Time.SYSTEM)) {
            pipeline.read(source);
            pipeline.drain();
        }
    }
}
