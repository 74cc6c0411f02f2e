package io.sluice.deployer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;

/** The arrows of ARCHITECTURE.md: this module sees every other, so they are kept here. */
@AnalyzeClasses(packages = "io.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The connectors, and the packages of their brokers' clients. */
    private static final Map<String, String> BROKERS = Map.of(
            "kafka", "org.apache.kafka..",
            "rocketmq", "org.apache.rocketmq..",
            "rabbitmq", "com.rabbitmq..",
            "pulsar", "org.apache.pulsar..");

    @ArchTest
    static final ArchRule modulesUseOnlyThoseBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("protocol")
            .definedBy("io.sluice.protocol..")
            .layer("store")
            .definedBy("io.sluice.store..")
            .layer("parse")
            .definedBy("io.sluice.parse..")
            .layer("connector.api")
            .definedBy("io.sluice.connector.api..")
            .layer("client")
            .definedBy("io.sluice.client..")
            .layer("server")
            .definedBy("io.sluice.server..")
            .layer("deployer")
            .definedBy("io.sluice.deployer..")
            .layer("testkit")
            .definedBy("io.sluice.testkit..")
            .whereLayer("protocol")
            .mayNotAccessAnyLayer()
            .whereLayer("store")
            .mayOnlyAccessLayers("protocol")
            .whereLayer("parse")
            .mayOnlyAccessLayers("protocol", "store")
            .whereLayer("connector.api")
            .mayOnlyAccessLayers("protocol", "store")
            .whereLayer("client")
            .mayOnlyAccessLayers("protocol")
            .whereLayer("server")
            .mayOnlyAccessLayers("protocol", "store", "parse", "connector.api")
            .whereLayer("deployer")
            .mayOnlyAccessLayers("protocol", "server", "connector.api")
            .whereLayer("testkit")
            .mayOnlyAccessLayers("protocol");

    @ArchTest
    static void roomsOfAModuleHaveNoCycle(JavaClasses classes) {
        for (String module :
                new String[] {"protocol", "store", "parse", "connector", "client", "server", "deployer", "testkit"}) {
            slices().matching("io.sluice." + module + ".(**)")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true)
                    .check(classes);
        }
    }

    /** Each is loaded by a class loader of its own, and sees only what all of them share. */
    @ArchTest
    static final ArchRule connectorsUseOnlyTheirApi = noClasses()
            .that()
            .resideInAPackage("io.sluice.connector..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice.parse..", "io.sluice.client..", "io.sluice.server..", "io.sluice.deployer..");

    @ArchTest
    static final ArchRule connectorsDoNotKnowEachOther = slices().matching("io.sluice.connector.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                    resideInAnyPackage("io.sluice.connector.."), resideInAPackage("io.sluice.connector.api.."));

    /** Neither does the client, which reads their records all the same. */
    @ArchTest
    static void onlyItsConnectorKnowsABroker(JavaClasses classes) {
        BROKERS.forEach((connector, client) -> noClasses()
                .that()
                .resideOutsideOfPackages("io.sluice.connector." + connector + "..", "io.sluice.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(client)
                .check(classes));
    }

    @ArchTest
    static final ArchRule onlyOurPortsKnowNetty = noClasses()
            .that()
            .resideOutsideOfPackages("io.sluice.server.tcp..", "io.sluice.server.metrics..", "io.sluice.server.port..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule onlyTheMetricsKnowPrometheus = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.server.metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.prometheus..");

    @ArchTest
    static final ArchRule onlyCursorsElectionsAndTheFinderKnowZooKeeper = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.sluice.store.cursor..",
                    "io.sluice.server.ha..",
                    "io.sluice.client.zookeeper..",
                    "io.sluice.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    @ArchTest
    static final ArchRule onlyTheSchemaKnowsTheSqlParser = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.parse.schema..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.alibaba.druid..");

    @ArchTest
    static final ArchRule onlyTheHistoryKnowsItsDatabase = noClasses()
            .that()
            .haveNameNotMatching("io\\.sluice\\.parse\\.history\\.Sqlite(Database|Library)")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.sqlite..");

    /** H2 is there for files of earlier versions only. */
    @ArchTest
    static final ArchRule onlyTheTakeOverKnowsH2 = noClasses()
            .that()
            .haveNameNotMatching("io\\.sluice\\.parse\\.history\\.H2Import")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.h2..");

    /** For files that are read once; what is on its way to a broker is written as bytes. */
    @ArchTest
    static final ArchRule onlyPositionsAndCursorsKnowJackson = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.sluice.protocol..",
                    "io.sluice.store.cursor..",
                    "io.sluice.server.metrics..",
                    "io.sluice.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule onlyTheLauncherAndTheToolPrint = noClasses()
            .that()
            .doNotBelongToAnyOf(Launcher.class, Tool.class)
            .and()
            .resideOutsideOfPackages("io.sluice.testkit..", "io.sluice.client..example..")
            .should(ACCESS_STANDARD_STREAMS);

    /** A class that reads a clock or sleeps by itself can be tested in real time only. */
    @ArchTest
    static final ArchRule timeIsAParameter = noClasses()
            .that()
            .resideOutsideOfPackages("io.sluice.testkit..", "io.sluice.client..example..")
            .and()
            .doNotHaveFullyQualifiedName("io.sluice.protocol.time.SystemTime")
            .should()
            .accessTargetWhere(new ClockAccess());

    @ArchTest
    static final ArchRule everybodyLogsThroughSlf4j = noClasses()
            .that()
            .doNotBelongToAnyOf(Launcher.class)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "ch.qos.logback.."));
}
