package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.control.ReloadReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which changes of the configuration are taken over, when, and what is said of the others. */
@Timeout(60)
class ReloadsTest extends ReloadedFiles {
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
}
