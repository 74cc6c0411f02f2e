package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.sluice.testkit.architecture.Rooms;
import java.util.List;

/** The order of the packages of the benches; ArchitectureTest of the deployer has that of the other modules. */
@AnalyzeClasses(packages = "io.sluice.bench", importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {
    /** JMH generates the second but last one. */
    private static final Rooms ROOMS = new Rooms(
            "io.sluice.bench",
            List.of(
                    "folder",
                    "workload",
                    "record",
                    "bridge",
                    "broker",
                    "micro",
                    "micro.jmh_generated",
                    "stage",
                    "latency",
                    "e2e",
                    ""));

    @ArchTest
    static void roomsUseOnlyThoseBelowThem(JavaClasses classes) {
        assertThat(ROOMS.wrongArrows(classes)).isEmpty();
    }
}
