package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurvesBenchIT {
    private static final Path SCRIPTS = Path.of("../deployer/src/main/package/bin");

    @TempDir
    private Path folder;

    @Test
    void aCurveIsMeasuredAndDrawn() throws IOException, InterruptedException {
        CurveOptions options =
                CurveOptions.parse(List.of("--only", "tables", "--largest", "100", "--percent", "1"), folder);

        CurveReport report =
                new CurvesBench(options, folder, StageProcess.asShipped(folder.resolve("work"), SCRIPTS)).run();

        assertThat(report.table()).contains("| tables | 1 | raw |", "| tables | 100 | flat |");
        assertThat(Files.readString(options.svg())).contains("Cost by tables");
    }
}
