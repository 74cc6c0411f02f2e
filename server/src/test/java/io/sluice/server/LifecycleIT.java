package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator does to instances of a server that delivers the rows of a real source. */
@Timeout(600)
class LifecycleIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CHANGES = Integer.getInteger("sluice.lifecycle.changes", 200);
    private static final String USER = "canal";
    private static final String PASSWORD = "started and stopped";

    private static MySqlServer mysql;

    private final CountingBroker broker = new CountingBroker();
    private final Random random = new Random(1);
    private final AtomicInteger written = new AtomicInteger();
    private Path home;
    private BinlogEnd begin;
    private SluiceServer server;
    private Operations operations;

    @BeforeAll
    static void startSource() {
        mysql = MySqlServer.start();
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
    }

    @AfterAll
    static void stopSource() {
        mysql.close();
    }

    @BeforeEach
    void start() throws Exception {
        home = Folders.temporary("sluice-lifecycle-");
        begin = mysql.rotateBinlog();
        mysql.execute(
                "drop database if exists shop", "create database shop", "create table shop.t (id int primary key)");
        writeInstance("one", "");
        writeInstance("two", "");
        writeServer("one,two", "");
        startServer();
    }

    private void startServer() throws Exception {
        server = new ServerFiles(home).start(broker);
        operations = server.operations();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ofSeconds(10));
        Folders.delete(home);
    }

    @Test
    void losesNothingAndLeavesNothingInHundredsOfChangesUnderLoad() throws Exception {
        insert(100);
        awaitDelivered("one", "two");
        List<WeakReference<Instance>> first = Stream.of("one", "two")
                .map(name ->
                        new WeakReference<>(operations.snapshot(name).instance().orElseThrow()))
                .toList();
        int threads = instanceThreads();
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService others = Executors.newSingleThreadExecutor();
        try {
            Future<?> load = others.submit(() -> {
                while (!enough.get()) {
                    insert(50);
                }
                return null;
            });
            for (int i = 0; i < CHANGES; i++) {
                change(random.nextBoolean() ? "one" : "two", i);
            }
            enough.set(true);
            load.get();
        } finally {
            others.shutdownNow();
        }
        for (String name : List.of("one", "two")) {
            operations.start(name);
            operations.resume(name);
            operations.limit(name, RateLimits.NONE);
        }

        awaitDelivered("one", "two");
        assertThat(broker.gaps()).isEmpty();
        assertThat(broker.openProducers()).isEqualTo(2);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(instanceThreads()).isEqualTo(threads));
        await().atMost(PATIENCE).untilAsserted(() -> {
            System.gc();
            assertThat(first).allMatch(reference -> reference.get() == null);
        });
        // The source may list one that has ended for a moment.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(mysql.dumps()).hasSize(2));
    }

    private void change(String name, int number) throws IOException {
        switch (random.nextInt(9)) {
            case 0 -> operations.pause(name, "a test");
            case 1 -> operations.resume(name);
            case 2 -> operations.limit(name, new RateLimits(1 + random.nextInt(5000), 0));
            case 3 -> operations.limit(name, new RateLimits(0, 1 + random.nextInt(500_000)));
            case 4 -> operations.limit(name, RateLimits.NONE);
            case 5 -> {
                operations.start(name);
                operations.restart(name);
            }
            case 6 -> {
                operations.stop(name);
                assertThat(operations.snapshot(name).instance()).isEmpty();
            }
            case 7 -> operations.start(name);
            default -> {
                writeInstance(name, "canal.instance.filter.black.regex = unused\\\\.t" + number);
                assertThat(operations.reload().isComplete()).isTrue();
            }
        }
    }

    @Test
    void deliversNothingBehindThePositionAtWhichItPauses() throws Exception {
        insert(10);
        awaitDelivered("one");
        BinlogEnd end = mysql.binlogEnd();
        operations.pauseAt(
                "one",
                new PauseTarget.Position(
                        new BinlogPosition(end.file(), end.offset() + 100))); // within the next transaction
        insert(1);
        int before = written.get();
        insert(20);

        awaitDelivered("two");
        await().atMost(PATIENCE).until(() -> operations.snapshot("one").pace().paused());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(broker.newest("one")).isEqualTo(before));
        InstanceSnapshot paused = operations.snapshot("one");
        assertThat(paused.pace().reason()).contains("is reached");
        assertThat(paused.health().orElseThrow().isWell()).isTrue();
        assertThatThrownBy(() -> operations.pauseAt("one", new PauseTarget.Position(new BinlogPosition(end.file(), 4))))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("is paused already");
        operations.resume("one");

        awaitDelivered("one");
        assertThatThrownBy(() -> operations.pauseAt("one", new PauseTarget.Position(new BinlogPosition(end.file(), 4))))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("already");
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void takesOverInstancesThatAreAddedChangedAndRemoved() throws Exception {
        insert(10);
        awaitDelivered("one", "two");
        Instance untouched = operations.snapshot("two").instance().orElseThrow();
        writeInstance("three", "");
        writeInstance("one", "canal.instance.filter.black.regex = unused\\\\.t");
        writeServer("one,two,three", "");

        ReloadReport report = operations.reload();

        assertThat(report.added()).containsExactly("three");
        assertThat(report.changed()).containsExactly("one");
        insert(10);
        awaitDelivered("one", "two", "three");
        assertThat(operations.snapshot("two").instance()).containsSame(untouched);

        writeServer("two,three", "");
        assertThat(operations.reload().removed()).containsExactly("one");
        assertThat(operations.destinations()).containsExactly("two", "three");
        assertThatThrownBy(() -> operations.snapshot("one"))
                .isInstanceOf(UnknownDestinationException.class)
                .hasMessageContaining("two, three");
        assertThat(operations.reload())
                .isEqualTo(new ReloadReport(
                        List.of(), List.of(), List.of(), Map.of(), List.of(), List.of(), List.of(), List.of()));
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void continuesAtItsCursorsWhenTheyAreToBeKeptElsewhere() throws Exception {
        insert(10);
        awaitDelivered("one", "two");
        Path elsewhere = home.resolve("elsewhere");
        List<String> places = List.of(
                "canal.file.data.dir = " + elsewhere,
                "canal.instance.one.spring.xml = classpath:spring/memory-instance.xml",
                "canal.file.data.dir = " + home.resolve("conf"));
        for (String place : places) {
            operations.pause("one", "so that it is behind");
            insert(10);
            writeInstanceWithoutPosition("one");
            writeServer("one,two", place);

            assertThat(operations.reload().changed()).contains("one");

            operations.resume("one");
            insert(10);
            awaitDelivered("one");
            assertThat(broker.gaps()).isEmpty();
            assertThat(elsewhere.resolve("one/meta.dat").toFile().exists())
                    .as(place)
                    .isTrue();
        }
    }

    @Test
    void aCursorIsSetBetweenAStopAReloadWithAnotherDirectoryAndTheStart() throws Exception {
        insert(10);
        awaitDelivered("one", "two");
        operations.stop("one");
        List<Subscription> first = new FileCursorEditor(home.resolve("conf"), "one").read();
        operations.start("one");
        insert(10);
        awaitDelivered("one", "two");
        operations.stop("one");
        Path elsewhere = home.resolve("elsewhere");
        writeServer("one,two", "canal.file.data.dir = " + elsewhere);

        assertThat(operations.reload().isComplete()).isTrue();

        FileCursorEditor moved = new FileCursorEditor(elsewhere, "one");
        assertThat(moved.read()).isNotEmpty().isNotEqualTo(first);
        moved.replace(first);
        assertThat(operations.start("one")).isTrue();
        insert(10);
        awaitDelivered("one", "two");
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void takesOverWhatAFileThatAKeyIsFilledFromHasNow() throws Exception {
        Path file = Files.writeString(home.resolve("unused"), "unused\\.first\n");
        writeInstance("one", "canal.instance.filter.black.regex = ${file:" + file + "}");
        assertThat(operations.reload().changed()).containsExactly("one");
        assertThat(operations.reload().changed()).isEmpty();
        Files.writeString(file, "unused\\.second\n");

        assertThat(operations.reload().changed()).containsExactly("one");
        Instance running = operations.snapshot("one").instance().orElseThrow();
        Files.delete(file);
        ReloadReport without = operations.reload();

        assertThat(without.refused()).containsOnlyKeys("one");
        assertThat(operations.snapshot("one").problem()).contains("there is no file " + file);
        assertThat(operations.snapshot("one").instance()).containsSame(running);
        insert(10);
        awaitDelivered("one", "two");
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void findsChangesByItselfWhenTwoLooksHaveFoundTheSame() throws Exception {
        server.stop(Duration.ofSeconds(10));
        writeServer("one,two", "canal.auto.scan = true\ncanal.auto.scan.interval = 1");
        startServer();
        insert(10);
        awaitDelivered("one", "two");
        Instance before = operations.snapshot("one").instance().orElseThrow();

        writeInstance("three", "");
        writeInstance("one", "canal.instance.filter.black.regex = unused\\\\.t");

        await().atMost(PATIENCE).until(() -> operations.destinations().contains("three"));
        await().atMost(PATIENCE)
                .until(() -> !operations.snapshot("one").instance().equals(Optional.of(before)));
        insert(10);
        awaitDelivered("one", "two", "three");
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void aRenamedFolderEndsTheNamedInstanceAndBringsTheOther() throws Exception {
        server.stop(Duration.ofSeconds(10));
        writeServer("one,two", "canal.auto.scan = true\ncanal.auto.scan.interval = 3600"); // the reload is first
        startServer();
        insert(10);
        awaitDelivered("one", "two");
        Path renamed = Files.createDirectory(home.resolve("conf/renamed"));
        Files.move(home.resolve("conf/one/instance.properties"), renamed.resolve("instance.properties"));

        ReloadReport report = operations.reload();

        assertThat(report.removed()).containsExactly("one");
        assertThat(report.refused()).isEmpty();
        assertThat(report.added()).containsExactly("renamed");
        assertThat(operations.destinations()).containsExactly("two", "renamed");
        assertThat(operations.reload().removed()).isEmpty();
    }

    @Test
    void keepsWhatRunsWhereANewConfigurationIsWrongAndSaysWhy() throws Exception {
        insert(10);
        awaitDelivered("one", "two");
        Instance before = operations.snapshot("one").instance().orElseThrow();
        writeInstance("one", "canal.instance.memory.buffer.size = 1000");
        writeInstance("two", "canal.instance.filter.black.regex = unused\\\\.t");

        ReloadReport report = operations.reload();

        assertThat(report.changed()).containsExactly("two");
        assertThat(report.refused()).containsOnlyKeys("one");
        assertThat(operations.snapshot("one").problem())
                .contains("instance.properties", "canal.instance.memory.buffer.size", "power of two");
        assertThat(operations.snapshot("one").instance()).containsSame(before);
        writeServer("one,two", "canal.prot = 1");
        ReloadReport ofServer = operations.reload();
        assertThat(ofServer.isComplete()).isFalse();
        assertThat(ofServer.serverProblems()).singleElement().asString().contains("canal.prot", "did you mean");
        assertThat(operations.snapshot("one").instance()).containsSame(before);

        writeServer("one,two", "canal.health.stall.timeout = 1234");
        writeInstance("one", "");
        ReloadReport right = operations.reload();

        assertThat(right.isComplete()).isTrue();
        assertThat(right.restartKeys()).containsExactly("canal.health.stall.timeout");
        assertThat(operations.restartKeys()).containsExactly("canal.health.stall.timeout");
        assertThat(operations.snapshot("one").problem()).isNull();
        insert(10);
        awaitDelivered("one", "two");
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void startsAFailedInstanceAgainOnlyWhenItsPolicySaysSoAndLeavesTheOthersAlone() throws Exception {
        writeInstance("one", "canal.instance.restart = backoff");
        operations.reload();
        insert(10);
        awaitDelivered("one", "two");
        Optional<Instance> before = operations.snapshot("one").instance();
        broker.rejectNext("one");
        broker.rejectNext("two");
        insert(10);

        // One after the other: that of the first is over when it is tried again, whether the second has failed or not.
        await().atMost(PATIENCE).until(() -> isTriedAgain("one", before));
        await().atMost(PATIENCE).until(() -> stateOf("two") == InstanceState.FAILED);
        assertThat(operations.snapshot("two").retryAt()).isNull();
        awaitDelivered("one");
        assertThat(operations.snapshot("one").retryAt()).isNull();
        assertThat(stateOf("two")).isEqualTo(InstanceState.FAILED);

        assertThat(operations.start("two")).isTrue();
        awaitDelivered("two");
        assertThat(operations.start("two")).isFalse();
        assertThat(broker.gaps()).isEmpty();
    }

    @Test
    void anInstanceThatCannotBeMadeAgainIsFailedAndRetried() throws Exception {
        isFailedAndTriedAgainAfter(new IllegalStateException("no producer now"));
    }

    /** Of an Error for which the JVM does not end. */
    @Test
    void anInstanceForWhichNoThreadCanBeStartedIsFailedAndTriedAgain() throws Exception {
        isFailedAndTriedAgainAfter(new OutOfMemoryError("no producer now"));
    }

    private void isFailedAndTriedAgainAfter(Throwable cause) throws Exception {
        writeInstance("one", "canal.instance.restart = backoff");
        operations.reload();
        insert(10);
        awaitDelivered("one", "two");
        broker.refuseToMake("one", cause);

        assertThatThrownBy(() -> operations.restart("one"))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("no producer now");

        InstanceSnapshot failed = operations.snapshot("one");
        assertThat(failed.instance()).isEmpty();
        assertThat(failed.health().orElseThrow().isWell()).isFalse();
        assertThat(failed.errors().get(0).message()).contains("no producer now");
        assertThat(failed.retryAt()).isNotNull();
        broker.makeAgain("one");
        insert(10);
        awaitDelivered("one", "two");
        assertThat(broker.gaps()).isEmpty();
        assertThat(operations.snapshot("one").health().orElseThrow().isWell()).isTrue();
    }

    /** Whether it is to be started again, or has been meanwhile. */
    private boolean isTriedAgain(String name, Optional<Instance> before) {
        InstanceSnapshot now = operations.snapshot(name);
        return now.retryAt() != null || !now.instance().equals(before);
    }

    private InstanceState stateOf(String name) {
        return operations.snapshot(name).instance().orElseThrow().state();
    }

    private void awaitDelivered(String... names) {
        for (String name : names) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(broker.newest(name)).as(name).isEqualTo(written.get()));
        }
    }

    /** Inserts rows with the numbers that follow, a few in each transaction. */
    private void insert(int rows) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement sql = connection.createStatement()) {
            for (int left = rows; left > 0; left -= 5) {
                int from = written.get();
                int count = Math.min(left, 5);
                sql.execute("insert into shop.t values "
                        + Stream.iterate(from + 1, id -> id + 1)
                                .limit(count)
                                .map(id -> "(" + id + ")")
                                .collect(Collectors.joining(",")));
                written.addAndGet(count);
            }
        }
    }

    private static int instanceThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("sender-") || name.endsWith("-reader"))
                .count();
    }

    private void writeServer(String destinations, String line) throws IOException {
        Map<String, String> server = new LinkedHashMap<>();
        server.put("canal.serverMode", "kafka");
        server.put("kafka.bootstrap.servers", "127.0.0.1:9");
        server.put("canal.destinations", destinations);
        server.put("canal.metrics.pull.port", "-1");
        write("conf/canal.properties", server, line);
    }

    private void writeInstance(String name, String line) throws IOException {
        Map<String, String> instance = instance(name);
        instance.put("canal.instance.master.journal.name", begin.file());
        instance.put("canal.instance.master.position", Long.toString(begin.offset()));
        write("conf/" + name + "/instance.properties", instance, line);
    }

    private void writeInstanceWithoutPosition(String name) throws IOException {
        write("conf/" + name + "/instance.properties", instance(name), "");
    }

    private static Map<String, String> instance(String name) {
        Map<String, String> instance = new LinkedHashMap<>();
        instance.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        instance.put("canal.instance.dbUsername", USER);
        instance.put("canal.instance.dbPassword", PASSWORD);
        instance.put("canal.instance.filter.regex", "shop\\\\.t");
        instance.put("canal.mq.topic", name);
        return instance;
    }

    private void write(String file, Map<String, String> settings, String line) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + " = " + value));
        lines.add(line);
        Files.write(path, lines);
    }
}
