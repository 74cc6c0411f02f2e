package io.sluice.server.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AuditLogTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("audit");
    private final AuditLog audit = new AuditLog(new HandTime());

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void aRecordIsOneLineOfJson() {
        audit.record(new AuditEntry(Actor.of("admin", "127.0.0.1:4711"), "stop", "shop", "running", "stopped", true));

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "{\"time\":\"2023-11-14T22:13:20Z\",\"who\":\"admin\",\"onBehalfOf\":\"\",\"remote\":\"127.0.0.1:4711\","
                                + "\"action\":\"stop\",\"destination\":\"shop\",\"before\":\"running\",\"after\":\"stopped\","
                                + "\"done\":true}");
    }

    @Test
    void whatAClientSendsCanForgeNoLineAndFillNone() throws Exception {
        audit.record(new AuditEntry(
                Actor.of("x\"}\r\n{\"who\":\"admin{}", "r"), "login", "a".repeat(10_000), "", "", false));

        String line = lines.list.get(0).getFormattedMessage();
        assertThat(line).doesNotContain("\n", "\r").hasSizeLessThan(800);
        assertThat(new ObjectMapper().readTree(line).get("who").asText()).isEqualTo("x\"}\r\n{\"who\":\"admin{}");
    }
}
