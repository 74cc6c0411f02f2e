package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Totals;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BridgeJobTest {
    @Test
    void aTopicForEachTableIsChosenByRules() {
        BridgeJob job = job(WorkloadKind.MIXED, Routing.of("topics"));

        assertThat(job.topics()).containsExactly("t-orders", "t-payments");
        assertThat(job.environment())
                .containsEntry("TOPIC", "t-orders")
                .containsEntry("DYNAMIC_TOPIC", "t-orders:bench.orders,t-payments:bench.payments")
                .containsEntry("PARTITIONS", "1")
                .containsEntry("PARTITION_HASH", "");
    }

    @Test
    void partitionsAreChosenByTheKey() {
        BridgeJob job = job(WorkloadKind.BATCH, Routing.of("1x64"));

        assertThat(job.topics()).containsExactly("t");
        assertThat(job.environment())
                .containsEntry("DYNAMIC_TOPIC", "")
                .containsEntry("PARTITIONS", "64")
                .containsEntry("PARTITION_HASH", ".*\\..*:$pk$")
                .containsEntry("COMPRESSION", "lz4");
    }

    private static BridgeJob job(WorkloadKind kind, Routing layout) {
        RecordedBinlog binlog = new RecordedBinlog(Path.of("data"), "binlog.000002", 4, 100, Totals.NONE);
        Cell cell = new Cell(Workload.usual(kind), Format.RAW, layout, Compression.LZ4);
        return new BridgeJob("127.0.0.1", 3306, binlog, "127.0.0.1:9092", "t", cell, Path.of("work"));
    }
}
