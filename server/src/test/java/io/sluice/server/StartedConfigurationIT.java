package io.sluice.server;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.protocol.time.Time;
import io.sluice.server.api.ApiPort;
import io.sluice.server.api.TokenFile;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.control.Outcome;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRejectedException;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.cursor.InstanceCursors;
import io.sluice.server.cursor.PlannedMove;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.store.cursor.Subscription;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance is started and restarted with what its file says then. */
@Timeout(600)
class StartedConfigurationIT {
    private static final String SHOP = PulledServer.DESTINATION;
    private static final Map<String, String> AT_THE_END =
            Map.of("canal.instance.master.journal.name", "", "canal.instance.master.position", "");
    private static final Map<String, String> WRONG =
            Map.of("canal.instance.memory.buffer.size", "many", "canal.instance.master.address", "nowhere");

    private static final Set<InstanceState> SETTLED = Set.of(InstanceState.RUNNING, InstanceState.FAILED);

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create schema shop", "create table shop.t (id int primary key)");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @BeforeEach
    void clear() {
        mysql.execute("delete from shop.t");
    }

    private static Map<String, String> at(BinlogEnd position) {
        return Map.of(
                "canal.instance.master.journal.name",
                position.file(),
                "canal.instance.master.position",
                Long.toString(position.offset()));
    }

    private static void assertDelivers(PulledServer server, String... ids) throws Exception {
        try (PullClient client = PullClient.connect(ClientOptions.of("127.0.0.1", server.port(), SHOP))) {
            client.subscribe("shop\\..*");
            assertThat(PulledServer.ids(client, ids.length)).containsExactly(ids);
        }
    }

    @Test
    void aStoppedInstanceStartsAtThePositionThatItsFileHasGot() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of(), AT_THE_END)) {
            server.start();
            Operations operations = server.server().operations();
            operations.stop(SHOP);
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.t values (1)", "insert into shop.t values (2)");
            server.writeInstance(at(before));

            assertThat(operations.start(SHOP)).isTrue();

            assertDelivers(server, "1", "2");
        }
    }

    @Test
    void anInstanceThatRunsIsRestartedAtThePositionThatItsFileHasGot() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of(), AT_THE_END)) {
            server.start();
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.t values (3)");
            server.writeInstance(at(before));

            server.server().operations().restart(SHOP);

            assertDelivers(server, "3");
        }
    }

    @Test
    void anInstanceIsStartedWithItsNewFileAfterTheCursorWasMoved() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of(), AT_THE_END)) {
            server.start();
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.t values (4)");
            server.writeInstance(at(before));

            assertThat(server.server().operations().whileStopped(SHOP, next -> () -> {}))
                    .isInstanceOf(Outcome.Done.class);

            assertDelivers(server, "4");
        }
    }

    @Test
    void anInstanceWhoseFileIsWrongStaysAsItIsAndAllThatIsWrongIsReported() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            Operations operations = server.server().operations();
            Instance runs = operations.snapshot(SHOP).instance().orElseThrow();
            server.writeInstance(WRONG);

            assertThatThrownBy(() -> operations.restart(SHOP)).satisfies(StartedConfigurationIT::namesAllThatIsWrong);
            assertThatThrownBy(() -> operations.release(SHOP)).satisfies(StartedConfigurationIT::namesAllThatIsWrong);
            assertThatThrownBy(() -> operations.whileStopped(SHOP, next -> () -> {}))
                    .satisfies(StartedConfigurationIT::namesAllThatIsWrong);

            assertThat(operations.snapshot(SHOP).instance()).containsSame(runs);
            operations.stop(SHOP);
            assertThatThrownBy(() -> operations.start(SHOP)).satisfies(StartedConfigurationIT::namesAllThatIsWrong);
            InstanceSnapshot stopped = operations.snapshot(SHOP);
            assertThat(stopped.stopped()).isTrue();
            assertThat(stopped.instance()).isEmpty();
        }
    }

    private static void namesAllThatIsWrong(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("canal.instance.memory.buffer.size")
                .hasMessageContaining("canal.instance.master.address");
    }

    @Test
    void anInstanceWhoseFileWasNeverRightIsStartedWhenItIs() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            Path folder = Files.createDirectories(server.directory().resolveSibling("second"));
            Path file = folder.resolve("instance.properties");
            Files.writeString(file, "canal.instance.memory.buffer.size = many");
            server.reload("canal.destinations", SHOP + ",second");
            assertThatThrownBy(() -> operations.start("second"))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("canal.instance.memory.buffer.size");
            Files.copy(server.directory().resolve("instance.properties"), file, StandardCopyOption.REPLACE_EXISTING);

            assertThat(operations.start("second")).isTrue();

            assertThat(operations.snapshot("second").instance()).isPresent();
        }
    }

    @Test
    void keysThatOnlyARestartOfTheServerChangesAreKnownAfterAStart() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            Operations operations = server.server().operations();
            server.writeServer("canal.port", "11111");
            assertThat(operations.restartKeys()).isEmpty();

            operations.restart(SHOP);

            assertThat(operations.restartKeys()).containsExactly("canal.port");
        }
    }

    @Test
    void anInstanceThatHasNotChangedIsStartedWhileAKeyOfAllWaitsForARestartOfTheServer() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of(), AT_THE_END)) {
            server.start();
            Operations operations = server.server().operations();
            server.writeServer("canal.mq.flatMessage", "false");

            operations.restart(SHOP);

            assertThat(operations.restartKeys()).containsExactly("canal.mq.flatMessage");
            server.writeInstance(Map.of("canal.instance.memory.buffer.size", "1024"));
            assertThatThrownBy(() -> operations.restart(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("canal.mq.flatMessage has changed: restart the server");
        }
    }

    @Test
    void anInstanceThatIsNotConfiguredAnyMoreIsNotRemovedByAStart() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            operations.stop(SHOP);
            Files.createDirectories(server.directory().resolveSibling("second"));
            Files.copy(
                    server.directory().resolve("instance.properties"),
                    server.directory().resolveSibling("second").resolve("instance.properties"));
            server.writeServer("canal.destinations", "second");

            assertThatThrownBy(() -> operations.start(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("is not configured any more");

            assertThat(operations.destinations()).containsExactly(SHOP);
        }
    }

    @Test
    void twoStartsAtOnceGiveOneInstanceAndTheSecondFindsThatItRuns() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            SluiceServer running = server.server();
            Operations operations = running.operations();
            operations.stop(SHOP);
            List<Boolean> answers = Collections.synchronizedList(new ArrayList<>());
            Set<Instance> instances = Collections.synchronizedSet(new HashSet<>());
            CyclicBarrier both = new CyclicBarrier(2);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> {
                    try {
                        both.await();
                    } catch (InterruptedException | BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                    answers.add(operations.start(SHOP));
                    instances.add(operations.snapshot(SHOP).instance().orElseThrow());
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(answers).containsExactlyInAnyOrder(true, false);
            assertThat(instances).hasSize(1);
        }
    }

    @Test
    void anInstanceThatHasNotChangedAndCannotBeRestartedIsTriedOnceAndHasNoProblemOfItsConfiguration()
            throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            Path meta = server.directory().resolve("meta.dat");
            operations.stop(SHOP);
            Files.writeString(meta, "{");
            assertThatThrownBy(() -> operations.start(SHOP)).isInstanceOf(CommandRejectedException.class);

            assertThatThrownBy(() -> operations.restart(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("meta.dat")
                    .hasMessageNotContaining("the configuration before");

            assertThat(operations.snapshot(SHOP).problem()).isNull();
        }
    }

    @Test
    void anInstanceContinuesWithItsConfigurationIfNoneCanBeMadeOfTheNewOne() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"), AT_THE_END)) {
            server.start();
            Operations operations = server.server().operations();
            Path occupied = Files.createFile(server.directory().resolve("occupied"));
            server.writeInstance(Map.of("canal.file.data.dir", occupied.toString()));

            assertThat(operations.whileStopped(SHOP, next -> () -> {}))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.why())
                                    .contains("occupied")
                                    .contains("it continues with the configuration before"));
            assertContinues(operations);
            assertThatThrownBy(() -> operations.restart(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("occupied");
            assertContinues(operations);

            operations.stop(SHOP);
            assertThatThrownBy(() -> operations.start(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("occupied");
            assertThat(operations.snapshot(SHOP).instance()).isEmpty();
        }
    }

    private static void assertContinues(Operations operations) {
        InstanceSnapshot snapshot = operations.snapshot(SHOP);
        assertThat(snapshot.instance()).isPresent();
        assertThat(snapshot.problem()).contains("occupied");
    }

    /** As when the address of the source is corrected, and the instance is to begin at another position with that. */
    @Test
    void aCursorIsMovedToAPositionOfTheSourceWithWhichTheInstanceIsStarted() throws Exception {
        try (PulledServer server = new PulledServer(
                mysql, Map.of("canal.auto.scan", "false"), Map.of("canal.instance.master.address", "127.0.0.1:9"))) {
            server.start();
            Operations operations = server.server().operations();
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.t values (5)");
            server.writeInstance(Map.of("canal.instance.master.address", mysql.host() + ":" + mysql.port()));
            Instance runs = operations.snapshot(SHOP).instance().orElseThrow();

            assertThat(operations.whileStopped(SHOP, next -> {
                        PlannedMove move = plan(operations, before, next);
                        assertThat(operations.snapshot(SHOP).instance()).containsSame(runs);
                        return () -> move(operations, move);
                    }))
                    .isInstanceOf(Outcome.Done.class);

            assertThat(server.metaFile()).contains(before.file());
            assertDelivers(server, "5");
        }
    }

    /** As when the caller of a command that searches for minutes has given up, and has set the cursor by another one. */
    @Test
    void theCursorOfAStoppedInstanceIsNotMovedForACallerThatIsGoneOrOverAnotherChange() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            operations.stop(SHOP);
            BinlogEnd first = mysql.rotateBinlog();
            CursorTarget target = CursorTarget.parse(first.file() + ":" + first.offset());
            try (CursorAdmin admin = new CursorAdmin(operations.configuration(), Optional.empty())) {
                InstanceCursors cursors = admin.of(SHOP);
                List<Subscription> before = cursors.clients();

                assertThatThrownBy(() -> cursors.move(1001, target, false, false, () -> true))
                        .isInstanceOf(CursorRejectedException.class)
                        .hasMessageContaining("the caller has closed its connection");

                assertThat(cursors.clients()).isEqualTo(before);

                BinlogEnd second = mysql.rotateBinlog();
                PlannedMove newer = cursors.plan(
                        1001,
                        CursorTarget.parse(second.file() + ":" + second.offset()),
                        false,
                        operations.configuration().instances().get(0),
                        () -> false);
                assertThatThrownBy(() -> cursors.move(1001, target, false, false, () -> {
                            move(operations, newer);
                            return false;
                        }))
                        .isInstanceOf(CursorRejectedException.class)
                        .hasMessageContaining("have changed while the position was looked for");

                assertThat(cursors.clients())
                        .extracting(client -> client.cursor().position())
                        .containsExactly(newer.wanted().position());
            }
        }
    }

    private static PlannedMove plan(Operations operations, BinlogEnd position, InstanceConfig next) {
        try (CursorAdmin admin = CursorAdmin.ofRunner(operations.configuration(), "this server")) {
            CursorTarget target = CursorTarget.parse(position.file() + ":" + position.offset());
            return admin.of(SHOP).plan(1001, target, false, next, () -> false);
        } catch (CursorRejectedException e) {
            throw new CommandRejectedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void move(Operations operations, PlannedMove move) {
        try (CursorAdmin admin = new CursorAdmin(operations.configuration(), Optional.empty())) {
            admin.of(SHOP).move(move);
        } catch (CursorRejectedException e) {
            throw new CommandRejectedException(String.valueOf(e.getMessage()), e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"restart", "release", "cursor"})
    void theAnswerOfEachCommandThatRestartsNamesWhatOfTheServersConfigurationHasNoEffectYet(String verb)
            throws Exception {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Path access = server.directory().resolve("access");
            String token = TokenFile.add(access, "a", ControlRole.ADMINISTRATOR);
            try (ApiPort port = ApiPort.open(
                            new ControlConfig("127.0.0.1", 0, access, Map.of(), Optional.empty()),
                            server.server().operations(),
                            new LogFiles(server.directory()),
                            timer,
                            Time.SYSTEM)
                    .orElseThrow()) {
                server.writeServer("canal.port", "11111");
                String body = verb.equals("cursor") ? "{\"position\": \"oldest\", \"restart\": true}" : "";
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/api/v1/instances/%s/%s"
                                .formatted(port.address().getPort(), SHOP, verb)))
                        .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();

                HttpResponse<String> answer =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

                assertThat(answer.body()).contains("\"restartKeys\":[\"canal.port\"]", "\"serverProblem\":null");
            }
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void anInstanceThatIsStoppedWhileItIsToBeRestartedStaysStopped() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            server.beforeReading(() -> operations.stop(SHOP));
            server.writeInstance(Map.of("canal.instance.memory.buffer.size", "1024"));

            assertThatThrownBy(() -> operations.restart(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("was not restarted: it was stopped meanwhile");
            assertThat(operations.snapshot(SHOP).instance()).isEmpty();

            server.beforeReading(() -> {});
            assertThat(operations.start(SHOP)).isTrue();
            server.beforeReading(() -> operations.stop(SHOP));
            List<String> done = new ArrayList<>();
            assertThat(operations.whileStopped(SHOP, next -> () -> done.add("moved")))
                    .isInstanceOf(Outcome.Done.class);
            assertThat(done).hasSize(1);
            assertThat(operations.snapshot(SHOP).stopped()).isTrue();
            assertThat(operations.snapshot(SHOP).instance()).isEmpty();
        }
    }

    @Test
    void aLazyInstanceThatWaitsForAClientIsStartedAtThePositionThatItsFileHasGot() throws Exception {
        try (PulledServer server = new PulledServer(
                mysql, Map.of("canal.auto.scan", "false", "canal.instance.global.lazy", "true"), AT_THE_END)) {
            server.start();
            Operations operations = server.server().operations();
            BinlogEnd before = mysql.rotateBinlog();
            mysql.execute("insert into shop.t values (6)");
            server.writeInstance(at(before));
            assertThatThrownBy(() -> operations.restart(SHOP))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("does not run here");

            assertThat(operations.start(SHOP)).isTrue();

            assertDelivers(server, "6");
        }
    }

    @Test
    void whatKeepsAnInstanceFromRunningWhoseFileWasNeverRightIsTold() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.auto.scan", "false"))) {
            server.start();
            Operations operations = server.server().operations();
            Path folder = Files.createDirectories(server.directory().resolveSibling("second"));
            Path file = folder.resolve("instance.properties");
            Files.writeString(file, "canal.instance.memory.buffer.size = many");
            server.reload("canal.destinations", SHOP + ",second");

            server.writeServer("canal.zookeeper.session.timeout", "many");
            assertRefused(operations, "nothing of the configuration can be taken over", "session.timeout");
            server.writeServer("canal.zookeeper.session.timeout", "6000");
            server.writeServer("canal.destinations", SHOP);
            assertRefused(operations, "second cannot be started: it is not configured any more");
            server.reload("canal.destinations", SHOP + ",second");
            Files.copy(server.directory().resolve("instance.properties"), file, StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(folder.resolve("meta.dat"), "{");

            assertRefused(operations, "is right now and in force, but it cannot be started", "meta.dat");
        }
    }

    private static void assertRefused(Operations operations, String... why) {
        assertThatThrownBy(() -> operations.start("second"))
                .isInstanceOf(CommandRejectedException.class)
                .satisfies(refused -> assertThat(refused).hasMessageContainingAll(why));
    }

    /** As when it moves with the tables to an instance that is added. */
    @Test
    void aSchemaHistoryThatOneInstanceGivesUpIsFreeForOneThatIsAddedByTheSameReload() throws Exception {
        try (PulledServer server = new PulledServer(
                mysql,
                Map.of("canal.auto.scan", "false"),
                Map.of(
                        "canal.instance.tsdb.enable", "true",
                        "canal.instance.tsdb.url", "jdbc:sqlite:../history.sqlite"))) {
            server.start();
            Operations operations = server.server().operations();
            await().until(() -> SETTLED.contains(state(operations, SHOP)));
            Path folder = Files.createDirectories(server.directory().resolveSibling("added"));
            Files.copy(server.directory().resolve("instance.properties"), folder.resolve("instance.properties"));
            server.writeInstance(Map.of("canal.instance.tsdb.url", "jdbc:sqlite:../other.sqlite"));

            ReloadReport report = server.reload("canal.destinations", SHOP + ",added");

            assertThat(report.isComplete()).isTrue();
            assertThat(report.changed()).containsExactly(SHOP);
            for (String name : List.of(SHOP, "added")) {
                await().until(() -> SETTLED.contains(state(operations, name)));
                assertThat(state(operations, name)).as(name).isEqualTo(InstanceState.RUNNING);
            }
        }
    }

    private static InstanceState state(Operations operations, String destination) {
        return operations.snapshot(destination).instance().orElseThrow().state();
    }
}
