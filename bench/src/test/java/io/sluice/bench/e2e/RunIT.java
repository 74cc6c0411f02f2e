package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.BridgeInThisProcess;
import io.sluice.bench.bridge.Cell;
import io.sluice.bench.bridge.Compression;
import io.sluice.bench.bridge.Routing;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class RunIT {
    private static final long ROWS = 3_000;
    private static final Duration DELAY = Duration.ofMillis(20);

    @TempDir
    private static Path folder;

    @Test
    void theSameRowsArriveWithAnyRoutingAndCompression() throws Exception {
        try (Target kafka = start(Target.Kind.KAFKA, Duration.ZERO)) {
            Run run = new Run(kafka, folder, Duration.ofMinutes(5));
            check(run, cell("topics4", Format.RAW, Compression.NONE), cell("topics4", Format.FLAT, Compression.GZIP));
            check(run, cell("1x8", Format.FLAT, Compression.ZSTD), cell("1x8", Format.RAW, Compression.LZ4));
        }
    }

    @Test
    void aBridgeSendsToABrokerThatIsFarAway() throws Exception {
        try (Target kafka = start(Target.Kind.KAFKA, DELAY)) {
            assertThat(kafka.bridgeServers()).isNotEqualTo(kafka.bootstrapServers());
            check(new Run(kafka, folder, Duration.ofMinutes(5)), cell("1x1", Format.FLAT, Compression.NONE));
        }
    }

    @Test
    void aBridgeSendsToABrokerThatKeepsNothing() throws Exception {
        try (Target broker = start(Target.Kind.NULL, Duration.ZERO)) {
            Run run = new Run(broker, folder, Duration.ofMinutes(5));
            check(run, cell("1x8", Format.RAW, Compression.ZSTD), cell("topics", Format.FLAT, Compression.NONE));
        }
        try (Target broker = start(Target.Kind.NULL, DELAY)) {
            check(new Run(broker, folder, Duration.ofMinutes(5)), cell("1x1", Format.FLAT, Compression.LZ4));
        }
    }

    private static Target start(Target.Kind kind, Duration delay) {
        return Target.start(kind, KafkaOptions.defaults(), delay);
    }

    /** Measures cells of one workload. */
    private void check(Run run, Cell... cells) throws Exception {
        RecordedBinlog binlog = RecordedBinlog.of(cells[0].workload(), folder);
        try (MySqlServer mysql = binlog.startServer()) {
            for (Cell cell : cells) {
                Measurement measured = run.measure(new BridgeInThisProcess(), cell, 1, binlog, mysql);

                assertThat(measured.problem()).isNull();
                assertThat(measured.records()).isBetween(1L, 2 * ROWS);
                assertThat(measured.spent()).containsOnlyKeys("bridge", "source", "broker");
                assertThat(measured.startCpuSeconds())
                        .isPositive()
                        .isLessThanOrEqualTo(measured.spent().get("bridge"));
                assertThat(measured.recordBytes()).isGreaterThan(ROWS);
                assertThat(measured.secondHalf().rows()).isLessThanOrEqualTo(ROWS / 2 + 1);
                assertThat(measured.secondHalf().seconds()).isLessThanOrEqualTo(measured.seconds());
            }
        }
    }

    private static Cell cell(String routing, Format format, Compression compression) {
        return Cell.of(
                        new Workload(WorkloadKind.MIXED, ROWS, 1),
                        List.of(format),
                        List.of(Routing.of(routing)),
                        List.of(compression))
                .get(0);
    }
}
