package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir
    Path home;

    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeEach
    void configuration() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                canal.instance.master.address = db:3306
                kafka.bootstrap.servers = 127.0.0.1:9092
                """);
    }

    @Test
    void aWrongConfigurationStartsNothingAndIsReportedInFull() throws Exception {
        Files.writeString(home.resolve("conf/canal.properties"), "canal.prot = 1\ncanal.serverMode = carrier pigeon\n");

        int code = launch((configuration, plugins, source) -> {
            throw new AssertionError("started");
        });

        assertThat(code).isEqualTo(Launcher.BAD_CONFIGURATION);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("canal.properties:1: canal.prot", "canal.properties:2: canal.serverMode = carrier pigeon");
        assertThat(home.resolve("started")).doesNotExist();
    }

    @Test
    void aServerThatCannotStartIsAFailure() throws Exception {
        int code = launch((configuration, plugins, source) -> {
            throw new IOException("no producer named kafka");
        });

        assertThat(code).isEqualTo(Launcher.FAILED);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("the server does not start: no producer named kafka")
                .doesNotContain("\tat ");
        assertThat(home.resolve("started")).doesNotExist();
    }

    @Test
    void aServerThatStopsByItselfIsAFailure() throws Exception {
        EndsByItself server = new EndsByItself();

        int code = launch((configuration, plugins, source) -> server.with(configuration));

        assertThat(code).isEqualTo(Launcher.FAILED);
        assertThat(server.ranWith).isEqualTo("[shop]");
        assertThat(server.startedFileWasThere).isTrue();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("has stopped by itself", "shop: has failed: the binlog is gone");
    }

    @Test
    void aServerThatEndsWhileItsInstancesAreStartingHasNotStarted() throws Exception {
        EndsByItself server = new EndsByItself();
        server.endsAtStart = true;

        int code = launch((configuration, plugins, source) -> server.with(configuration));

        assertThat(code).isEqualTo(Launcher.FAILED);
        assertThat(home.resolve("started")).doesNotExist();
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("shop: has failed: the binlog is gone");
    }

    @Test
    void warningsOfTheConfigurationAreCountedAtTheStart() throws Exception {
        EndsByItself server = new EndsByItself();
        launch((configuration, plugins, source) -> server.with(configuration));
        assertThat(server.problemsShown.lines().skip(2))
                .containsExactly(
                        "the configuration has 1 warning: bin/sluice.sh check shows it, as does logs/canal/canal.log");

        Path file = home.resolve("conf/canal.properties");
        Files.writeString(file, Files.readString(file) + "canal.mq.topic = till\n");
        launch((configuration, plugins, source) -> server.with(configuration));
        assertThat(server.problemsShown.lines().skip(2))
                .containsExactly(
                        "the configuration has 2 warnings: bin/sluice.sh check shows them, as does logs/canal/canal.log");

        Files.writeString(file, Files.readString(file).replace("canal.mq.topic = shop\n", ""));
        Files.createFile(Files.createDirectories(home.resolve("conf/shop")).resolve("instance.properties"));
        launch((configuration, plugins, source) -> server.with(configuration));
        assertThat(server.problemsShown.lines()).hasSize(2);
    }

    /** A defect of what reports the state is no failure of the instances. */
    @Test
    void aServerWhoseStateCannotBeReportedRuns() throws Exception {
        EndsByItself server = new EndsByItself();
        server.defect = () -> new IllegalStateException("no state");

        launch((configuration, plugins, source) -> server.with(configuration));

        assertThat(server.startedFileWasThere).isTrue();
        assertThat(server.problemsShown)
                .contains("the state of the instances could not be determined: no state", "logs/canal/canal.log");
    }

    /** As for a text that comes from outside, and that this cannot process. */
    @Test
    void aServerWhoseStateOverflowsTheStackRunsToo() throws Exception {
        EndsByItself server = new EndsByItself();
        server.defect = () -> {
            throw new StackOverflowError();
        };

        int code = launch((configuration, plugins, source) -> server.with(configuration));

        assertThat(server.startedFileWasThere).isTrue();
        assertThat(server.problemsShown)
                .contains("the state of the instances could not be determined: java.lang.StackOverflowError");
        assertThat(code).isEqualTo(Launcher.FAILED);
        assertThat(server.isStopped).isTrue();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("has stopped by itself", "why could not be determined: java.lang.StackOverflowError");
    }

    /** As on a disk that is full of logs, while cursors and the broker are elsewhere. */
    @Test
    void aServerRunsAlthoughTheFileThatShowsThatCannotBeWritten() throws Exception {
        Files.createDirectories(home.resolve("started.new").resolve("in its place"));
        EndsByItself server = new EndsByItself();

        launch((configuration, plugins, source) -> server.with(configuration));

        assertThat(server.hasRun).isTrue();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("the server runs, but the file that shows that cannot be written", "started.new")
                .contains("has stopped by itself");
    }

    private int launch(ServerStarter starter) throws Exception {
        Environment environment = new Environment(
                Map.of(), Map.of(), (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 2);
        return new Launcher(
                        home.resolve("conf/canal.properties"),
                        home.resolve("bin"),
                        environment,
                        starter,
                        Optional.of(home.resolve("started")),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run();
    }

    private final class EndsByItself implements RunningServer {
        private String ranWith = "";
        private boolean startedFileWasThere;
        private boolean endsAtStart;
        private boolean hasRun;
        private boolean isStopped;
        private @Nullable Supplier<RuntimeException> defect;
        private String problemsShown = "";

        RunningServer with(Configuration configuration) {
            ranWith = configuration.server().destinations().toString();
            return this;
        }

        @Override
        public boolean awaitStart(Duration limit) {
            return !endsAtStart;
        }

        @Override
        public List<String> failures() {
            requireNoDefect();
            return List.of("shop: has failed: the binlog is gone");
        }

        @Override
        public void awaitTermination() {
            hasRun = true;
            startedFileWasThere = Files.exists(home.resolve("started"));
            problemsShown = shown();
        }

        private String shown() {
            try {
                return Files.readString(home.resolve("started"));
            } catch (IOException e) {
                return e.toString();
            }
        }

        @Override
        public List<String> problems() {
            requireNoDefect();
            return List.of();
        }

        @Override
        public void stop(Duration limit) {
            isStopped = true;
        }

        @Override
        public List<String> endProblems() {
            return List.of();
        }

        private void requireNoDefect() {
            if (defect != null) {
                throw defect.get();
            }
        }
    }
}
