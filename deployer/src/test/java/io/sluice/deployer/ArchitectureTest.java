package io.sluice.deployer;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import io.sluice.client.PullClient;
import io.sluice.protocol.file.DurableFiles;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.architecture.Rooms;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The arrows of ARCHITECTURE.md: this module sees every other, so they are kept here. */
@AnalyzeClasses(packages = "io.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The connectors, and the packages of their brokers' clients. */
    private static final Map<String, String> BROKERS = Map.of(
            "kafka", "org.apache.kafka..",
            "rocketmq", "org.apache.rocketmq..",
            "rabbitmq", "com.rabbitmq..",
            "pulsar", "org.apache.pulsar..");

    private static final Pattern MODULE = Pattern.compile("io\\.sluice\\.(connector\\.\\w+|\\w+)\\.");

    @ArchTest
    static final ArchRule modulesUseOnlyThoseBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("protocol")
            .definedBy("io.sluice.protocol..")
            .layer("mysql")
            .definedBy("io.sluice.mysql..")
            .layer("schema")
            .definedBy("io.sluice.schema..")
            .layer("format")
            .definedBy("io.sluice.format..")
            .layer("store")
            .definedBy("io.sluice.store..")
            .layer("stream")
            .definedBy("io.sluice.stream..")
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
            .whereLayer("mysql")
            .mayOnlyAccessLayers("protocol")
            .whereLayer("schema")
            .mayOnlyAccessLayers("protocol", "mysql")
            .whereLayer("format")
            .mayOnlyAccessLayers("protocol", "mysql")
            .whereLayer("store")
            .mayOnlyAccessLayers("protocol", "format")
            .whereLayer("stream")
            .mayOnlyAccessLayers("protocol", "mysql", "schema", "format", "store")
            .whereLayer("connector.api")
            .mayOnlyAccessLayers("protocol", "format", "store")
            .whereLayer("client")
            .mayOnlyAccessLayers("protocol")
            .whereLayer("server")
            .mayOnlyAccessLayers("protocol", "mysql", "schema", "format", "store", "stream", "connector.api")
            .whereLayer("deployer")
            .mayOnlyAccessLayers("protocol", "server", "connector.api")
            .whereLayer("testkit")
            .mayOnlyAccessLayers("protocol");

    /** The rooms of each module, from the bottom up: a room uses only those before it. */
    private static final Map<String, List<String>> ROOMS = Map.ofEntries(
            entry(
                    "protocol",
                    List.of(
                            "text",
                            "entry",
                            "packet",
                            "admin",
                            "bytes",
                            "time",
                            "file",
                            "tls",
                            "flat",
                            "pattern",
                            "position",
                            "wire")),
            entry(
                    "mysql",
                    List.of(
                            "charset",
                            "failure",
                            "gtid",
                            "type",
                            "binlog",
                            "wire.error",
                            "wire.packet",
                            "wire.tls",
                            "wire.auth",
                            "wire.query",
                            "wire.dump",
                            "wire",
                            "transaction",
                            "example")),
            entry(
                    "schema",
                    List.of(
                            "filter",
                            "table",
                            "sql",
                            "definition",
                            "canal",
                            "ddl.catalog",
                            "ddl",
                            "history.database",
                            "history.rows",
                            "history.restore",
                            "history")),
            entry("format", List.of("value", "row", "entry", "message", "split", "protobuf", "flat", "debezium")),
            entry("store", List.of("ring", "text", "cursor", "cursor.file", "cursor.zookeeper")),
            entry(
                    "stream",
                    List.of(
                            "xa",
                            "spill",
                            "options",
                            "failure",
                            "event",
                            "mapping",
                            "reader",
                            "pipeline",
                            "source.server",
                            "source.search",
                            "source.schema",
                            "source.watch",
                            "source")),
            entry(
                    "connector.api",
                    List.of("probe", "producer", "attempt", "route", "convert", "deliver.failure", "deliver")),
            entry(
                    "connector.kafka",
                    List.of("batch", "failure", "produce", "settings", "topic", "client", "transaction", "probe", "")),
            entry(
                    "connector.rabbitmq",
                    List.of("settings", "failure", "node", "topology", "unroutable", "send", "probe", "")),
            entry(
                    "server",
                    List.of(
                            "version",
                            "config.text",
                            "config.port",
                            "config.alarm",
                            "config.cluster",
                            "config.server",
                            "config.instance",
                            "config",
                            "config.sent",
                            "config.reload",
                            "config.key",
                            "config.remote",
                            "config.origin",
                            "config.password",
                            "config.unread",
                            "config.read",
                            "config.load",
                            "pace",
                            "tables",
                            "pull",
                            "port",
                            "ha",
                            "ha.zookeeper",
                            "instance",
                            "tcp",
                            "cursor",
                            "health",
                            "check",
                            "probe",
                            "control",
                            "alarm",
                            "metrics",
                            "admin",
                            "api",
                            "destination",
                            "reload",
                            "")),
            entry("deployer", List.of("log", "command", "")));

    @ArchTest
    static void roomsUseOnlyThoseBelowThem(JavaClasses classes) {
        ROOMS.forEach((module, rooms) -> assertThat(new Rooms("io.sluice." + module, rooms).wrongArrows(classes))
                .as("arrows that run back in %s", module)
                .isEmpty());
    }

    /** The rooms that are open, and the modules that use them; the other rooms of these four modules are internal. */
    private static final Map<String, Set<String>> OPEN_ROOMS = Map.ofEntries(
            entry("mysql.charset", Set.of("schema", "format", "stream")),
            entry("mysql.failure", Set.of("schema", "stream", "server")),
            entry("mysql.gtid", Set.of("schema", "format", "stream", "server")),
            entry("mysql.type", Set.of("schema", "format", "stream")),
            entry("mysql.binlog", Set.of("format", "stream", "server")),
            entry("mysql.wire", Set.of("schema", "stream", "server")),
            entry("mysql.wire.error", Set.of("schema", "stream", "server")),
            entry("mysql.wire.tls", Set.of("schema", "server")),
            entry("mysql.wire.auth", Set.of("schema", "server")),
            entry("mysql.wire.query", Set.of("schema", "stream", "server")),
            entry("mysql.wire.dump", Set.of("stream")),
            entry("mysql.transaction", Set.of("format", "stream")),
            entry("schema.filter", Set.of("stream", "server")),
            entry("schema.table", Set.of("stream", "server")),
            entry("schema.sql", Set.of("stream", "server")),
            entry("schema.canal", Set.of("stream")),
            entry("schema.ddl", Set.of("stream")),
            entry("schema.ddl.catalog", Set.of("stream", "server")),
            entry("schema.history", Set.of("stream", "server")),
            entry("schema.history.database", Set.of("stream", "server")),
            entry("schema.history.rows", Set.of("stream")),
            entry("schema.history.restore", Set.of("stream")),
            entry("format.value", Set.of("stream", "server")),
            entry("format.row", Set.of("stream", "connector.api")),
            entry("format.entry", Set.of("store", "stream", "connector.api", "server")),
            entry("format.message", Set.of("connector.api", "server")),
            entry("format.split", Set.of("connector.api", "server")),
            entry("format.protobuf", Set.of("stream", "connector.api", "server")),
            entry("format.flat", Set.of("server")),
            entry("stream.failure", Set.of("server")),
            entry("stream.options", Set.of("server")),
            entry("stream.source", Set.of("server")),
            entry("stream.source.server", Set.of("server")),
            entry("stream.source.search", Set.of("server")),
            entry("stream.source.schema", Set.of("server")),
            entry("stream.source.watch", Set.of("server")));

    @ArchTest
    static void roomsAreUsedByTheModulesTheyAreOpenTo(JavaClasses classes) {
        Map<String, Set<String>> used = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (JavaClass one : classes) {
            String user = module(one);
            for (Dependency arrow : one.getDirectDependenciesFromSelf()) {
                JavaClass target = arrow.getTargetClass();
                String owner = module(target);
                if (!owner.equals(user)
                        && Set.of("mysql", "schema", "format", "stream").contains(owner)) {
                    String room = target.getPackageName().substring("io.sluice.".length());
                    used.computeIfAbsent(room, name -> new HashSet<>()).add(user);
                    if (!OPEN_ROOMS.getOrDefault(room, Set.of()).contains(user)) {
                        wrong.add(arrow.getDescription());
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(used)
                .as("the list names no module that does not use the room")
                .isEqualTo(OPEN_ROOMS);
    }

    /** The module of a class; empty if it is none of ours. Connectors are a module each. */
    private static String module(JavaClass one) {
        Matcher name = MODULE.matcher(one.getPackageName() + ".");
        return name.lookingAt() ? name.group(1) : "";
    }

    @ArchTest
    static void roomsOfAModuleHaveNoCycle(JavaClasses classes) {
        for (String module : new String[] {"connector", "client", "testkit"}) {
            slices().matching("io.sluice." + module + ".(**)")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true)
                    .check(classes);
        }
    }

    /** Modules, and rooms of others, whose classes form no cycle. Messages that are generated do. */
    private static final List<String> ROOMS_WITHOUT_CYCLES = List.of(
            "protocol.bytes",
            "protocol.file",
            "protocol.flat",
            "protocol.pattern",
            "protocol.position",
            "protocol.text",
            "protocol.time",
            "protocol.tls",
            "protocol.wire",
            "mysql",
            "schema",
            "format",
            "store",
            "stream",
            "server",
            "client",
            "connector.api.attempt",
            "connector.api.convert",
            "connector.api.deliver.failure",
            "connector.api.probe",
            "connector.api.producer",
            "connector.api.route",
            "connector.kafka.produce",
            "connector.kafka.settings",
            "connector.pulsar",
            "connector.rabbitmq",
            "connector.rocketmq",
            "connector.stdout");

    /** Interfaces that are open for others to implement, and make those of ours. */
    private static final List<Class<?>> MAKE_IMPLEMENTATIONS = List.of(Time.class, PullClient.class);

    /** Not within a room either: a nested class counts as the one around it. */
    @ArchTest
    static void classesHaveNoCycle(JavaClasses classes) {
        for (String rooms : ROOMS_WITHOUT_CYCLES) {
            String root = "io.sluice." + rooms;
            SliceRule rule =
                    slices().assignedFrom(new ClassesAsSlices(root)).should().beFreeOfCycles();
            for (JavaClass one : classes) {
                if (ClassesAsSlices.isBelow(root, one) && one.reflect().isSealed()) {
                    rule = rule.ignoreDependency(equivalentTo(one.reflect()), permittedBy(one));
                }
            }
            for (Class<?> one : MAKE_IMPLEMENTATIONS) {
                rule = rule.ignoreDependency(equivalentTo(one), implement(one));
            }
            rule.check(classes);
        }
    }

    private static DescribedPredicate<JavaClass> implement(Class<?> one) {
        return describe("implement " + one.getName(), other -> other.isAssignableTo(one));
    }

    /** A sealed type names those that extend it anyway, so it may also make them. */
    private static DescribedPredicate<JavaClass> permittedBy(JavaClass sealed) {
        Set<String> permitted = Stream.of(sealed.reflect().getPermittedSubclasses())
                .map(Class::getName)
                .collect(Collectors.toSet());
        return describe("permitted by " + sealed.getName(), one -> permitted.contains(one.getName()));
    }

    /**
     * Each class of a package, and of those below it, with the classes nested in it, as a slice.
     *
     * @param root the package
     */
    private record ClassesAsSlices(String root) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass one) {
            return isBelow(root, one) ? SliceIdentifier.of(outermost(one).getName()) : SliceIdentifier.ignore();
        }

        private static boolean isBelow(String root, JavaClass one) {
            return (one.getPackageName() + ".").startsWith(root + ".");
        }

        private static JavaClass outermost(JavaClass one) {
            return one.getEnclosingClass().map(ClassesAsSlices::outermost).orElse(one);
        }

        @Override
        public String getDescription() {
            return "the classes of " + root;
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
                    "io.sluice.schema..",
                    "io.sluice.stream..",
                    "io.sluice.client..",
                    "io.sluice.server..",
                    "io.sluice.deployer..");

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
            .resideOutsideOfPackages(
                    "io.sluice.server.tcp..",
                    "io.sluice.server.admin..",
                    "io.sluice.server.metrics..",
                    "io.sluice.server.api..",
                    "io.sluice.server.port..")
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
                    "io.sluice.store.cursor.zookeeper..",
                    "io.sluice.server.ha..",
                    "io.sluice.client.zookeeper..",
                    "io.sluice.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    /** Those of that helper are open to all clients, whatever access control list is configured. */
    @ArchTest
    static final ArchRule nodesOfZooKeeperHaveTheirAccessControlList = noClasses()
            .should()
            .callMethodWhere(describe(
                    "ZKPaths.mkdirs",
                    call -> call.getName().equals("mkdirs")
                            && call.getTargetOwner().getName().equals("org.apache.curator.utils.ZKPaths")));

    @ArchTest
    static final ArchRule onlyOnePackageKnowsDruid = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.schema.canal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.alibaba.druid..");

    /** H2 is used for files of canal only. */
    @ArchTest
    static final ArchRule onlyTheDatabasesOfAHistoryKnowSqliteAndH2 = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.schema.history.database..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.sqlite..", "org.h2..");

    /** For cursors, the health page, alarms, the audit log, the catalogue of keys and the output of commands; messages are written as bytes. */
    @ArchTest
    static final ArchRule onlySmallTextsUseJackson = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.sluice.protocol..",
                    "io.sluice.schema.history.rows..",
                    "io.sluice.store.cursor..",
                    "io.sluice.server.config.key..",
                    "io.sluice.server.config.remote..",
                    "io.sluice.server.metrics..",
                    "io.sluice.server.alarm..",
                    "io.sluice.server.control..",
                    "io.sluice.server.api..",
                    "io.sluice.deployer.command..",
                    "io.sluice.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml.jackson..");

    /** The launcher of the server must not load it. */
    @ArchTest
    static final ArchRule onlyTheCommandsKnowPicocli = noClasses()
            .that()
            .resideOutsideOfPackages("io.sluice.deployer.command..", "io.sluice.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    /** A rename that is not forced to the disk may be undone by a power failure. The launcher's file need not outlive its process, nor lines of output the machine. */
    @ArchTest
    static final ArchRule filesAreReplacedDurably = noClasses()
            .that()
            .doNotBelongToAnyOf(DurableFiles.class, Launcher.class)
            .and()
            .haveNameNotMatching("io\\.sluice\\.schema\\.history\\.database\\.H2File")
            .and()
            .resideOutsideOfPackages("io.sluice.connector.stdout..", "io.sluice.testkit..", "io.sluice.bench..")
            .should()
            .callMethod(Files.class, "move", Path.class, Path.class, CopyOption[].class);

    @ArchTest
    static final ArchRule theServerDoesNotLoadTheCommands = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.deployer.command..")
            .and()
            .doNotBelongToAnyOf(Tool.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.deployer.command..");

    @ArchTest
    static final ArchRule onlyTheLauncherAndTheToolPrint = noClasses()
            .that()
            .doNotBelongToAnyOf(Launcher.class, Tool.class)
            .and()
            .resideOutsideOfPackages("io.sluice.testkit..", "io.sluice.client..example..", "io.sluice.mysql.example..")
            .should(ACCESS_STANDARD_STREAMS);

    /** A class that reads a clock or sleeps by itself can be tested in real time only. */
    @ArchTest
    static final ArchRule timeIsAParameter = noClasses()
            .that()
            .resideOutsideOfPackages("io.sluice.testkit..", "io.sluice.client..example..", "io.sluice.mysql.example..")
            .and()
            .doNotHaveFullyQualifiedName("io.sluice.protocol.time.SystemTime")
            .should()
            .accessTargetWhere(new ClockAccess());

    @ArchTest
    static final ArchRule allClassesLogThroughSlf4j = noClasses()
            .that()
            .doNotBelongToAnyOf(Launcher.class)
            .and()
            .resideOutsideOfPackages("io.sluice.deployer.log..", "io.sluice.testkit.log..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "ch.qos.logback.."));
}
