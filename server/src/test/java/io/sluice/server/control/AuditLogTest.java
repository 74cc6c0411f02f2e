package io.sluice.server.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    @AutoClose
    private final LogLines lines = LogLines.of("audit", Level.INFO);

    private final AuditLog audit = new AuditLog(new HandTime());

    @Test
    void aRecordIsOneLineOfJson() {
        audit.record(new AuditEntry(Actor.of("admin", "127.0.0.1:4711"), "stop", "shop", "running", "stopped", true));

        assertThat(lines.texts())
                .containsExactly(
                        "{\"time\":\"2023-11-14T22:13:20Z\",\"who\":\"admin\",\"onBehalfOf\":\"\",\"remote\":\"127.0.0.1:4711\","
                                + "\"action\":\"stop\",\"destination\":\"shop\",\"before\":\"running\",\"after\":\"stopped\","
                                + "\"done\":true}");
    }

    @Test
    void whatAClientSendsCanForgeNoLineAndFillNone() throws Exception {
        audit.record(new AuditEntry(
                Actor.of("x\"}\r\n{\"who\":\"admin{}", "r"), "login", "a".repeat(10_000), "", "", false));

        String line = lines.texts().get(0);
        assertThat(line).doesNotContain("\n", "\r").hasSizeLessThan(800);
        assertThat(new ObjectMapper().readTree(line).get("who").asText()).isEqualTo("x\"}\r\n{\"who\":\"admin{}");
    }
}
