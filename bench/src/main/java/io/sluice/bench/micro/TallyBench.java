package io.sluice.bench.micro;

import io.sluice.bench.workload.WorkloadKind;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Time;
import io.sluice.server.tables.TableTally;
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
 * Counts acked entries by table, in batches of a sender's size. An operation is all entries of a recorded binlog; see {@link RowCount} for
 * rows. {@code BATCH} has hundreds of rows in an entry and {@code MIXED} a few, so a row costs as much less there.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"})
public class TallyBench {
    @Param({"MIXED", "BATCH"})
    public WorkloadKind kind = WorkloadKind.MIXED;

    /** How many tables are counted one by one; with 1, of two tables one is among the others. */
    @Param({"0", "1", "100"})
    public int tables = 100;

    private List<List<Entry>> batches = List.of();

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Recorded recorded;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private TableTally tally;

    @Setup
    public void prepare() throws IOException, InterruptedException {
        recorded = Recorded.of(kind);
        List<Entry> all = recorded.entries(null);
        all.forEach(Entry::rowCount); // as when an entry is acked, it is known
        batches = Recorded.batches(all);
        tally = new TableTally(tables, Time.SYSTEM);
    }

    @Benchmark
    public void count(RowCount count) {
        batches.forEach(tally::delivered);
        count.rows += recorded.rows();
    }
}
