package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.admin.AdminApplication;
import io.sluice.testkit.log.LogLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        SpringApplication application = new SpringApplication(AdminApplication.class);
        List<LogLines> logs = new ArrayList<>();
        application.addListeners(new Stop(
                () -> { // only then, since the start configures the log
                    logs.add(LogLines.ofAll());
                    logs.add(LogLines.of(StoppedStart.class.getName(), Level.INFO));
                }));
        Throwable end;
        try {
            end = catchThrowable(() -> application.run(
                    "--server.port=0",
                    "--spring.main.register-shutdown-hook=false",
                    "--sluice.database.file=" + data.resolve("admin.db"),
                    "--sluice.account.initial-password-file=" + data.resolve("initial-password")));
        } finally {
            logs.forEach(LogLines::close);
        }

        assertThat(end).isNotNull();
        assertThat(logs)
                .flatMap(LogLines::events)
                .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .noneMatch(event -> event.getThrowableProxy() != null)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("the admin server was stopped while it started");
    }
}
