package io.sluice.bench.micro;

import io.sluice.bench.workload.WorkloadKind;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketConverter;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.convert.Workspaces;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.protobuf.ProtobufEncoder;
import io.sluice.format.protobuf.ProtobufFormat;
import io.sluice.format.split.ImageRowSplitter;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.split.RowSplitter;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reads the events of a recorded binlog and encodes entries. An operation is the whole binlog; see {@link RowCount} for rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"})
public class DecodeBench {
    private static final RowCut KEYED = new RowCut(RowKey.PRIMARY, null, true, false);

    @Param({"MIXED", "BATCH"})
    public WorkloadKind workload = WorkloadKind.MIXED;

    private static final BatchOrigin STAMP = new BatchOrigin(1, 1_767_225_600_000L);

    private final RowSplitter splitter = new ImageRowSplitter();
    private final MessageEncoder protobuf = new ProtobufEncoder();
    private final MessageEncoder flat = new FlatFormat().newEncoder();
    private final ByteWriter out = new ByteWriter(1 << 20);

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Recorded recorded;

    private List<Entry> entries = List.of();
    private List<List<Entry>> encoded = List.of();
    private final BatchConverter packets = new PacketConverter(
            new FixedRouter("bench", 0),
            KeyChange.KEEP,
            DdlPartition.FIRST,
            PacketStyle.PARSED_WITHOUT_BOUNDARIES,
            1 << 20,
            ChangeHeaders.NONE,
            new Workspaces(new ProtobufFormat()));

    @Setup
    public void prepare() throws IOException, InterruptedException {
        recorded = Recorded.of(workload);
        entries = recorded.entries(null);
        encoded = Recorded.batches(recorded.entries(new EncodingPool(Runnable::run)));
    }

    /** The reader alone: framing, checksums, table maps, entries with row images. */
    @Benchmark
    public long read(RowCount count) throws IOException, InterruptedException {
        PassingStore store = new PassingStore();
        recorded.readInto(store, null);
        count.rows += recorded.rows();
        return store.rows();
    }

    /** The hashes of the rows' primary keys, which choose partitions. */
    @Benchmark
    public int hash(RowCount count) {
        int hash = 0;
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.ROWS) {
                RowPieces pieces = splitter.split(entry, KEYED);
                for (int i = 0; i < pieces.count(); i++) {
                    hash += pieces.hash(i);
                }
            }
        }
        count.rows += recorded.rows();
        return hash;
    }

    /** A converter of encoded entries: packets of at most 1 MiB. */
    @Benchmark
    public int packets(RowCount count) {
        int bytes = 0;
        for (List<Entry> batch : encoded) {
            for (OutgoingMessage next : packets.convert(1, batch)) {
                bytes += next.message().value().length;
            }
        }
        count.rows += recorded.rows();
        return bytes;
    }

    /** An encoder: row images to protobuf. */
    @Benchmark
    public long protobuf(RowCount count) {
        long bytes = 0;
        for (Entry entry : entries) {
            out.clear();
            protobuf.encode(entry, STAMP, out);
            bytes += out.size();
        }
        count.rows += recorded.rows();
        return bytes;
    }

    /** An encoder: row images to flat JSON. */
    @Benchmark
    public long flat(RowCount count) {
        long bytes = 0;
        for (Entry entry : entries) {
            out.clear();
            flat.encode(entry, STAMP, out);
            bytes += out.size();
        }
        count.rows += recorded.rows();
        return bytes;
    }

    /** Reading and encoding in one thread, as for raw records. */
    @Benchmark
    public long readAndEncode(RowCount count) throws IOException, InterruptedException {
        PassingStore store = new PassingStore();
        recorded.readInto(store, new EncodingPool(Runnable::run));
        count.rows += recorded.rows();
        return store.rows();
    }
}
