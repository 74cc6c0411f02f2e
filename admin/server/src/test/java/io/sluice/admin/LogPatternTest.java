package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.status.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client or a server has sent cannot look like a line of the log, nor control the terminal that shows it. */
class LogPatternTest {
    private static final Path FILE = Path.of("src/main/package/conf/logback.xml");

    @TempDir
    Path directory;

    @Test
    void eachMessageOfThePackageIsOneLineOfText() throws Exception {
        LoggerContext context = new LoggerContext();

        assertThat(log(context, "a\r\nb\u001B[31m\tc\u2028\u0085d 'e' é", null))
                .allMatch(text -> text.endsWith(" WARN  test - a  b [31m\tc  d 'e' é\n"));
    }

    @Test
    void eachMessageOfAnExceptionIsOneLineOfText() throws Exception {
        Exception cause = new SQLException("forged\r\n2026-03-01 ERROR test - \u001b[31mred");
        Exception failure = new IllegalStateException("first\nsecond", cause);
        failure.addSuppressed(new IllegalStateException("third\nfourth"));

        assertThat(log(new LoggerContext(), "it fails", failure))
                .allSatisfy(text -> assertThat(text.lines())
                        .contains(
                                "java.lang.IllegalStateException: first second",
                                "\tSuppressed: java.lang.IllegalStateException: third fourth",
                                "Caused by: java.sql.SQLException: forged  2026-03-01 ERROR test -  [31mred")
                        .anyMatch(line -> line.startsWith("\tat io.sluice.admin.LogPatternTest"))
                        .noneMatch(line -> line.startsWith("2026-03-01") || line.contains("\u001b")));
    }

    /** As the exceptions of JNDI do. */
    @SuppressWarnings("OverrideThrowableToString")
    @Test
    void theTextOfAnExceptionWithItsOwnToStringIsShown() throws Exception {
        Exception failure = new IllegalStateException("m") {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                return "no lookup: m; remaining name\n'a'";
            }
        };

        assertThat(log(new LoggerContext(), "it fails", failure))
                .allSatisfy(text -> assertThat(text.lines()).contains("no lookup: m; remaining name 'a'"));
    }

    /** What the encoders of the package's appenders write for one event; they are made as the server makes them. */
    private List<String> log(LoggerContext context, String message, @Nullable Throwable failure) throws Exception {
        context.putProperty("sluice.logs", directory.toString());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(FILE.toFile());
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .noneMatch(status -> status.getLevel() >= Status.WARN);
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        LoggingEvent event = new LoggingEvent("test", context.getLogger("test"), Level.WARN, message, failure, null);
        List<String> texts = new ArrayList<>();
        root.iteratorForAppenders()
                .forEachRemaining(appender -> texts.add(new String(
                        ((OutputStreamAppender<ILoggingEvent>) appender)
                                .getEncoder()
                                .encode(event),
                        StandardCharsets.UTF_8)));
        context.stop();
        assertThat(texts).hasSize(2);
        return texts;
    }
}
