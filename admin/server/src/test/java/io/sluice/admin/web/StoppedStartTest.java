package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.admin.AdminApplication;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

class StoppedStartTest {
    /** Closes the context before others learn that the server is ready, as the hook does that a signal runs. */
    private record Stop(Runnable before) implements ApplicationListener<ApplicationReadyEvent>, Ordered {
        @Override
        public void onApplicationEvent(ApplicationReadyEvent ready) {
            before.run();
            ready.getApplicationContext().close();
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @TempDir
    Path data;

    @Test
    void aStopDuringTheStartIsNoFailure() {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        SpringApplication application = new SpringApplication(AdminApplication.class);
        Logger ours = (Logger) LoggerFactory.getLogger(StoppedStart.class);
        application.addListeners(new Stop(
                () -> { // only then, since the start configures the log
                    root.addAppender(log);
                    ours.setLevel(Level.INFO);
                }));
        try {
            Throwable end = catchThrowable(() -> application.run(
                    "--server.port=0",
                    "--spring.main.register-shutdown-hook=false",
                    "--sluice.database.file=" + data.resolve("admin.db"),
                    "--sluice.account.initial-password-file=" + data.resolve("initial-password")));

            assertThat(end).isNotNull();
        } finally {
            root.detachAppender(log);
            ours.setLevel(null);
        }
        assertThat(log.list)
                .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .noneMatch(event -> event.getThrowableProxy() != null)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("the admin server was stopped while it started");
    }
}
