package io.sluice.bench.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Totals;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void aWorkloadIsSpreadOverManyTablesWithATopicEach() {
        Workload usual = Workload.usual(WorkloadKind.MIXED);
        List<Cell> cells = Cell.of(
                usual,
                List.of(Format.RAW),
                List.of(Routing.of("1x1"), Routing.of("topics3")),
                List.of(Compression.NONE));

        assertThat(cells.get(0).workload()).isEqualTo(usual);
        assertThat(job(cells.get(1)).environment())
                .containsEntry("TOPIC", "t-orders_1")
                .containsEntry(
                        "DYNAMIC_TOPIC",
                        "t-orders_1:bench.orders_1,t-payments_2:bench.payments_2,t-orders_3:bench.orders_3");
    }

    @Test
    void theNameOfACellHasTheNumberOfTablesUnlessItIsTheUsualOrThatOfTheRouting() {
        Workload usual = Workload.usual(WorkloadKind.MIXED);

        assertThat(cells(usual, "1x1")).containsExactly("mixed-flat-1x1");
        assertThat(cells(usual, "topics3")).containsExactly("mixed-flat-topics3");
        assertThat(cells(usual.over(10_000), "1x1")).containsExactly("mixed-flat-1x1-tables10000");
    }

    private static List<String> cells(Workload workload, String routing) {
        return Cell.of(workload, List.of(Format.FLAT), List.of(Routing.of(routing)), List.of(Compression.NONE)).stream()
                .map(Cell::name)
                .toList();
    }

    private static BridgeJob job(WorkloadKind kind, Routing layout) {
        return job(new Cell(Workload.usual(kind), Format.RAW, layout, Compression.LZ4));
    }

    private static BridgeJob job(Cell cell) {
        RecordedBinlog binlog = new RecordedBinlog(Path.of("data"), "binlog.000002", 4, Totals.NONE);
        return new BridgeJob("127.0.0.1", 3306, binlog, "127.0.0.1:9092", "t", cell, Path.of("work"));
    }
}
