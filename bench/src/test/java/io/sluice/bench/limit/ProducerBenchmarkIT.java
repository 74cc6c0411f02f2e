package io.sluice.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.KafkaServer;
import java.nio.file.Path;
import org.apache.kafka.clients.admin.Admin;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProducerBenchmarkIT {
    @TempDir
    Path folder;

    @Test
    void sendsAsManyRecordsOfThatSize() throws Exception {
        try (KafkaServer kafka = KafkaServer.start()) {
            BenchmarkFigures figures = new ProducerBenchmark(kafka, folder).best(2, 5_000, 1_000, 700_000);

            assertThat(figures.records()).isEqualTo(1_000);
            assertThat(figures.recordBytes()).isEqualTo(700);
            assertThat(figures.recordsPerSecond()).isPositive();
            assertThat(figures.rowsPerSecond())
                    .isCloseTo(5 * figures.recordsPerSecond(), Percentage.withPercentage(0.001));
            try (Admin admin = kafka.admin()) {
                await().untilAsserted(() ->
                        assertThat(admin.listTopics().names().get()).isEmpty());
            }
        }
    }

    @Test
    void theLastLineIsTheTotal() {
        String printed = """
                41 records sent, 8.2 records/sec (0.01 MB/sec), 1.0 ms avg latency, 9.0 ms max latency.
                100 records sent, 20.500000 records/sec (0.02 MB/sec), 1.01 ms avg latency, 9.00 ms max latency, 1 ms 50th.
                """;

        assertThat(ProducerBenchmark.figures(1_000, 1024, printed))
                .isEqualTo(new BenchmarkFigures(1_000, 100, 1024, 20.5));
        assertThatThrownBy(() -> ProducerBenchmark.figures(1_000, 1024, "no broker is there\n"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no broker is there");
    }
}
