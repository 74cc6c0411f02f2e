package io.sluice.bench.micro;

import io.sluice.bench.folder.Paths;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.format.entry.Entry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workload's binlog on disk, read from the file like the stream of a server. */
public final class Recorded {
    /** The default size of a sender's batch. */
    private static final long BATCH_BYTES = 50 * 1024;

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

    /** All entries, encoded if there are encoders. */
    List<Entry> entries(@Nullable EncodingPool encoders) throws IOException, InterruptedException {
        List<Entry> entries = new ArrayList<>();
        readInto(new PassingStore(entries::addAll), encoders);
        return entries;
    }

    /** Splits entries into batches, each of which ends after the entry with which it exceeds the size of a sender's. */
    static List<List<Entry>> batches(List<Entry> entries) {
        List<List<Entry>> batches = new ArrayList<>();
        int begin = 0;
        long bytes = 0;
        for (int i = 0; i < entries.size(); i++) {
            bytes += entries.get(i).sizeBytes();
            if (bytes > BATCH_BYTES || i == entries.size() - 1) {
                batches.add(List.copyOf(entries.subList(begin, i + 1)));
                begin = i + 1;
                bytes = 0;
            }
        }
        return batches;
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
        SchemaTracker tracker = new SchemaTracker(binlog.definitions()::get);
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                new BinlogPosition(binlog.file(), binlog.offset()),
                null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        try (EventSource source = binlog.open();
                StreamPipeline pipeline =
                        new StreamPipeline(reader, store, encoders, 4, false, () -> {}, Time.SYSTEM)) {
            pipeline.read(source);
            pipeline.drain();
        }
    }
}
