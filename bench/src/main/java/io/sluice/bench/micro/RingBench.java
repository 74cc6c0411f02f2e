package io.sluice.bench.micro;

import io.sluice.bench.workload.WorkloadKind;
import io.sluice.format.entry.Entry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.store.ring.StoreClosedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Passes encoded entries through the ring: one thread puts, another gets and acks at once. An operation is all entries of a recorded
 * binlog; see {@link RowCount} for rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"})
public class RingBench {
    /** The number of entries in one put; a chunk of a busy reader has hundreds. */
    @Param({"1", "300"})
    public int chunk = 1;

    /** The size of a batch in KiB. */
    @Param({"50"})
    public int batchKib = 50;

    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final Semaphore acked = new Semaphore(0);
    private List<List<Entry>> chunks = List.of();
    private int entries;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Recorded recorded;

    @Setup
    public void prepare() throws IOException, InterruptedException {
        recorded = Recorded.of(WorkloadKind.MIXED);
        List<Entry> all = recorded.entries(new EncodingPool(Runnable::run));
        entries = all.size();
        chunks = new ArrayList<>();
        for (int from = 0; from < entries; from += chunk) {
            chunks.add(List.copyOf(all.subList(from, Math.min(from + chunk, entries))));
        }
        Thread reader = new Thread(this::getAndAck, "reader");
        reader.setDaemon(true);
        ring.onChange(() -> LockSupport.unpark(reader));
        reader.start();
    }

    private void getAndAck() {
        BatchLimit limit = BatchLimit.bytes(batchKib * 1024L);
        try {
            while (true) {
                Batch batch = ring.getIfReady(limit, Readiness.ANY);
                if (batch == null) {
                    LockSupport.park(ring);
                } else {
                    ring.ack(batch);
                    acked.release(batch.entries().size());
                }
            }
        } catch (StoreClosedException e) {
            return; // the bench has ended
        }
    }

    @TearDown
    public void close() {
        ring.close();
    }

    /** Puts, gets and acks all entries. */
    @Benchmark
    public void putGetAck(RowCount count) throws InterruptedException {
        for (List<Entry> one : chunks) {
            ring.put(one);
        }
        acked.acquire(entries);
        count.rows += recorded.rows();
    }
}
