package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageBenchIT {
    private static final Path SCRIPTS = Path.of("../deployer/src/main/package/bin");

    @TempDir
    private Path folder;

    @Test
    void allRowsComeToTheSinkFromTheFileAndFromTheServer() throws IOException, InterruptedException {
        StageOptions options =
                StageOptions.parse(List.of("--workload", "mixed", "--rows", "3000", "--live", "--instances", "2"));

        StageReport report = new StageBench(
                        options, folder.resolve("workloads"), StageProcess.asShipped(folder.resolve("work"), SCRIPTS))
                .run();

        assertThat(report.isComplete()).as(report.table()).isTrue();
        assertThat(report.table())
                .contains("| mixed | file | raw |")
                .contains("| mixed | file | flat |")
                .contains("| mixed | pull | - |")
                .contains("| mixed | live | raw |")
                .contains("| mixed | live | flat |");
    }
}
