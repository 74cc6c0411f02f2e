package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.ConfigSource;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import io.sluice.server.control.ReloadReport;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which changes of the configuration are taken over, when, and what is said of the others. */
@Timeout(60)
class ReloadsTest {
    @TempDir
    Path home;

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Runnable> whileChanged = new ConcurrentHashMap<>();
    private final List<String> running = new CopyOnWriteArrayList<>(List.of("a", "b"));
    private final Map<String, String> problems = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private final Set<String> failed = new HashSet<>();
    private final Map<String, InstanceConfig> changedTo = new ConcurrentHashMap<>();
    private final HandTime time = new HandTime();

    /** How many more looks at the clock it takes until the limit of a command has passed; 0 if it does not by itself. */
    private final AtomicInteger hurry = new AtomicInteger();

    private final Time hurriedTime = new HurriedTime();
    private volatile Runnable whileRead = () -> {};
    private Reloads reloads;
    private @Nullable String serverProblem;
    private List<String> restartKeys = List.of();
    private @Nullable ServerConfig server;
    private String sourceProblem = "";
    private Configuration configuration;
    private Map<String, String> invalid = Map.of();
    private Map<String, String> pending = Map.of();

    @AutoClose
    private final LogLines log = LogLines.of(ReloadLog.class);

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(home.resolve("bin"));
        writeServer("");
        writeInstance("a", "");
        writeInstance("b", "");
        load();
    }

    private void load() throws Exception {
        configuration = ConfigLoader.load(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                Environment.ofThisProcess(),
                ProducerCheck.NONE);
        reloads = new Reloads(this::read, configuration, new Noted(), hurriedTime);
        reloads.look();
    }

    private final class HurriedTime implements Time {
        @Override
        public long nanos() {
            if (hurry.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
                time.passSeconds(30);
            }
            return time.nanos();
        }

        @Override
        public long millis() {
            return time.millis();
        }

        @Override
        public void sleep(Duration length) {
            time.sleep(length);
        }
    }

    private ReadConfiguration read() {
        whileRead.run();
        return ConfigLoader.read(
                        home.resolve("conf/canal.properties"),
                        home.resolve("bin"),
                        Environment.ofThisProcess(),
                        ProducerCheck.NONE)
                .with(sourceProblem);
    }

    private final class Noted implements ReloadTarget {
        @Override
        public void setServerProblem(@Nullable String problem) {
            serverProblem = problem;
        }

        @Override
        public void setRestartKeys(List<String> keys) {
            restartKeys = keys;
        }

        @Override
        public Optional<InstanceConfig> inForce(String destination) {
            return configuration.instances().stream()
                    .filter(config -> config.destination().equals(destination) && running.contains(destination))
                    .findFirst();
        }

        @Override
        public boolean hasFailed(String destination) {
            return failed.contains(destination);
        }

        @Override
        public void setInvalid(Map<String, String> problems) {
            invalid = Map.copyOf(problems);
        }

        @Override
        public void setPending(Map<String, String> reasons) {
            pending = Map.copyOf(reasons);
        }

        @Override
        public void setServer(ServerConfig config) {
            server = config;
        }

        @Override
        public List<String> destinations() {
            return List.copyOf(running);
        }

        @Override
        public @Nullable String add(InstanceConfig config) {
            calls.add("add " + config.destination());
            running.add(config.destination());
            RuntimeException failure = failures.get(config.destination());
            return failure == null ? null : failure.getMessage();
        }

        @Override
        public Outcome change(InstanceConfig config) {
            calls.add("change " + config.destination());
            whileChanged.getOrDefault(config.destination(), () -> {}).run();
            changedTo.put(config.destination(), config);
            RuntimeException failure = failures.get(config.destination());
            if (failure != null) {
                throw failure;
            }
            return new Outcome.Done(true);
        }

        @Override
        public void started() {
            calls.add("started");
        }

        @Override
        public void remove(String destination) {
            calls.add("remove " + destination);
            running.remove(destination);
            whileChanged.getOrDefault(destination, () -> {}).run();
        }

        @Override
        public void instancesRemoved() {
            calls.add("removed");
        }

        @Override
        public void setProblem(String destination, @Nullable String problem) {
            problems.put(destination, problem);
        }
    }

    @Test
    void aSourceThatCannotBeAskedChangesNothingAndIsOneProblemOfTheServerUntilItCan() {
        sourceProblem = "the admin server is unreachable";

        reloads.look();
        ReloadReport report = reloads.reload(null);

        assertThat(calls).isEmpty();
        assertThat(problems.values()).containsOnlyNulls();
        assertThat(serverProblem).isEqualTo("the admin server is unreachable");
        assertThat(report.serverProblems()).containsExactly("the admin server is unreachable");
        sourceProblem = "";
        reloads.look();
        reloads.look();
        assertThat(serverProblem).isNull();
    }

    /** The source may know it by the server's former text only. */
    @Test
    void whatWasTakenOverAloneIsNotTakenBackWhileTheSourceCannotBeAsked() throws IOException {
        String other = "canal.instance.filter.black.regex = unused\\\\.t";
        writeInstance("a", other);
        writeInstance("b", other);
        writeInstance("c", "");
        reloads.reload(null);
        Path b = home.resolve("conf/b/instance.properties");
        Files.delete(b);
        writeInstance("a", "");
        List.of("a", "b").forEach(reloads::reload);
        calls.clear();
        writeInstance("a", other);
        writeInstance("b", other);
        writeInstance("c", other);
        sourceProblem = "the admin server is unreachable";

        reloads.look();
        reloads.look();
        reloads.reload("b");

        assertThat(calls).as("secrets may change meanwhile").containsExactly("change c");
        assertThat(reloads.reload("a").changed()).containsExactly("a");
        assertThat(calls).containsExactly("change c", "change a");
        assertThat(changedTo.get("a")).isSameAs(configuration.instances().get(0));
        sourceProblem = "";
        reloads.reload(null);
        assertThat(calls).containsExactly("change c", "change a", "change a", "add b");
    }

    @Test
    void oneThatWasNeverRightIsToldUntilItIsRightOrGone() throws IOException {
        writeInstance("c", "canal.instance.memory.buffer.size = many");
        reloads.reload(null);
        assertThat(invalid).containsOnlyKeys("c");
        assertThat(invalid.get("c")).contains("canal.instance.memory.buffer.size");
        assertThat(calls).isEmpty();

        reloads.reload("a");
        assertThat(invalid).as("after a look at another").containsOnlyKeys("c");
        writeInstance("c", "");
        reloads.reload("c");
        assertThat(calls).containsExactly("change a", "add c");
        assertThat(invalid).isEmpty();
    }

    @Test
    void whatWasWrongAtTheStartIsToldBeforeTheFirstLook() {
        Problem problem =
                new Problem(PropertiesFile.empty(home.resolve("a file")).origin(), "canal.x", "y", "must be z");
        Reloads started = new Reloads(
                new ConfigSource() {
                    @Override
                    public ReadConfiguration read() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public Map<String, List<Problem>> problemsAtStart() {
                        return Map.of("a", List.of(problem), "c", List.of(problem));
                    }
                },
                configuration,
                new Noted(),
                time);

        assertThat(started).isNotNull();
        assertThat(problems).containsEntry("a", problem.toString());
        assertThat(invalid).isEqualTo(Map.of("c", problem.toString()));
    }

    @Test
    void anInstanceWhoseFilterAcceptsOtherTablesIsNamed() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
        writeInstance("b", "canal.mq.retry.pause.first = 200");
        writeInstance("c", "canal.instance.filter.black.regex = unused\\\\.t");

        ReloadReport report = reloads.reload(null);

        assertThat(report.changed()).containsExactly("a", "b");
        assertThat(report.added()).containsExactly("c");
        assertThat(report.otherTables()).containsExactly("a");
    }

    @Test
    void aFileThatIsHalfWrittenAtOneLookChangesNothing() throws IOException {
        Path file = home.resolve("conf/b/instance.properties");
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, whole.indexOf("canal.instance.filter.regex")));
        reloads.look();
        Files.writeString(file, whole);
        reloads.look();
        reloads.look();

        assertThat(calls).isEmpty();
    }

    @Test
    void theSourceLearnsWhatIsTakenOverAndNotWhatIsFoundOnce() throws IOException {
        List<String> taken = new ArrayList<>();
        ConfigSource files = () -> ConfigLoader.read(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                Environment.ofThisProcess(),
                ProducerCheck.NONE);
        Reloads told = new Reloads(
                new ConfigSource() {
                    @Override
                    public ReadConfiguration read() {
                        return files.read();
                    }

                    @Override
                    public void takenOver(@Nullable String only) {
                        taken.add(only == null ? "all" : only);
                    }
                },
                configuration,
                new Noted(),
                time);
        writeInstance("c", "");

        told.look();
        assertThat(taken).isEmpty();
        told.look();
        assertThat(taken).containsExactly("all");
        told.reload(null);
        told.reload("a");
        assertThat(taken).containsExactly("all", "all", "a");
        writeServer("canal.port = many");
        told.reload(null);
        assertThat(taken).as("nothing is taken over").hasSize(3);
        writeServer("canal.mq.flatMessage = false");
        told.reload("a");
        assertThat(taken).as("it may need the server's new configuration").hasSize(3);
        told.reload(null);
        assertThat(taken).as("a restart takes it over").containsExactly("all", "all", "a", "all");
    }

    @Test
    void aFileThatIsAwayAtOneLookRemovesNothing() throws IOException {
        Path file = home.resolve("conf/b/instance.properties");
        String whole = Files.readString(file);
        Files.delete(file);
        reloads.look();
        Files.writeString(file, whole);
        reloads.look();
        assertThat(calls).isEmpty();

        Files.delete(file);
        reloads.look();
        reloads.look();
        assertThat(calls).containsExactly("remove b", "removed");
    }

    /** It may be corrected, as the server would be kept up for it if the others did not run either. */
    @Test
    void aServerIsNotAskedToEndAfterARemovalWhileAnInstanceThatIsNamedIsWrong() throws IOException {
        Files.delete(home.resolve("conf/b/instance.properties"));
        Files.createDirectories(home.resolve("conf/c"));
        Files.writeString(home.resolve("conf/c/instance.properties"), "canal.instance.memory.buffer.size = 3\n");

        reloads.look();
        reloads.look();

        assertThat(invalid).containsOnlyKeys("c");
        assertThat(calls).containsExactly("remove b");
    }

    @Test
    void anInstanceIsRemovedThoughTheServersFileHasAKeyOfIt() throws IOException {
        writeServer("canal.instance.b.lazy = false");
        reloads.look();
        reloads.look();
        calls.clear();

        Files.delete(home.resolve("conf/b/instance.properties"));
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("remove b", "removed");
        assertThat(serverProblem).isNull();
    }

    @Test
    void aNamedInstanceWhoseFolderIsGoneIsRemovedWithAWarningAndAddedWhenItIsBack() throws IOException {
        writeServer("canal.destinations = a, b");
        Path folder = home.resolve("conf/b");
        Path aside = home.resolve("aside");
        reloads.look();
        reloads.look();
        log.clear();

        Files.move(folder, aside);
        reloads.look();
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("remove b", "removed");
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("has no file, and does not run until it has one", "instance=b", "conf/b/instance.properties");
        Files.move(aside, folder);
        reloads.look();
        reloads.look();
        assertThat(calls).containsExactly("remove b", "removed", "add b");
    }

    @Test
    void aRenamedFolderRemovesTheNamedInstanceBeforeTheOtherIsAdded() throws IOException {
        writeServer("canal.destinations = a, b");
        Files.move(home.resolve("conf/b"), home.resolve("conf/renamed"));
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("remove b", "add renamed", "removed");
    }

    /** As when the file system of the directory is not mounted. */
    @Test
    void nothingIsRemovedIfAllNamedInstancesAreGone() throws IOException {
        writeServer("canal.destinations = a, b");
        Files.delete(home.resolve("conf/a/instance.properties"));
        Files.delete(home.resolve("conf/b/instance.properties"));
        reloads.look();
        reloads.look();

        assertThat(calls).isEmpty();
        assertThat(serverProblem).contains("conf/a/instance.properties", "conf/b/instance.properties");
    }

    @Test
    void aFileThatCannotBeSeenKeepsTheInstance() throws IOException {
        writeServer("canal.destinations = a, b");
        Path file = home.resolve("conf/b/instance.properties");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("instance.properties")); // a loop
        reloads.look();
        reloads.look();

        assertThat(calls).isEmpty();
        assertThat(problems.get("b")).contains("conf/b/instance.properties", "the file cannot be read");
    }

    @Test
    void aChangeThatTwoLooksHaveFoundIsTakenOverOnce() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
        reloads.look();
        assertThat(calls).isEmpty();
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("change a");
    }

    /** As canal restarts any instance then. */
    @Test
    void anInstanceThatHasFailedIsMadeAgainWhenItsFileIsTouchedAndOneThatRunsIsNot() throws IOException {
        failed.add("a");
        touch("a", 1);
        touch("b", 1);
        reloads.look();
        assertThat(calls).isEmpty();
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("change a");
        assertThat(lines()).containsOnlyOnce("instance=b").contains("the same values");
        reloads.reload("b");
        assertThat(calls).containsExactly("change a", "change b");
        failed.add("b");
        reloads.look();
        reloads.look();
        assertThat(calls).as("touched before it failed").containsExactly("change a", "change b");
    }

    @Test
    void oneWhoseFileIsWrongIsNotSaidToHaveTheSameValues() throws IOException {
        writeInstance("a", "canal.instance.fooo = 1");
        touch("a", 1);

        reloads.reload(null);

        assertThat(lines()).contains("canal.instance.fooo").doesNotContain("the same values");
    }

    private void touch(String instance, int second) throws IOException {
        Files.setLastModifiedTime(
                home.resolve("conf").resolve(instance).resolve("instance.properties"),
                FileTime.fromMillis(second * 1000L));
    }

    private String lines() {
        return String.join("\n", log.texts());
    }

    /** The lines that canal writes, and scripts look for. */
    @Test
    void whatALookHasTakenOverIsLoggedInCanalsWords() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
        Files.delete(home.resolve("conf/b/instance.properties"));
        writeInstance("c", "");
        reloads.look();
        assertThat(lines()).doesNotContain("auto notify");

        reloads.look();

        assertThat(lines())
                .contains(
                        "auto notify stop b successful",
                        "auto notify reload a successful",
                        "auto notify start c successful");
    }

    @Test
    void aReloadOfOneSaysNothingOfOthersThatAreWrong() throws IOException {
        writeInstance("b", "canal.instance.fooo = 1");
        reloads.reload(null);
        assertThat(lines()).containsOnlyOnce("canal.instance.fooo");

        reloads.reload("a");
        reloads.reload(null);

        assertThat(lines())
                .containsOnlyOnce("canal.instance.fooo")
                .doesNotContain("all of the configuration is in force");
    }

    /** A key that is not set has a default; one that is blank is an account without a password. */
    @Test
    void aPasswordThatBecomesBlankIsAChangeAndSoIsItsRemoval() throws IOException {
        writeInstance("a", "canal.instance.dbPassword =");
        reloads.reload(null);
        assertThat(calls).containsExactly("change a");

        calls.clear();
        writeInstance("a", "");
        reloads.reload(null);
        assertThat(calls).containsExactly("change a");
    }

    @Test
    void oneThatFailsKeepsNoOtherFromBeingTakenOverAndIsToldUntilItIsChanged() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
        writeInstance("b", "canal.instance.filter.black.regex = unused\\\\.t");
        failures.put("a", new IllegalStateException("no broker now"));

        assertThat(reloads.reload(null).changed()).containsExactly("b");
        ReloadReport again = reloads.reload(null);

        assertThat(calls).containsExactlyInAnyOrder("change a", "change b");
        assertThat(again.refused()).containsEntry("a", List.of("no broker now"));
        assertThat(problems.get("a")).isEqualTo("no broker now");
        failures.clear();
        writeInstance("a", "");
        assertThat(reloads.reload(null).isComplete()).isTrue();
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void oneThatCannotBeStartedWhenItIsAddedIsReportedOnceSinceItsConfigurationIsInForce() throws IOException {
        writeInstance("c", "");
        failures.put("c", new IllegalStateException("no broker now"));

        ReloadReport report = reloads.reload(null);
        assertThat(report.isComplete()).isFalse();
        assertThat(report.refused()).containsEntry("c", List.of("no broker now"));
        assertThat(problems.get("c")).isNull();

        assertThat(reloads.reload(null).isComplete()).isTrue();
        assertThat(calls).containsExactly("add c");
        assertThat(problems.get("c")).isNull();
    }

    @Test
    void aKeyOfTheServerThatInstancesAreMadeOfHoldsAllChangesBack() throws IOException {
        writeServer("canal.mq.flatMessage = false");
        writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");

        ReloadReport report = reloads.reload(null);

        assertThat(report.isComplete()).isFalse();
        assertThat(report.serverProblems())
                .singleElement()
                .asString()
                .contains("canal.mq.flatMessage", "restart the server");
        assertThat(calls).isEmpty();
    }

    /** Also of a look, which no operator sees the report of. */
    @Test
    void keysThatWaitForARestartAreNotedUntilTheyAreAsTheyWere() throws IOException {
        writeServer("canal.health.stall.timeout = 1234");
        reloads.look();
        reloads.look();
        assertThat(restartKeys).containsExactly("canal.health.stall.timeout");
        assertThat(serverProblem).isNull();

        writeServer("");
        reloads.look();
        reloads.look();
        assertThat(restartKeys).isEmpty();
    }

    @Test
    void aReplicaIdThatIsTakenStartsNoNewInstanceAndLeavesTheOld() throws IOException {
        writeInstance("b", "canal.instance.mysql.slaveId = 4711");
        reloads.reload(null);
        calls.clear();
        writeInstance("aa", "canal.instance.mysql.slaveId = 4711");

        ReloadReport report = reloads.reload(null);

        assertThat(calls).isEmpty();
        assertThat(report.refused()).containsOnlyKeys("aa", "b");
    }

    @Test
    void whereAlarmsArePostedIsTakenOverAndAWrongUrlHoldsAllBack() throws IOException {
        writeServer("canal.alarm.webhook.url = https://h/1");
        ReloadReport report = reloads.reload(null);
        assertThat(report.restartKeys()).isEmpty();
        assertThat(server.alarms().webhooks()).hasSize(1);
        assertThat(serverProblem).isNull();

        writeServer("canal.alarm.webhook.url = h");
        reloads.reload(null);
        assertThat(serverProblem).contains("canal.alarm.webhook.url");

        writeServer("");
        reloads.reload(null);
        assertThat(serverProblem).isNull();
        assertThat(server.alarms().webhooks()).isEmpty();
        assertThat(calls).isEmpty();
    }

    /** Rows of the second table would pass, and nothing else would say why. */
    @Test
    void aWarningOfAChangedConfigurationIsLoggedAndReportedOnce() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = shop\\\\.t, shop\\\\.u");

        ReloadReport report = reloads.reload(null);

        assertThat(report.changed()).containsExactly("a");
        assertThat(report.isComplete()).isTrue();
        assertThat(report.warnings())
                .singleElement()
                .asString()
                .contains("the blank beside a comma belongs to the expression", "shop\\.u");
        assertThat(warningsOfLog())
                .containsExactly("the configuration does not work as written: "
                        + report.warnings().get(0));
        assertThat(reloads.reload("b").warnings()).isEmpty();
        writeInstance("a", "");
        assertThat(reloads.reload(null).warnings()).isEmpty();
        assertThat(warningsOfLog()).hasSize(1);
    }

    @Test
    void aWarningOfTheStartIsNotRepeatedAndOneOfALookIsLogged() throws Exception {
        writeInstance("b", "canal.instance.filter.black.regex = shop\\\\.t, shop\\\\.u");
        load();
        assertThat(configuration.warnings()).hasSize(1);
        assertThat(warningsOfLog()).isEmpty();

        writeInstance("a", "canal.instance.filter.black.regex = shop\\\\.v, shop\\\\.w");
        reloads.look();
        assertThat(warningsOfLog())
                .as("the file may be in the middle of being written")
                .isEmpty();
        reloads.look();
        reloads.look();

        assertThat(warningsOfLog()).singleElement().asString().contains("shop\\.w");
    }

    private List<String> warningsOfLog() {
        return log.warnings();
    }

    /** Each may take half a minute, if its broker does not answer. */
    @Test
    void instancesAreChangedAtTheSameTimeAndBeforeOthersAreAdded() throws IOException {
        String other = "canal.instance.filter.black.regex = unused\\\\.t";
        List.of("a", "b").forEach(name -> whileChanged.put(name, () -> await("change a", "change b")));
        writeInstance("a", other);
        writeInstance("b", other);
        writeInstance("zz", "");

        ReloadReport report = reloads.reload(null);

        assertThat(calls).contains("change a", "change b").endsWith("add zz").hasSize(3);
        assertThat(report.changed()).containsExactly("a", "b");
        assertThat(report.otherTables()).containsExactly("a", "b");
        assertThat(report.added()).containsExactly("zz");
    }

    /** One that follows may deliver the same tables. */
    @Test
    void instancesAreRemovedAtTheSameTimeAndBeforeOthersAreAdded() throws IOException {
        List.of("a", "b").forEach(name -> whileChanged.put(name, () -> await("remove a", "remove b")));
        Files.delete(home.resolve("conf/a/instance.properties"));
        Files.delete(home.resolve("conf/b/instance.properties"));
        writeInstance("c", "");

        ReloadReport report = reloads.reload(null);

        assertThat(calls).hasSize(4).contains("remove a", "remove b").endsWith("add c", "removed");
        assertThat(report.removed())
                .as("neither has waited in vain for the other")
                .containsExactly("a", "b");
        assertThat(report.refused()).isEmpty();
    }

    @Test
    void oneThatHasNotStoppedInGoodOrderWhenItWasRemovedIsReported() throws IOException {
        whileChanged.put("b", () -> {
            throw new StackOverflowError("too deep");
        });
        Files.delete(home.resolve("conf/b/instance.properties"));
        reloads.look();

        reloads.look();

        assertThat(lines()).doesNotContain("auto notify stop b");
        writeInstance("b", "");
        whileChanged.remove("b");
        running.add("b");
        Files.delete(home.resolve("conf/a/instance.properties"));
        whileChanged.put("a", () -> {
            throw new IllegalStateException("the candidacy does not end");
        });

        ReloadReport report = reloads.reload(null);

        assertThat(report.removed()).isEmpty();
        assertThat(report.isComplete()).isFalse();
        assertThat(report.refused().get("a"))
                .singleElement()
                .asString()
                .contains("did not stop in good order", "the candidacy does not end");
    }

    @Test
    void anErrorInOneChangeKeepsNoOtherFromBeingMade() throws IOException {
        String other = "canal.instance.filter.black.regex = unused\\\\.t";
        writeInstance("a", other);
        writeInstance("b", other);
        whileChanged.put("a", () -> {
            throw new OutOfMemoryError("no thread");
        });

        ReloadReport report = reloads.reload(null);

        assertThat(report.changed()).containsExactly("b");
        assertThat(report.refused()).isEqualTo(Map.of("a", List.of("no thread")));
    }

    private void await(String... others) {
        Awaitility.await().until(() -> calls.containsAll(List.of(others)));
    }

    /** As a link into a directory that may not be searched any more, or a mount that has become stale. */
    @Test
    void anInstanceThatTheScanFoundRunsOnWhileItsFolderCannotBeLookedAt() throws Exception {
        ConfigReader reader = new ConfigReader(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                Environment.ofThisProcess(),
                ProducerCheck.NONE,
                Time.SYSTEM); // which knows what it has read before
        configuration = reader.start();
        reloads = new Reloads(reader, configuration, new Noted(), time);
        reloads.look();
        Path folder = home.resolve("conf/b");
        Path aside = Files.move(folder, home.resolve("aside"));
        Files.createSymbolicLink(folder, Path.of("b")); // a loop
        reloads.look();
        reloads.look();

        assertThat(calls).isEmpty();
        assertThat(problems.get("b")).contains("conf/b/instance.properties", "the file cannot be read");

        Files.delete(folder);
        Files.move(aside, folder);
        reloads.look();
        reloads.look();
        assertThat(calls).isEmpty();
        assertThat(problems.get("b")).isNull();
    }

    @Test
    void anInstanceThatTheScanFoundIsRemovedIfItsFolderBecomesAFile() throws IOException {
        Path folder = home.resolve("conf/b");
        Files.move(folder, home.resolve("aside"));
        Files.writeString(folder, "");
        reloads.look();
        reloads.look();

        assertThat(calls).containsExactly("remove b", "removed");
    }

    private void writeServer(String line) throws IOException {
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.auto.scan = true
                canal.destinations =
                canal.instance.master.address = db:3306
                canal.mq.topic = any
                %s
                """.formatted(line));
    }

    private void writeInstance(String name, String line) throws IOException {
        Files.createDirectories(home.resolve("conf").resolve(name));
        Files.writeString(home.resolve("conf").resolve(name).resolve("instance.properties"), """
                canal.mq.topic = %s
                canal.instance.filter.regex = shop\\\\.orders
                %s
                """.formatted(name, line));
    }

    @Test
    void anInstanceWhoseFileHasNotChangedIsStartedWithWhatIsInForce() throws Exception {
        writeInstance("a", "canal.mq.dynamicTopic = shop\\\\..*");
        load();
        InstanceConfig inForce = configuration.instances().get(0);

        InstanceConfig started = reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(started).isSameAs(inForce);
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void anInstanceWhoseFileHasChangedIsStartedWithWhatItSays() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        InstanceConfig started = reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(started).isNotEqualTo(configuration.instances().get(0));
    }

    @Test
    void anInstanceThatCouldNotBeStartedWithItsNewFileHasAProblemAndIsNotTriedAgainByALook() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        reloads.start("a", "a start of a", (config, wait) -> "no room", failure -> failure);

        assertThat(problems).containsEntry("a", "no room");
        calls.clear();
        reloads.look();
        reloads.look();
        assertThat(calls).noneMatch(call -> call.contains("change a"));
        assertThat(problems).containsEntry("a", "no room");
    }

    /** What is under way in another thread, until it is released. */
    private static final class Held implements AutoCloseable {
        private final CountDownLatch isHeld = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> task;

        Held(Consumer<Runnable> task) throws InterruptedException {
            this.task = thread.submit(() -> task.accept(this::hold));
            isHeld.await();
        }

        private void hold() {
            isHeld.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void release() throws Exception {
            released.countDown();
            task.get();
        }

        @Override
        public void close() throws Exception {
            release();
            thread.shutdownNow();
        }
    }

    private Held changing(String destination) throws Exception {
        writeInstance(destination, "canal.instance.filter.black.regex = unused\\\\.t");
        return new Held(hold -> {
            whileChanged.put(destination, hold);
            reloads.reload(null);
        });
    }

    private Held starting(String destination) throws Exception {
        return new Held(hold -> reloads.start(destination, "a start of " + destination, (config, wait) -> {
            hold.run();
            return true;
        }));
    }

    private void assertRefused(ThrowingCallable command, String... why) {
        hurry.set(2);
        assertThatThrownBy(command)
                .isInstanceOf(CommandRejectedException.class)
                .satisfies(refused -> assertThat(refused).hasMessageContainingAll(why));
    }

    @Test
    void instancesAreStartedAndReloadedWhileAReloadWaitsForAnotherOne() throws Exception {
        try (Held held = changing("a")) {
            assertThat(reloads.<String>start("b", "a start of b", (config, wait) -> config.destination()))
                    .isEqualTo("b");
            assertThat(reloads.reload("b").changed()).containsExactly("b");

            assertThat(held.task).isNotDone();
        }
    }

    @Test
    void aCommandForAnInstanceThatIsBeingChangedIsGivenUpAndNotCarriedOutLater() throws Exception {
        AtomicBoolean isRun = new AtomicBoolean();
        try (Held held = changing("a")) {
            assertRefused(
                    () -> reloads.start("a", "a start of a", (config, wait) -> isRun.getAndSet(true)),
                    "a is being changed: by a reload, for 30 s");
            assertRefused(() -> reloads.reload("a"), "a is being changed: by a reload");
        }
        try (Held held = starting("b")) {
            assertRefused(() -> reloads.reload("b"), "b is being changed: by a start of b");
            assertRefused(() -> reloads.add("b"), "b is being changed: by a start of b");
        }

        assertThat(isRun).isFalse();
        assertThat(calls).filteredOn(call -> call.startsWith("change")).containsExactly("change a");
    }

    @Test
    void aStartIsCarriedOutWhenTheReloadOfItsInstanceHasEnded() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Held held = changing("a")) {
            Thread[] starter = new Thread[1];
            CountDownLatch isBegun = new CountDownLatch(1);
            Future<?> start = threads.submit(() -> {
                starter[0] = Thread.currentThread();
                isBegun.countDown();
                reloads.start("a", "a start of a", (config, wait) -> order.add("start"));
            });
            isBegun.await();
            Awaitility.await().until(() -> starter[0].getState() == Thread.State.TIMED_WAITING);
            order.add("reload ends");
            held.release();
            start.get();
        } finally {
            threads.shutdownNow();
        }

        assertThat(order).containsExactly("reload ends", "start");
    }

    @Test
    void aCommandBehindALongReadingIsGivenUp() throws Exception {
        AtomicBoolean isRun = new AtomicBoolean();
        try (Held held = new Held(hold -> {
            whileRead = hold;
            reloads.look();
        })) {
            whileRead = () -> {};
            assertRefused(
                    () -> reloads.start("a", "a start of a", (config, wait) -> isRun.getAndSet(true)),
                    "the configuration is being read: by automatic scanning, for");
            assertRefused(() -> reloads.reload("a"), "the configuration is being read");
        }

        assertThat(isRun).isFalse();
        assertThat(reloads.reload("a").changed()).as("nothing is left of them").containsExactly("a");
    }

    @Test
    void aCommandWhoseOwnReadingTakesTooLongIsNotCarriedOut() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");
        whileRead = () -> time.passSeconds(26);

        assertThatThrownBy(() -> reloads.start("a", "a start of a", (config, wait) -> fail("it was run")))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("it took too long to read the configuration");
        assertThatThrownBy(() -> reloads.reload(null)).isInstanceOf(CommandRejectedException.class);

        assertThat(calls).isEmpty();
        whileRead = () -> {};
        assertThat(reloads.reload(null).changed()).as("it was not tried").containsExactly("a");
    }

    /** Of many instances at a slow admin server. */
    @Test
    void aReadingThatTakesLongerThanOthersAreWaitedForIsUsed() {
        whileRead = () -> time.passSeconds(24);

        assertThat(reloads.<String>start("a", "a start of a", (config, wait) -> config.destination()))
                .isEqualTo("a");
    }

    /** As when all instances are started at the same time. */
    @Test
    void commandsThatWaitForAReadingShareTheNextOne() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        List<String> started = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(7);
        try (Held held = new Held(hold -> {
            whileRead = () -> {
                readings.incrementAndGet();
                hold.run();
            };
            reloads.start("a", "a start of a", (config, wait) -> started.add("a"));
        })) {
            whileRead = readings::incrementAndGet;
            List<Thread> waiting = new CopyOnWriteArrayList<>();
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                String name = "c" + i;
                writeInstance(name, "");
                starts.add(threads.submit(() -> {
                    waiting.add(Thread.currentThread());
                    reloads.start(name, "a start of " + name, (config, wait) -> started.add(name));
                }));
            }
            Awaitility.await()
                    .until(() -> waiting.size() == 7
                            && waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            held.release();
            for (Future<?> start : starts) {
                start.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(started).hasSize(8);
        assertThat(readings)
                .as("that of the first, and one for those that came meanwhile")
                .hasValue(2);
        whileRead = readings::incrementAndGet;
        reloads.start("a", "a start of a", (config, wait) -> true);
        assertThat(readings).as("a later one reads again").hasValue(3);
    }

    @Test
    void anInstanceCanBeStartedAsSoonAsAReloadHasChangedItThoughOthersAreStillChanged() throws Exception {
        writeInstance("b", "canal.instance.filter.black.regex = unused\\\\.t");
        try (Held held = changing("a")) {
            Awaitility.await().until(() -> changedTo.containsKey("b"));
            assertThat(reloads.<String>start("b", "a start of b", (config, wait) -> config.destination()))
                    .isEqualTo("b");
            assertThatThrownBy(() -> reloads.start("b", "a start of b", (config, wait) -> {
                        throw new IllegalStateException("no room");
                    }))
                    .hasMessage("no room");

            assertThat(held.task).isNotDone();
        }
        assertThat(problems.get("a")).isNull();
    }

    /** It may read the same tables, or with the same replica id. */
    @Test
    void whatIsAddedWaitsForAnInstanceThatIsToBeRemovedAndIsBeingStarted() throws Exception {
        writeServer("canal.destinations = a, b");
        try (Held held = starting("b")) {
            Files.move(home.resolve("conf/b"), home.resolve("conf/renamed"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();

            hurry.set(2);
            ReloadReport report = reloads.reload(null);
            assertThat(calls).isEmpty();
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused()).containsOnlyKeys("b", "renamed");
            assertThat(report.serverProblems())
                    .hasSize(2)
                    .allSatisfy(problem -> assertThat(problem).contains("is not in force yet"));
        }

        reloads.look();

        assertThat(calls).endsWith("remove b", "add renamed", "removed");
    }

    /** The renamed one must not be stopped without its successor. */
    @Test
    void whatIsRemovedWaitsWithWhatIsAddedForAnotherInstance() throws Exception {
        writeServer("canal.destinations = a, b");
        try (Held held = starting("a")) {
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            Files.move(home.resolve("conf/b"), home.resolve("conf/renamed"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();
        }
        reloads.look();
        assertThat(calls).endsWith("remove b", "change a", "add renamed", "removed");
    }

    /** Its tables may be those of the one that is changed now. */
    @Test
    void whatIsChangedWaitsWithWhatIsRemovedForAnotherInstance() throws Exception {
        writeInstance("c", "");
        reloads.reload(null);
        calls.clear();
        try (Held held = starting("c")) {
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            Files.delete(home.resolve("conf/b/instance.properties"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();
            assertThat(log.texts())
                    .anyMatch(line -> line.contains("the newest configuration of a is not in force yet"));
        }
        reloads.look();
        assertThat(calls).containsSubsequence("remove b", "change a", "removed");
    }

    /** It was removed with one table, which another one gets meanwhile. */
    @Test
    void whatIsAddedWaitsForTheRemovalOfOneThatIsAddedAgain() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            writeInstance("b", "");
            writeInstance("c", "");
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("remove b");
        }
        reloads.look();
        assertThat(calls).contains("change a", "add b", "add c");
    }

    @Test
    void oneThatIsToBeAddedIsPendingWithTheReasonUntilItIsAddedOrNotConfiguredAnyMore() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            assertThat(pending).isEmpty();
            writeInstance("c", "");
            reloads.look();
            reloads.look();
            assertThat(pending).containsOnlyKeys("c");
            assertThat(pending.get("c"))
                    .contains("b is being changed: by a reload", "canal.auto.scan adds it")
                    .doesNotContain("repeat");
            writeInstance("b", "");
            hurry.set(2);
            assertThat(reloads.reload(null).isComplete()).isFalse();
            assertThat(pending).containsOnlyKeys("b", "c");
            assertThat(pending.get("c"))
                    .contains("by the last reload", "sluice.sh start c")
                    .doesNotContain("repeat");
            Files.delete(home.resolve("conf/c/instance.properties"));
            Files.delete(home.resolve("conf/c"));
            reloads.look();
            reloads.look();
            assertThat(pending).containsOnlyKeys("b");
        }
        assertThat(calls).doesNotContain("add b");

        reloads.look();

        assertThat(calls).contains("add b").doesNotContain("add c");
    }

    @Test
    void oneThatIsAddedAfterOthersOfTheSameReloadAreRemovedIsPendingMeanwhile() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        writeInstance("c", "");
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            assertThat(pending).containsOnlyKeys("c");
            assertThat(calls).doesNotContain("add c");
        }
        reloads.reload(null);

        assertThat(pending).isEmpty();
    }

    /** It is in no list any more, and may read its source still. */
    @Test
    void whatIsAddedWaitsForAnInstanceThatIsBeingRemoved() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            writeInstance("c", "");
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("remove b");
        }
        reloads.look();
        assertThat(calls).contains("add c");
    }

    @Test
    void aConfigurationThatAReloadCouldNotPutIntoForceIsAProblemUntilItIs() throws Exception {
        String other = "canal.instance.filter.black.regex = unused\\\\.t";
        try (Held held = starting("a")) {
            writeInstance("a", other);
            hurry.set(2);
            reloads.reload(null);
            assertThat(problems.get("a")).contains("not in force yet", "a is being changed: by a start of a");
        }
        assertThat(problems.get("a")).as("the start has read the former one").contains("not in force yet");
        reloads.reload(null);

        assertThat(calls).endsWith("change a");
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void aWrongFileOfAnInstanceThatIsBeingChangedIsReported() throws Exception {
        try (Held held = starting("a")) {
            writeInstance("a", "canal.instance.memory.buffer.size = many");
            hurry.set(2);
            ReloadReport report = reloads.reload(null);
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused()).containsOnlyKeys("a");
        }
    }

    @Test
    void theEndOfAReloadLeavesWhatALaterOneHasFoundToBeWrong() throws Exception {
        try (Held held = changing("a")) {
            writeInstance("c", "canal.instance.memory.buffer.size = many");
            reloads.reload("c");
            assertThat(invalid).containsOnlyKeys("c");
        }
        assertThat(invalid).containsOnlyKeys("c");
    }

    @Test
    void aLookLeavesAnInstanceThatIsBeingStartedAndTakesTheOthers() throws Exception {
        try (Held held = starting("a")) {
            String other = "canal.instance.filter.black.regex = unused\\\\.t";
            writeInstance("a", other);
            writeInstance("b", other);
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("change b");
        }
        calls.clear();

        reloads.look();

        assertThat(calls).containsExactly("change a");
    }

    @Test
    void aReloadTakesOverTheOthersAndNamesAnInstanceThatIsBeingChangedForLong() throws Exception {
        try (Held held = starting("a")) {
            String other = "canal.instance.filter.black.regex = unused\\\\.t";
            writeInstance("a", other);
            writeInstance("b", other);
            hurry.set(2);

            ReloadReport report = reloads.reload(null);

            assertThat(report.changed()).containsExactly("b");
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused().get("a"))
                    .singleElement()
                    .asString()
                    .contains("a is being changed: by a start of a, for 30 s");
        }
        assertThat(reloads.reload(null).changed()).containsExactly("a");
    }

    @Test
    void theServerIsNotAskedToEndAfterARemovalWhileAnotherInstanceIsBeingStarted() throws Exception {
        try (Held held = starting("a")) {
            Files.delete(home.resolve("conf/b/instance.properties"));
            assertThat(reloads.reload("b").removed()).containsExactly("b");
            assertThat(calls).containsExactly("remove b");
        }

        assertThat(calls).endsWith("removed");
    }

    @Test
    void anInstanceThatIsThereMeanwhileIsNotAddedOnceMore() throws IOException {
        writeInstance("c", "canal.instance.memory.buffer.size = many");
        reloads.reload(null);
        writeInstance("c", "");

        assertThat(reloads.add("c").orElseThrow().added()).containsExactly("c");
        assertThat(reloads.add("c")).isEmpty();

        assertThat(calls).containsExactly("add c");
    }

    @Test
    void aStartTellsOnlyWarningsOfItsInstanceAndOfTheServer() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = shop\\\\.t, shop\\\\.u");
        writeInstance("b", "canal.instance.filter.black.regex = shop\\\\.v, shop\\\\.w");

        reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(warningsOfLog()).singleElement().asString().contains("shop\\.u");
        assertThat(reloads.reload(null).warnings()).singleElement().asString().contains("shop\\.w");
        assertThat(reloads.reload(null).warnings()).isEmpty();
    }

    /** The source may know only the former configuration of one that was taken over alone. */
    @Test
    void theProblemOfANewerConfigurationIsToldAfterARestartWithoutTheSource() throws IOException {
        reloads.reload("a");
        writeInstance("a", "canal.instance.memory.buffer.size = many");
        reloads.reload("a");
        String problem = problems.get("a");
        assertThat(problem).contains("canal.instance.memory.buffer.size");
        sourceProblem = "the admin server is unreachable";
        writeInstance("a", "");

        reloads.start("a", "a restart of a", (config, wait) -> config);
        assertThat(problems).containsEntry("a", problem);
        reloads.reload("a");
        assertThat(problems).containsEntry("a", problem);
        reloads.reload(null);
        assertThat(problems).containsEntry("a", problem);

        sourceProblem = "";
        reloads.start("a", "a restart of a", (config, wait) -> config);
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void aCommandThatIsRefusedBeforeItHasTriedAConfigurationLeavesNoProblem() throws IOException {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        assertThatThrownBy(() -> reloads.start("a", "a change of the cursor of a", (config, wait) -> {
                    throw new CommandRejectedException("no such position");
                }))
                .hasMessage("no such position");

        assertThat(problems.get("a")).isNull();
        assertThat(reloads.reload(null).changed()).containsExactly("a");
    }
}
