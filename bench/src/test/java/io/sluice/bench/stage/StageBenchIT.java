package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("thorough")
class StageBenchIT {
    @TempDir
    private Path folder;

    @BeforeEach
    void nameFolders() {
        System.setProperty("sluice.bench.folder", folder.toString());
        System.setProperty(
                "sluice.scripts", Path.of("../deployer/src/main/package/bin").toString());
    }

    @AfterEach
    void forgetFolders() {
        System.clearProperty("sluice.bench.folder");
        System.clearProperty("sluice.scripts");
    }

    @Test
    void everyStageReadsAllRowsAndTheSinkReceivesThem() {
        int status = new CommandLine(new StageBench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(
                        "--workload",
                        "mixed",
                        "--rows",
                        "3000",
                        "--until",
                        "read,encode,send",
                        "--format",
                        "raw,flat,debezium");

        assertThat(status).isZero();
    }
}
