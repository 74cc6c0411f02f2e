package io.sluice.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedBinlogIT {
    @TempDir
    private Path folder;

    @Test
    void theServerHoldsWhatTheWorkloadSays() {
        Workload workload = new Workload(WorkloadKind.MIXED, 2_000, 1);
        RecordedBinlog binlog = RecordedBinlog.of(workload, folder);

        try (MySqlServer server = binlog.startServer()) {
            long inserted = binlog.totals().inserts().rows();
            long deleted = binlog.totals().deletes().rows();
            assertThat(binlog.totals().rows()).isEqualTo(2_000);
            assertThat(server.query(
                            "SELECT (SELECT COUNT(*) FROM bench.orders) + (SELECT COUNT(*) FROM bench.payments)"))
                    .isEqualTo(Long.toString(inserted - deleted));
            assertThat(server.query("SELECT word FROM bench.marker")).isEqualTo(Tables.MARKER_WORD);
        }
        assertThat(RecordedBinlog.of(workload, folder)).isEqualTo(binlog);
    }
}
