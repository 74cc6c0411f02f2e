package io.sluice.deployer.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the logback.xml that is shipped. */
class RemovedLogFilesTest {
    @TempDir
    Path home;

    private final LoggerContext context = new LoggerContext();
    private Path logs;
    private RemovedLogFiles files;

    @BeforeEach
    void configure() throws Exception {
        logs = home.resolve("logs");
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putProperty("sluice.logs", logs.toString());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Path.of("src/main/package/conf/logback.xml").toFile());
        files = new RemovedLogFiles(context);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void logsThatAreRemovedAreWrittenAgainTheAuditLogAmongThem() throws IOException {
        log("server", "before");
        log("audit", "{\"action\":\"before\"}");
        Folders.delete(logs);
        files.check();
        files.check();

        log("server", "after");
        log("audit", "{\"action\":\"after\"}");

        assertThat(Files.readAllLines(logs.resolve("canal/canal.log")))
                .hasSize(2)
                .first(Assertions.as(InstanceOfAssertFactories.STRING))
                .contains("WARN", "log files were removed", "audit.log", "canal.log");
        assertThat(Files.readAllLines(logs.resolve("canal/audit.log"))).containsExactly("{\"action\":\"after\"}");
    }

    /** As logrotate does by default. */
    @Test
    void aLogThatIsRenamedAndCreatedIsWrittenUnderItsNameAgain() throws IOException {
        Path file = logs.resolve("canal/canal.log");
        Path audit = logs.resolve("canal/audit.log");
        log("server", "before");
        log("audit", "{\"action\":\"before\"}");
        files.check();
        for (Path each : List.of(file, audit)) {
            Files.move(each, logs.resolve("canal/" + each.getFileName() + ".1"));
            Files.createFile(each);
        }
        files.check();
        files.check();

        log("server", "after");
        log("audit", "{\"action\":\"after\"}");
        files.check();
        files.check();

        assertThat(Files.readAllLines(file))
                .hasSize(2)
                .first(Assertions.as(InstanceOfAssertFactories.STRING))
                .contains("WARN", "log files were removed or renamed", "audit.log", "canal.log");
        assertThat(Files.readAllLines(audit)).containsExactly("{\"action\":\"after\"}");
        assertThat(Files.readString(logs.resolve("canal/canal.log.1"))).contains("before");
    }

    @Test
    void aRollIsNoRemoval() throws IOException {
        RollingFileAppender<ILoggingEvent> appender =
                (RollingFileAppender<ILoggingEvent>) context.getLogger("audit").getAppender("AUDIT");
        SizeAndTimeBasedRollingPolicy<?> policy = (SizeAndTimeBasedRollingPolicy<?>) appender.getRollingPolicy();
        log("audit", "{\"action\":\"before\"}");
        files.check();
        policy.getTimeBasedFileNamingAndTriggeringPolicy()
                .setCurrentTime(Instant.now().plus(Duration.ofDays(1)).toEpochMilli());
        log("audit", "{\"action\":\"first of the day\"}");
        files.check();
        files.check();
        files.check();

        log("audit", "{\"action\":\"after\"}");

        assertThat(Files.readAllLines(logs.resolve("canal/audit.log")))
                .containsExactly("{\"action\":\"first of the day\"}", "{\"action\":\"after\"}");
        assertThat(logs.resolve("canal/canal.log")).doesNotExist(); // no warning
    }

    /** A log that is rolled has no file between the renaming of one and the creation of the next. */
    @Test
    void aFileThatIsMissingForAMomentIsLeftToTheRoll() throws IOException {
        log("server", "before");
        Path file = logs.resolve("canal/canal.log");
        Files.delete(file);
        files.check();
        assertThat(file).doesNotExist();

        Files.createFile(file);
        files.check();
        Files.delete(file);
        files.check();
        assertThat(file).doesNotExist();
        files.check();
        assertThat(file).exists();
    }

    /** While its log is open, a file that is deleted is made again, empty. */
    @Test
    void theLogsOfAnInstanceThatWasRemovedAreNotMadeAgain() throws IOException {
        InstanceLogs instances = new InstanceLogs(context);
        Set<String> known = new HashSet<>(Set.of("shop", "till"));
        instances.keepOpenFor(() -> known);
        log("server", "before");
        for (String instance : List.of("shop", "till")) {
            context.getMDCAdapter().put("destination", instance);
            log("server", "a line");
            log("io.sluice.store.cursor.CursorLog", "a cursor");
            context.getMDCAdapter().remove("destination");
        }
        long afterwards = System.currentTimeMillis() + 20_000;

        known.remove("shop");
        instances.check(afterwards);
        instances.check(afterwards + 2000);
        Folders.delete(logs.resolve("shop"));
        Folders.delete(logs.resolve("till"));
        files.check();
        files.check();

        assertThat(logs.resolve("shop")).doesNotExist();
        assertThat(logs.resolve("till/till.log")).exists();
        assertThat(logs.resolve("till/meta.log")).exists();
        assertThat(logs.resolve("canal/canal.log")).exists();
    }

    @Test
    void anInstanceThatIsAddedAgainLogsAgain() throws IOException {
        InstanceLogs instances = new InstanceLogs(context);
        Set<String> known = new HashSet<>();
        instances.keepOpenFor(() -> known);
        context.getMDCAdapter().put("destination", "shop");
        log("server", "before");
        long afterwards = System.currentTimeMillis() + 20_000;
        instances.check(afterwards);
        instances.check(afterwards + 2000);

        known.add("shop");
        log("server", "after");
        context.getMDCAdapter().remove("destination");

        assertThat(Files.readString(logs.resolve("shop/shop.log"))).contains("before", "after");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsTriedAgain() throws IOException {
        log("server", "before");
        Folders.delete(logs);
        Files.createFile(logs);
        files.check();
        files.check();
        Files.delete(logs);
        files.check();

        log("server", "after");
        assertThat(Files.readString(logs.resolve("canal/canal.log"))).contains("after");
    }

    /** As of a machine that is resumed, or set by hand to a wrong year. */
    @Test
    void aClockThatIsAYearAheadForAMomentDeletesNothingOfTheAuditLog() throws IOException {
        RollingFileAppender<ILoggingEvent> appender =
                (RollingFileAppender<ILoggingEvent>) context.getLogger("audit").getAppender("AUDIT");
        SizeAndTimeBasedRollingPolicy<?> policy = (SizeAndTimeBasedRollingPolicy<?>) appender.getRollingPolicy();
        log("audit", "{}");
        Instant now = Instant.now();
        List<Path> kept = new ArrayList<>();
        for (int days : new int[] {1, 8}) {
            String day = now.atZone(ZoneId.systemDefault())
                    .toLocalDate()
                    .minusDays(days)
                    .toString();
            Path file = logs.resolve("canal/%s/audit-%s-0.log.gz".formatted(day, day));
            Files.createDirectories(file.getParent());
            kept.add(Files.writeString(file, "compressed"));
        }

        policy.getTimeBasedFileNamingAndTriggeringPolicy()
                .setCurrentTime(now.plus(Duration.ofDays(365)).toEpochMilli());
        log("audit", "{}");
        context.stop(); // waits for what removes old files

        assertThat(kept).allSatisfy(file -> assertThat(file).exists());
    }

    private void log(String name, String message) {
        Logger logger = context.getLogger(name);
        logger.info(message);
    }
}
