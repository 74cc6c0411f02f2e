package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unpacks the package, under a path with blanks, and runs its scripts. */
class ScriptsIT {
    private static final String NOBODY = "65534";

    private record Result(int code, String output) {}

    /** With the unpacked package: unpacking takes much longer than copying. */
    @TempDir
    static Path shared;

    private static Path unpacked;

    @TempDir
    Path directory;

    private Path home;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeAll
    static void unpack() throws IOException {
        unpacked = Files.createDirectory(shared.resolve("unpacked"));
        assertThat(Commands.require(
                        unpacked, Map.of(), List.of("tar", "xzf", System.getProperty("sluice.package", ""))))
                .isEmpty();
    }

    @BeforeEach
    void copy() throws Exception {
        home = directory.toRealPath().resolve("a server");
        Folders.copy(unpacked, home);
        environment.put("SLUICE_START_SECONDS", "240"); // a machine may have much else to do
    }

    @AfterEach
    void stop() throws Exception {
        environment.put("SLUICE_STOP_SECONDS", "5");
        run(directory, script("stop.sh"));
    }

    @Test
    void thePackageHasCanalsDirectoriesAndNoJarTwice() throws Exception {
        try (Stream<Path> top = Files.list(home)) {
            assertThat(top.map(path -> path.getFileName().toString()))
                    .contains("bin", "conf", "lib", "plugin", "logs", "LICENSE");
        }
        assertThat(home.resolve("bin/startup.sh")).isExecutable();
        assertThat(names(home.resolve("plugin/kafka")))
                .anyMatch(name -> name.startsWith("kafka-clients"))
                .doesNotContainAnyElementsOf(names(home.resolve("lib")));
        assertThat(names(home.resolve("lib"))).noneMatch(name -> name.startsWith("kafka-clients"));
    }

    /** Or the archive would depend on who has built it, and where. */
    @Test
    void theArchiveHasFixedOwnersModesAndTimes() throws Exception {
        Result list = run(directory, "tar", "--utc", "--full-time", "-tvzf", System.getProperty("sluice.package", ""));

        assertThat(list.code()).as(list.output()).isZero();
        assertThat(list.output().lines().map(line -> line.replaceAll(" +[0-9]+ ([0-9]{4}-.*)", " $1")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .matches(
                                "(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root/root 2[0-9]{3}-[0-9]{2}-[0-9]{2} 00:00:00 .*"))
                .extracting(line -> line.split(" ")[2])
                .containsOnly(list.output().lines().findFirst().orElseThrow().split(" +")[3]);
    }

    @Test
    void theChecksumsBesideTheArchiveAreItsOwn() throws Exception {
        Path archive = Path.of(System.getProperty("sluice.package", "")).toAbsolutePath();

        for (String bits : List.of("256", "512")) {
            assertThat(run(archive.getParent(), "sha" + bits + "sum", "-c", archive.getFileName() + ".sha" + bits))
                    .isEqualTo(new Result(0, archive.getFileName() + ": OK\n"));
        }
    }

    @Test
    void theVersionCanBeAskedOfAPackageThatDoesNotRun() throws Exception {
        Files.writeString(home.resolve("conf/canal.properties"), "canal.serverMode = pigeon\n");
        Files.writeString(home.resolve("plugin/kafka/damaged.jar"), "no jar");

        Result result = run(directory, script("sluice.sh"), "--version");

        assertThat(result.code()).as(result.output()).isZero();
        assertThat(result.output().lines().toList())
                .hasSize(3)
                .first()
                .asString()
                .matches("Sluice [0-9]+\\.[0-9]+\\.[0-9]+.*");
    }

    @Test
    void startupSaysWhichVersionRunsAndSoDoesTheFirstLineOfTheLog() throws Exception {
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.destinations = example
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.port = %d
                canal.metrics.pull.port = %d
                """.formatted(FreePorts.next(), FreePorts.next()));

        Result result = run(directory, script("startup.sh"));

        assertThat(result.code()).as(result.output()).isZero();
        assertThat(result.output())
                .matches("(?s)The server runs, as process [0-9]+ \\(version [0-9.]+.*, commit .+\\)\\..*");
        assertThat(Files.readAllLines(home.resolve("logs/canal/canal.log")).get(0))
                .contains("the canal server is starting: version=", " commit=", " java=" + Runtime.version());
    }

    @Test
    void restartDoesNotStopAServerThatCouldNotStartAgain() throws Exception {
        Path file = home.resolve("conf/canal.properties");
        String settings = """
                canal.destinations = example
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.port = %d
                canal.metrics.pull.port = %d
                """.formatted(FreePorts.next(), FreePorts.next());
        Files.writeString(file, settings);
        assertThat(run(directory, script("startup.sh")).code()).isZero();
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        Result unknown = run(directory, script("restart.sh"), "--force");
        Files.writeString(file, settings + "canal.instance.fooo = 1\n");
        Result wrong = run(directory, script("restart.sh"));
        Path older = Files.createFile(home.resolve("lib/sluice-protocol-0.0.7.jar"));
        Result twice = run(directory, script("restart.sh"));
        Files.delete(older);

        assertThat(unknown).isEqualTo(new Result(1, "usage: restart.sh [local | FILE] [debug PORT] [foreground]\n"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.output()).contains("canal.instance.fooo", "The server was not stopped");
        assertThat(twice.code()).isEqualTo(1);
        assertThat(twice.output())
                .contains("two versions of one jar", older.getFileName().toString());
        assertThat(run(directory, script("startup.sh")).output()).contains("runs already, as process " + pid);

        Files.writeString(file, settings);
        assertThat(run(directory, script("restart.sh")).output())
                .contains("Stopping the server, process " + pid, "The server runs, as process");
    }

    @Test
    void portsThatAreInUseAreReportedWithARemedyAndNoStackTrace() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int metrics = FreePorts.next();
            String settings = """
                    canal.destinations = example
                    canal.serverMode = tcp
                    canal.ip = 127.0.0.1
                    canal.port = %d
                    canal.metrics.pull.port = %d
                    """;
            Path file = home.resolve("conf/canal.properties");
            Files.writeString(file, settings.formatted(used.getLocalPort(), metrics));

            Result failed = run(directory, script("startup.sh"));

            assertThat(failed.code()).as(failed.output()).isEqualTo(1);
            assertThat(failed.output())
                    .contains("the server does not start: cannot listen on ", "canal.port", "choose another port")
                    .doesNotContain("\tat ");

            // Without the metrics the server runs.
            Files.writeString(file, settings.formatted(metrics, used.getLocalPort()));
            Result started = run(directory, script("startup.sh"));

            assertThat(started.code()).as(started.output()).isZero();
            assertThat(started.output())
                    .contains("The server runs, as process ")
                    .contains("metrics and health cannot be read: cannot listen on ", "canal.metrics.pull.port");
        }
    }

    @Test
    void aWrongConfigurationIsListedAndTheExitCodeSaysSo() throws Exception {
        Path file = home.resolve("conf/canal.properties");
        Files.writeString(file, Files.readString(file) + "canal.prot = 1\ncanal.instance.memory.buffer.size = 1000\n");

        Result result = run(directory, script("startup.sh"));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.output())
                .contains("canal.prot: there is no such key; did you mean canal.port?")
                .contains("canal.instance.memory.buffer.size = 1000: must be a power of two");
        assertThat(home.resolve("bin/canal.pid")).doesNotExist();
        assertThat(home.resolve("logs/canal/canal.log")).content().contains("canal.prot");
    }

    @Test
    void theEnvironmentReachesTheServer() throws Exception {
        environment.put("canal.mq.canalBatchSize", "many");

        Result result = run(directory, script("startup.sh"));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.output()).contains("environment variable: canal.mq.canalBatchSize = many");
    }

    @Test
    void anInvalidUmaskIsReported() throws Exception {
        environment.put("SLUICE_UMASK", "private");

        assertThat(run(directory, script("startup.sh")))
                .isEqualTo(new Result(1, "SLUICE_UMASK is not a umask, such as 027: private\n"));
    }

    @Test
    void anotherConfigurationIsRelativeToTheCallersDirectory() throws Exception {
        Path other = Files.createDirectory(directory.resolve("else where"));
        Files.writeString(other.resolve("my.properties"), "canal.serverMode = pigeon\n");

        Result result = run(other, script("startup.sh"), "my.properties");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.output()).contains("else where/my.properties:1: canal.serverMode = pigeon");
        assertThat(run(other, script("startup.sh"), "no.properties"))
                .isEqualTo(new Result(1, "There is no such file: " + other.toRealPath() + "/no.properties\n"));
    }

    /** canal's scripts take one. */
    @ParameterizedTest
    @ValueSource(strings = {"local", "conf/canal_local.properties"})
    void aSecondWordAfterTheFileIsIgnored(String file) throws Exception {
        Path words = directory.resolve("words.txt");
        pretend("printf '%s\\n' \"$@\" > '" + words + "'; exit 7");

        Result result = run(home, script("startup.sh"), file, "shop");

        Path config = home.resolve("conf/canal_local.properties");
        assertThat(result.code()).isEqualTo(7);
        assertThat(result.output())
                .startsWith("Without effect, since the configuration is read from " + config + ": shop\n");
        assertThat(words).content().contains("-Dcanal.conf=" + config + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local shop other", "local conf/canal.properties"})
    void aSecondFileAndAThirdWordAreRefused(String words) throws Exception {
        pretend("exit 7");
        List<String> command = new ArrayList<>(List.of(script("startup.sh")));
        command.addAll(List.of(words.split(" ")));

        assertThat(run(home, command.toArray(String[]::new)))
                .isEqualTo(new Result(1, "usage: startup.sh [local | FILE] [debug PORT] [foreground]\n"));
    }

    /** As {@code sh startup.sh} calls them, where that is dash, or bash in its POSIX mode. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "busybox sh", "bash --posix"})
    void theScriptsRunUnderAnotherShell(String shell) throws Exception {
        pretendToRun("");
        assumeThat(run(directory, "bash", "-c", "command -v " + shell.split(" ")[0])
                        .code())
                .isZero();

        Result started = run(home.resolve("bin"), "bash", "-c", shell + " startup.sh local");
        assertThat(started.output()).startsWith("The server runs, as process ");
        assertThat(started.code()).isZero();

        Result stopped = run(home, "bash", "-c", shell + " bin/stop.sh");
        assertThat(stopped.output()).contains("The server has stopped.");
        assertThat(stopped.code()).isZero();
        assertThat(run(home, "bash", "-c", shell + " bin/restart.sh local").output())
                .contains("The server runs, as process ");
    }

    @Test
    void bashInItsPosixModeDoesNotEndInSilence() throws Exception {
        pretendToRun("");
        environment.put("SLUICE_PID_FILE", directory.resolve("none/pid").toString());

        Result result = run(directory, "bash", "--posix", script("startup.sh"), "local");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output()).contains("Cannot write " + directory.resolve("none/pid"));
    }

    /** As a Makefile does that exports them to all that it starts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "errexit:nounset:pipefail",
                "allexport:monitor:physical",
                "keyword",
                "noclobber:noglob",
                "verbose"
            })
    void optionsOfTheCallersShellChangeNothing(String options) throws Exception {
        pretendToRun("");
        Files.writeString(home.resolve("bin/canal.pid"), "999999999\n"); // of a server that was killed
        environment.put("SHELLOPTS", options);

        assertThat(run(directory, script("startup.sh"), "local").code()).isZero();
        assertThat(run(directory, script("stop.sh")).code()).isZero();
        assertThat(run(directory, script("restart.sh"), "local").code()).isZero();
    }

    @Test
    void aPidFileThatCannotBeWrittenIsReportedWithoutFlock() throws Exception {
        pretendToRun("");
        Path programs = Files.createDirectories(directory.resolve("programs"));
        run(
                directory,
                "bash",
                "-c",
                "ln -s /usr/bin/* \"$0\"; ln -s /bin/* \"$0\"; rm \"$0\"/flock",
                programs.toString());
        environment.put("PATH", programs.toString());
        environment.put("SLUICE_PID_FILE", directory.resolve("none/pid").toString());

        assertThat(run(directory, script("startup.sh"), "local").output())
                .contains("Cannot write " + directory.resolve("none/pid"));
    }

    /** As that of a service, of cron, or one that is not installed. */
    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "zh_CN.NONE"})
    void pathsAndArgumentsAreReadInALocaleOfAscii(String locale) throws Exception {
        environment.put("LC_ALL", locale);
        // By bash, since the locale of this JVM may be such a one, too.
        String name = "$'\\xe8\\xae\\xa2'";
        run(directory, "bash", "-c", "mv \"$0\" " + name + " && ln -s " + name + " \"$0\"", home.toString());
        try {
            Result result = run(directory, "bash", "-c", "\"$0\" route example shop." + name, script("sluice.sh"));

            assertThat(result.output()).contains("shop.\u8ba2\n", "conf/canal.properties: example");
            assertThat(result.code()).isZero();
        } finally {
            run(directory, "bash", "-c", "rm \"$0\" && mv " + name + " \"$0\"", home.toString());
        }
    }

    @Test
    void anotherLocaleIsLeftAsItIs() throws Exception {
        pretend("echo \"LC_ALL=$LC_ALL\"");
        environment.put("LC_ALL", "C.UTF-8");
        assertThat(run(directory, script("startup.sh"), "local", "foreground").output())
                .contains("LC_ALL=C.UTF-8");
        // A program that says that it has the character set of a locale which need not be installed here.
        Path program = Files.writeString(program("bash").resolveSibling("locale"), "#!/bin/sh\necho GB18030\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        environment.put("PATH", program.getParent() + ":" + System.getenv("PATH"));
        environment.put("LC_ALL", "zh_CN.GB18030");

        assertThat(run(directory, script("startup.sh"), "local", "foreground").output())
                .contains("LC_ALL=zh_CN.GB18030");
    }

    /** A file that Java opens would get the number, and what is written. */
    @Test
    void closedStreamsAreReplaced() throws Exception {
        pretend("readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 > " + directory + "/streams; echo 1 ||"
                + " echo failed > " + directory + "/message");

        run(directory, "bash", "-c", "\"$0\" local foreground <&- >&- 2>&-", script("startup.sh"));

        assertThat(directory.resolve("streams")).hasContent("/dev/null\n/dev/null\n/dev/null\n");
        assertThat(directory.resolve("message")).hasContent("failed");
    }

    /** A package that was unpacked over an older one. */
    @Test
    void twoVersionsOfAJarAreReported() throws Exception {
        pretend("exit 7");
        for (String inDirectory : List.of("lib", "plugin/kafka")) {
            Path jar;
            try (Stream<Path> files = Files.list(home.resolve(inDirectory))) {
                jar = files.filter(file -> file.getFileName().toString().matches("sluice-.*-[0-9].*\\.jar"))
                        .findFirst()
                        .orElseThrow();
            }
            String name = jar.getFileName().toString();
            Path older = Files.copy(jar, jar.resolveSibling(name.replaceFirst("-[0-9].*", "-0.0.7.jar")));

            Result result = run(directory, script("startup.sh"));

            assertThat(result.code()).as(result.output()).isEqualTo(1);
            assertThat(result.output())
                    .contains(
                            "two versions of one jar in " + home.resolve(inDirectory),
                            name,
                            "-0.0.7.jar",
                            "docs/upgrade.md");
            Files.delete(older);
        }
        assertThat(run(directory, script("startup.sh")).code()).isEqualTo(7);
    }

    @Test
    void aJavaThatIsTooOldIsNamed() throws Exception {
        Path java = directory.resolve("old java");
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        environment.put("JAVA", java.toString());

        assertThat(run(directory, script("startup.sh")))
                .isEqualTo(new Result(
                        1, "Java 17 or newer is needed, but " + java + " is Java 8. Set JAVA_HOME to another.\n"));
    }

    @Test
    void aServerIsStartedOnceAndStopped() throws Exception {
        pretendToRun("trap 'exit 0' TERM");

        Result first = run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
        assertThat(first.code()).as(first.output()).isZero();
        assertThat(first.output()).contains("The server runs, as process " + pid);

        Result second = run(directory, script("startup.sh"));
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.output()).contains("The server runs already, as process " + pid);

        Files.delete(home.resolve("bin/canal.pid"));
        assertThat(run(directory, script("startup.sh")).output()).contains("runs already, as process " + pid);

        Result stopped = run(directory, script("stop.sh"));
        assertThat(stopped)
                .isEqualTo(new Result(0, "Stopping the server, process " + pid + ".\nThe server has stopped.\n"));
        awaitEnd(pid);
        assertThat(run(directory, script("stop.sh"))).isEqualTo(new Result(0, "The server does not run.\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"startup.sh", "stop.sh", "restart.sh"})
    void helpIsTheHeadOfTheScriptAndDoesNothing(String script) throws Exception {
        pretendToRun("");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        Result help = run(directory, script(script), "--help");

        assertThat(help.code()).isZero();
        assertThat(help.output())
                .startsWith(script.equals("startup.sh") ? "Starts the server in the background" : "Stops the server")
                .contains(script + " ")
                .doesNotContain("#", pid);
        assertThat(run(directory, script("startup.sh")).output()).contains("runs already, as process " + pid);
    }

    private Result stop(String words) throws Exception {
        return run(
                directory,
                Stream.concat(Stream.of(script("stop.sh")), Stream.of(words.split(" ")))
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-f", "--force", "local --force"})
    void stopHasNoOptionsAndThenStopsNothing(String words) throws Exception {
        pretendToRun("");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        Result refused = stop(words);

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output()).contains("stop.sh has no option -", "stops nothing");
        assertThat(run(directory, script("startup.sh")).output()).contains("runs already, as process " + pid);
    }

    /** The restart of canal passes its own arguments on. */
    @ParameterizedTest
    @ValueSource(strings = {"local", "conf/canal.properties", "debug 9099"})
    void stopIgnoresTheWordsOfAStart(String words) throws Exception {
        pretendToRun("");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        Result stopped = stop(words);

        assertThat(stopped.code()).as(stopped.output()).isZero();
        assertThat(stopped.output()).contains("These have no effect: " + words, "The server has stopped.");
        awaitEnd(pid);
    }

    @Test
    void aServerThatDoesNotStopIsKilled() throws Exception {
        pretendToRun("trap '' TERM");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
        environment.put("SLUICE_STOP_SECONDS", "1");

        Result stopped = run(directory, script("stop.sh"));

        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.output()).contains("did not stop within 1 seconds: killing process " + pid);
        awaitEnd(pid);
        assertThat(home.resolve("bin/canal.pid")).doesNotExist();
    }

    /** As on a full disk: what it says then may be lost, but it leaves the file that shows that it runs. */
    @Test
    void aServerThatDidNotEndInGoodOrderIsReported() throws Exception {
        pretendToRun("trap 'trap - EXIT; echo \"shop did not end in good order: the disk is full\"; exit 143' TERM");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        Result stopped = run(directory, script("stop.sh"));

        assertThat(stopped.code()).as(stopped.output()).isEqualTo(3);
        assertThat(stopped.output())
                .contains("has stopped, but not in good order")
                .contains("\nshop did not end in good order: the disk is full\n")
                .doesNotContain("The server has stopped.\n");
        awaitEnd(pid);
        assertThat(home.resolve("bin/canal.pid")).doesNotExist();
        assertThat(run(directory, script("stop.sh"))).isEqualTo(new Result(0, "The server does not run.\n"));
    }

    /** As on a disk that was full at the start already, or if it is stopped before all its instances read their sources. */
    @Test
    void soIsOneThatHasNotYetSaidThatItRuns() throws Exception {
        beginToStart(
                "trap 'echo \"the server has stopped, but not in good order:\"; echo \"shop: the disk is full\"; exit 143' TERM");

        Result stopped = run(directory, script("stop.sh"));

        assertThat(stopped.code()).as(stopped.output()).isEqualTo(3);
        assertThat(stopped.output())
                .contains("has stopped, but not in good order")
                .contains("\nshop: the disk is full\n");
    }

    @Test
    void aServerThatCouldNotSayHowItEndedIsReported() throws Exception {
        beginToStart("trap 'exit 143' TERM");
        Files.createDirectory(home.resolve("logs/canal/started.try"));

        Result stopped = run(directory, script("stop.sh"));

        assertThat(stopped.code()).as(stopped.output()).isEqualTo(3);
        assertThat(stopped.output()).contains("cannot be told whether all has ended in good order");
    }

    @Test
    void aStalePidFileIsReportedAndAnotherProcessIsNotKilled() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(home.resolve("bin/canal.pid"), foreign.pid() + "\n");
            assertThat(run(directory, script("stop.sh")))
                    .isEqualTo(new Result(0, "The server does not run; removing the pid file that it left.\n"));
            assertThat(foreign.isAlive()).isTrue();

            Files.writeString(home.resolve("bin/canal.pid"), foreign.pid() + "\n");
            pretendToRun("trap 'exit 0' TERM");
            Result started = run(directory, script("startup.sh"));
            assertThat(started.code()).isZero();
            assertThat(started.output())
                    .contains("a left-over: process " + foreign.pid() + " is not this server")
                    .doesNotContain("has ended");
            run(directory, script("stop.sh"));

            Files.writeString(home.resolve("bin/canal.pid"), "\n");
            assertThat(run(directory, script("startup.sh")).output()).contains("names no process: starting");
        } finally {
            foreign.destroyForcibly();
        }
    }

    /** Whichever is first, and whatever the time between the check and the start: here that in which the version of Java is asked. */
    @Test
    void ofManyStartsAtTheSameMomentOneStartsTheServer() throws Exception {
        Path starts = Files.createFile(directory.resolve("starts"));
        pretendToRun("echo $$ >> '" + starts + "'; trap 'exit 0' TERM");
        Path go = directory.resolve("go");
        String gate = "while [ ! -e '" + go + "' ]; do :; done; exec '" + script("startup.sh") + "'";
        List<Path> outputs = new ArrayList<>();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Path output = directory.resolve("output" + i);
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", gate)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            outputs.add(output);
            all.add(builder.start());
        }
        Files.createFile(go);
        List<Integer> codes = new ArrayList<>();
        for (Process process : all) {
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
            codes.add(process.exitValue());
        }

        assertThat(Files.readAllLines(starts)).hasSize(1);
        assertThat(codes).containsOnlyOnce(0).containsOnly(0, 1);
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
        for (Path output : outputs) {
            assertThat(Files.readString(output))
                    .containsAnyOf("runs, as process " + pid, "runs already, as process " + pid);
        }
    }

    /** As when the pid file was lost, and the server was started again by something else. */
    @Test
    void allProcessesOfTheServerAreStopped() throws Exception {
        pretendToRun("trap 'exit 0' TERM");
        run(directory, script("startup.sh"));
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
        Process second = startMarked(program("java"));
        try {
            await().until(() -> isServer(second));

            Result stopped = run(directory, script("stop.sh"));

            assertThat(stopped)
                    .isEqualTo(new Result(
                            0,
                            "Stopping the server, processes " + pid + " " + second.pid()
                                    + ".\nThe server has stopped.\n"));
            assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
            awaitEnd(pid);
        } finally {
            second.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java17"})
    void anyProgramOfTheCallerWithTheMarkIsTheServer(String name) throws Exception {
        Process other = startMarked(program(name));
        try {
            await().until(() -> hasMark(other));
            assertThat(isServer(other)).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    /** It would run as root, with arguments that any user has chosen. */
    @Test
    void aProgramWithTheSetUserIdBitIsOnlyTheServerIfThePidFileNamesIt() throws Exception {
        Path program = program("other");
        assertThat(run(directory, "chmod", "u+s", program.toString()).code()).isZero();
        Process other = startMarked(program);
        try {
            await().until(() -> hasMark(other));
            assertThat(isServer(other)).isFalse();

            Files.writeString(home.resolve("bin/canal.pid"), other.pid() + "\n");
            assertThat(isServer(other)).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aProcessOfAUserWhoOwnsNothingIsOnlyTheServerIfThePidFileNamesIt() throws Exception {
        Process other = startMarked(program("java"));
        try {
            await().until(() -> isServer(other));

            for (String owner : List.of("echo 4711", ":")) {
                String command = "owner_of() { " + owner + "; }; is_server " + other.pid();
                assertThat(inScript(command)).isEqualTo(new Result(1, ""));
                Files.writeString(home.resolve("bin/canal.pid"), other.pid() + "\n");
                assertThat(inScript(command)).isEqualTo(new Result(0, ""));
                Files.delete(home.resolve("bin/canal.pid"));
            }
        } finally {
            other.destroyForcibly();
        }
    }

    /** As when the package was given to another user while the server ran. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerWhosePackageHasANewOwnerIsFound(boolean hasPidFile) throws Exception {
        assumeThat(isRoot()).isTrue();
        pretendToRun("trap 'exit 0' TERM");
        give(NOBODY);
        assertThat(run(directory, as(NOBODY, script("startup.sh"))).output())
                .startsWith("The server runs, as process ");
        Path pidFile = home.resolve("bin/canal.pid");
        String pid = Files.readString(pidFile).strip();
        give("65533");

        if (hasPidFile) {
            assertThat(run(directory, as("65533", script("startup.sh"))).output())
                    .startsWith("The server runs already, as process " + pid);
            assertThat(run(directory, as("65533", script("stop.sh"))))
                    .isEqualTo(new Result(
                            1,
                            "Stopping the server, process " + pid + ".\nProcess " + pid
                                    + " cannot be stopped by this user.\n"));
            assertThat(pidFile).hasContent(pid);
        } else {
            Files.delete(pidFile);
        }
        assertThat(run(directory, script("startup.sh")).output())
                .startsWith("The server runs already, as process " + pid);
        assertThat(run(directory, script("stop.sh")))
                .as("it cannot remove the file that shows that it runs")
                .extracting(Result::code)
                .isEqualTo(3);
        awaitEnd(pid);
    }

    /** The package and its directories are of another user, and the pid file is elsewhere. */
    @ParameterizedTest
    @ValueSource(strings = {"canal.log", "gc.log"})
    void theOwnerOfAFileThatTheServerMakesRunsIt(String file) throws Exception {
        assumeThat(isRoot()).isTrue();
        give("65533");
        Path log = Files.createDirectories(home.resolve("logs/canal")).resolve(file);
        Process other = startMarked(program("java"));
        try {
            await().until(() -> hasMark(other));
            String[] asOwner = as("65533", "bash", "-c", ". \"$0\"; is_server " + other.pid(), script("process.sh"));
            assertThat(run(directory, asOwner).code()).isEqualTo(1);

            Files.createFile(log);
            assertThat(run(directory, asOwner).code()).isZero();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void rootFindsAServerByItsOpenLogs() throws Exception {
        assumeThat(isRoot()).isTrue();
        give("65533");
        Files.createDirectories(home.resolve("logs/canal"));
        Path bin = home.resolve("bin");
        String[] command = as(NOBODY, program("java").toString(), "-c", "read -r line", mark());
        Process server = new ProcessBuilder(command)
                .directory(bin.toFile())
                .redirectOutput(home.resolve("logs/canal/a.log").toFile())
                .start();
        Process other = new ProcessBuilder(command).directory(bin.toFile()).start();
        try {
            await().until(() -> runsAsItsUser(server) && runsAsItsUser(other));

            assertThat(isServer(server)).isTrue();
            assertThat(isServer(other)).isFalse();
        } finally {
            server.destroyForcibly();
            other.destroyForcibly();
        }
    }

    /** As in a container. */
    @Test
    void rootThatCannotSeeWhatIsOpenTakesAnyJavaForTheServer() throws Exception {
        assumeThat(isRoot()).isTrue();
        give("65533");
        Process java = new ProcessBuilder(as(NOBODY, program("java").toString(), "-c", "read -r line", mark())).start();
        Process other =
                new ProcessBuilder(as(NOBODY, program("other").toString(), "-c", "read -r line", mark())).start();
        try {
            await().until(() -> runsAsItsUser(java) && runsAsItsUser(other));

            for (Process process : List.of(java, other)) {
                assertThat(isServer(process)).isFalse();
                assertThat(run(
                                        directory,
                                        "setpriv",
                                        "--bounding-set=-sys_ptrace",
                                        "bash",
                                        "-c",
                                        ". \"$0\"; is_server " + process.pid(),
                                        script("process.sh"))
                                .code())
                        .isEqualTo(process == java ? 0 : 1);
            }
        } finally {
            java.destroyForcibly();
            other.destroyForcibly();
        }
    }

    /** As a server in the foreground does. */
    @Test
    void aServerThatHasRemovedItsPidFileIsWaitedFor() throws Exception {
        Path pidFile = home.resolve("bin/canal.pid");
        Path program = program("java17");
        assertThat(run(directory, "chmod", "u+s", program.toString()).code()).isZero();
        Process server = new ProcessBuilder(
                        program.toString(),
                        "-c",
                        "trap 'rm -f \"$0\"; sleep 1; exit 0' TERM; echo $$ > \"$0\"; while :; do sleep 0.1; done",
                        pidFile.toString(),
                        mark())
                .start();
        try {
            await().until(() -> Files.exists(pidFile) && isServer(server));

            assertThat(run(directory, script("stop.sh")).output()).endsWith("The server has stopped.\n");
            assertThat(inScript("start_of " + server.pid()).code()).isEqualTo(1);
        } finally {
            server.destroyForcibly();
        }
    }

    /** The process would be another one with the same id. */
    @Test
    void aProcessIsKnownByTheTimeOfItsStart() throws Exception {
        Process other = startMarked(program("a) S (b"));
        try {
            await().until(() -> hasMark(other));
            String start = inScript("start_of " + other.pid()).output().strip();

            assertThat(start).matches("[0-9]+");
            assertThat(inScript("is_alive %d %s".formatted(other.pid(), start)).code())
                    .isZero();
            assertThat(inScript("is_alive %d %s1".formatted(other.pid(), start)).code())
                    .isEqualTo(1);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aJavaWithoutTheMarkIsNotWaitedForWithoutEnd() throws Exception {
        environment.put("SLUICE_START_SECONDS", "1");
        pretend("exec sleep 60");

        Result result = run(directory, script("startup.sh"));

        long pid =
                Long.parseLong(Files.readString(home.resolve("bin/canal.pid")).strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.output()).startsWith("The server is still starting after 1 seconds, as process " + pid);
    }

    @Test
    void anotherUserCannotKeepTheServerFromStarting() throws Exception {
        assumeThat(isRoot()).isTrue();
        Process other = new ProcessBuilder(as(NOBODY, "bash", "-c", "read -r line", mark())).start();
        try {
            await().until(() -> runsAsItsUser(other));
            pretendToRun("trap 'exit 0' TERM");

            assertThat(run(directory, script("startup.sh")).output()).startsWith("The server runs, as process ");
            String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
            assertThat(run(directory, script("stop.sh")))
                    .isEqualTo(new Result(0, "Stopping the server, process " + pid + ".\nThe server has stopped.\n"));
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void rootStopsTheServerOfAnotherUser() throws Exception {
        assumeThat(isRoot()).isTrue();
        pretendToRun("trap 'exit 0' TERM");
        give(NOBODY);
        assertThat(run(directory, as(NOBODY, script("startup.sh"))).output())
                .startsWith("The server runs, as process ");
        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();

        assertThat(run(directory, script("startup.sh")).output()).startsWith("The server runs already, as process ");
        assertThat(run(directory, script("stop.sh")).output()).endsWith("The server has stopped.\n");
        awaitEnd(pid);
    }

    @Test
    void aStopDuringTheStartIsReported() throws Exception {
        Path started = directory.resolve("started");
        pretend("touch '" + started + "'; while :; do sleep 0.1; done");
        ProcessBuilder builder = new ProcessBuilder(script("startup.sh"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("start.txt").toFile());
        builder.environment().putAll(environment);
        Process start = builder.start();
        await().until(() -> Files.exists(started));

        assertThat(run(directory, script("stop.sh")).code()).isZero();

        assertThat(start.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(start.exitValue()).isEqualTo(1);
        assertThat(directory.resolve("start.txt")).hasContent("The server was stopped while it was starting.");
    }

    @Test
    void aServerThatFailsInSilenceAndAJavaThatIsNotThereAreReported() throws Exception {
        pretend("exit 7");
        assertThat(run(directory, script("startup.sh")).output())
                .startsWith("The server did not start (exit code 7), and said nothing.\nMore may be in ");

        environment.put("JAVA", "/nonexistent/java");
        assertThat(run(directory, script("startup.sh"))).isEqualTo(new Result(1, """
                        This java does not run: /nonexistent/java
                        There is no such program. Set JAVA_HOME to a JDK or JRE, 17 or newer.
                        """));
    }

    @Test
    void aProcessThatEndsMeanwhileIsNotReported() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();

        for (String pid : List.of(Long.toString(ended.pid()), "2147483647")) {
            assertThat(run(directory, "bash", "-c", ". \"$0\"; is_server " + pid, script("process.sh")))
                    .isEqualTo(new Result(1, ""));
        }
    }

    @Test
    void aServerThatIsStillStartingIsReported() throws Exception {
        Result result = beginToStart("trap 'exit 0' TERM");

        assertThat(result.output()).contains("still starting after 1 seconds");
        assertThat(run(directory, script("stop.sh")).code()).isZero();
    }

    @Test
    void theOutputOfAServerThatFailsToStartIsShown() throws Exception {
        Files.createDirectories(home.resolve("logs/canal"));
        Files.writeString(home.resolve("logs/canal/canal_stdout.log"), "words of yesterday\n");
        pretend("echo 'out of luck' >&2; exit 7");

        Result result = run(directory, script("startup.sh"));

        assertThat(result.code()).isEqualTo(7);
        assertThat(result.output()).contains("exit code 7", "out of luck").doesNotContain("yesterday");
    }

    @Test
    void inTheForegroundOutputAndExitCodeAreTheServers() throws Exception {
        pretend("echo '{\"id\":1}'; echo pid $$; exit 7");

        Result result = run(directory, script("startup.sh"), "foreground");

        String pid = Files.readString(home.resolve("bin/canal.pid")).strip();
        assertThat(result).isEqualTo(new Result(7, "{\"id\":1}\npid " + pid + "\n"));
    }

    private static void awaitEnd(String pid) {
        await().until(() -> ProcessHandle.of(Long.parseLong(pid))
                .filter(ProcessHandle::isAlive)
                .isEmpty());
    }

    @Test
    void heapOptionsOfTheOperatorWin() throws Exception {
        assertThat(heapOptions("")).containsExactly("-Xms128m", "-Xmx1g");
        assertThat(heapOptions("-Xmx200m")).containsExactly("-Xms64m", "-Xmx200m");
        assertThat(heapOptions("-Xms2g -Xmx3g")).containsExactly("-Xms2g", "-Xmx3g");
        assertThat(heapOptions("-Xms100m")).containsExactly("-Xmx1g", "-Xms100m");
        assertThat(heapOptions("-XX:MaxRAMPercentage=50")).containsExactly("-Xms64m");
    }

    @Test
    void aSmallHeapHasALargerYoungGenerationUnlessTheOperatorSetsIt() throws Exception {
        assertThat(javaOptions("-Xmx1g -Xmx384m")).contains("-XX:MaxNewSize=160m", "-XX:+UseParallelGC");
        assertThat(javaOptions("-XX:MaxHeapSize=479M")).contains("-XX:MaxNewSize=160m");
        assertThat(javaOptions("-Xmx240m")).contains("-XX:MaxNewSize=100m");
        for (String other : List.of(
                "",
                "-Xmx480m",
                "-Xmx384m -Xmx1000m",
                "-Xmx1g",
                "-Xmx384m -Xmn100m",
                "-Xmx384m -XX:NewRatio=1",
                "-Xmx384m -XX:+UseG1GC",
                "-Xmx384m -XX:MaxRAMPercentage=50",
                "-Xmx200000k")) {
            assertThat(javaOptions(other)).as(other).noneMatch(word -> word.startsWith("-XX:MaxNewSize"));
        }
        assertThat(javaOptions("-Xmx384m -XX:MaxNewSize=99m"))
                .filteredOn(word -> word.startsWith("-XX:MaxNewSize"))
                .containsExactly("-XX:MaxNewSize=99m");
    }

    private List<String> heapOptions(String javaOptions) throws Exception {
        return javaOptions(javaOptions).stream()
                .filter(word -> word.startsWith("-Xm"))
                .toList();
    }

    /** The words with which java is called. */
    private List<String> javaOptions(String javaOptions) throws Exception {
        environment.put("JAVA_OPTS", javaOptions);
        Path words = directory.resolve("words.txt");
        pretend("printf '%s\\n' \"$@\" > '" + words + "'; exit 1");
        assertThat(run(directory, script("startup.sh")).code()).isEqualTo(1);
        return Files.readAllLines(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "foreground"})
    void onlyTheNewestHeapDumpsAreKept(String mode) throws Exception {
        Path dumps = Files.createDirectories(home.resolve("logs/heap"));
        for (int pid = 1; pid <= 4; pid++) {
            Path dump = Files.createFile(dumps.resolve("java_pid" + pid + ".hprof"));
            Files.setLastModifiedTime(dump, FileTime.fromMillis(pid * 60_000L));
        }
        Files.createFile(dumps.resolve("made by hand.hprof"));
        pretend("exit 1");

        assertThat(run(directory, script("startup.sh"), mode.isEmpty() ? "local" : mode)
                        .code())
                .isEqualTo(1);

        assertThat(names(dumps)).containsExactlyInAnyOrder("java_pid3.hprof", "java_pid4.hprof", "made by hand.hprof");
    }

    @Test
    void aDirectoryThatIsNamedAsAHeapDumpDeletesNoFileOfTheCallersDirectory() throws Exception {
        Path named = Files.createDirectories(home.resolve("logs/heap/java_pid1.hprof"));
        for (String name : List.of("a", "b", "c")) {
            Files.createFile(named.resolve(name));
            Files.createFile(directory.resolve(name));
        }
        pretend("exit 1");

        assertThat(run(directory, script("startup.sh"), "local").code()).isEqualTo(1);

        assertThat(names(directory)).contains("a", "b", "c");
        assertThat(names(named)).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Puts a program in java's place that says it has started, waits, and removes the file that says so when it ends. */
    private void pretendToRun(String trap) throws IOException {
        pretend("trap 'rm -f \"$started\"' EXIT; " + trap + """

                for word in "$@"; do
                    case $word in -Dsluice.started.file=*) started=${word#*=}; echo $$ > "$started" ;; esac
                done
                while :; do sleep 0.1; done
                """);
    }

    /**
     * Has {@code startup.sh} start a program that does not say that it has started, and returns when its trap is set: the limit of a
     * second may be over earlier, since the shell counts the seconds of the clock.
     *
     * @return of {@code startup.sh}
     */
    private Result beginToStart(String trap) throws Exception {
        environment.put("SLUICE_START_SECONDS", "1");
        Path begun = directory.resolve("begun");
        pretend(trap + "; touch '" + begun + "'; while :; do sleep 0.1; done");
        Result result = run(directory, script("startup.sh"));
        assertThat(result.code()).as(result.output()).isEqualTo(3);
        await().until(() -> Files.exists(begun));
        return result;
    }

    private void pretend(String body) throws IOException {
        Path java = directory.resolve("java");
        Files.writeString(
                java,
                "#!" + program("java") + "\n[ \"$1\" != -version ] || { echo 'openjdk version \"21\"' >&2; exit 0; }\n"
                        + body + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        environment.put("JAVA", java.toString());
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Makes a user the owner of the package. */
    private void give(String user) throws Exception {
        assertThat(run(directory, "chmod", "-R", "a+rX", directory.toString()).code())
                .isZero();
        assertThat(run(directory, "chown", "-R", user, home.toString()).code()).isZero();
    }

    private static String[] as(String user, String... command) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups"));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }

    /** A program of that name that runs scripts. */
    private Path program(String name) throws IOException {
        Path program = Files.createDirectories(directory.resolve("program")).resolve(name);
        if (Files.notExists(program)) {
            Files.copy(Path.of("/bin/bash").toRealPath(), program);
        }
        return program;
    }

    /** Starts a program with the argument by which the server is found. */
    private Process startMarked(Path program) throws IOException {
        return new ProcessBuilder(program.toString(), "-c", "read -r line", mark()).start();
    }

    private String mark() {
        return "-Dsluice.home=" + home;
    }

    /** Whether a process has become the marked program of another user: before, it is {@code setpriv} of the caller, with the same mark. */
    private boolean runsAsItsUser(Process process) throws Exception {
        Path program = Path.of("/proc", Long.toString(process.pid()), "exe").toRealPath();
        return !program.endsWith("setpriv") && hasMark(process);
    }

    private boolean hasMark(Process process) throws Exception {
        return inScript("has_mark " + process.pid()).code() == 0;
    }

    private boolean isServer(Process process) throws Exception {
        return inScript("is_server " + process.pid()).code() == 0;
    }

    private Result inScript(String command) throws Exception {
        return run(directory, "bash", "-c", ". \"$0\"; " + command, script("process.sh"));
    }

    private String script(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    private Result run(Path workingDirectory, String... command) throws IOException, InterruptedException {
        // Not through a pipe: the server would inherit it, and keep it open.
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("JAVA_OPTS");
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(
                    files.map(path -> path.getFileName().toString()).toList());
        }
    }
}
