package io.sluice.admin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sluice.testkit.architecture.Rooms;
import java.util.List;

/** The order of the packages of the admin server; ArchitectureTest of the deployer has that of the other modules. */
@AnalyzeClasses(packages = "io.sluice.admin", importOptions = ImportOption.DoNotIncludeTests.class)
class AdminArchitectureTest {
    private static final Rooms ROOMS = new Rooms(
            "io.sluice.admin",
            List.of(
                    "log",
                    "time",
                    "address",
                    "problem",
                    "notice",
                    "database",
                    "audit",
                    "retention",
                    "account",
                    "config",
                    "cluster",
                    "canal",
                    "canal.polling",
                    "fleet.control",
                    "fleet.server",
                    "fleet.watch",
                    "fleet.live",
                    "fleet.stream",
                    "fleet.action",
                    "fleet.api",
                    "web",
                    ""));

    @ArchTest
    static void roomsUseOnlyThoseBelowThem(JavaClasses classes) {
        assertThat(ROOMS.wrongArrows(classes)).isEmpty();
    }

    /** It uses a server's definitions of keys and its checks of a configuration, and calls running servers by HTTP. */
    @ArchTest
    static final ArchRule itKnowsNoModuleBelowTheServer = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice.mysql..",
                    "io.sluice.schema..",
                    "io.sluice.format..",
                    "io.sluice.store..",
                    "io.sluice.stream..");
}
