package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AuditedCallsTest {
    private static final Route STOP =
            Route.post("/instances/{destination}/stop", ControlRole.OPERATOR, "stop", Set.of(), request -> {
                throw new IllegalStateException("it must not be called");
            });

    private final HandTime time = new HandTime();
    private final AuditedCalls calls = new AuditedCalls(new RecordingOperations(), new AuditLog(time), time);

    @AutoClose
    private final LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO);

    private void stop(String token, String onBehalfOf) {
        Caller caller = new Caller(token, ControlRole.VIEWER, "10.0.0.1", onBehalfOf);
        assertThatThrownBy(() -> calls.requireRole(STOP, caller))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.status()).isEqualTo(403));
    }

    @Test
    void ofManyCallsThatARoleIsTooSmallForFewAreRecordedAndTheirNumber() {
        for (int i = 0; i < 1000; i++) {
            stop("a.viewer", "user" + i);
        }

        assertThat(audit.texts()).hasSize(AuditedCalls.MAX_REFUSED);

        time.pass(Duration.ofMinutes(1));
        calls.recordNotListed();

        assertThat(audit.texts()).hasSize(AuditedCalls.MAX_REFUSED + 1);
        assertThat(audit.texts())
                .last()
                .asString()
                .contains("990 more calls for which the role is too small are not listed", "a.viewer", "\"refused\"");

        calls.recordNotListed();
        assertThat(audit.texts()).as("they are told once").hasSize(AuditedCalls.MAX_REFUSED + 1);
    }

    @Test
    void theirNumberIsRecordedBeforeTheEndOfThePort() {
        for (int i = 0; i < 15; i++) {
            stop("a.viewer", "");
        }

        calls.close();

        assertThat(audit.texts())
                .last()
                .asString()
                .contains("5 more calls for which the role is too small are not listed");
    }

    @Test
    void theCallsOfAnotherTokenAreRecordedNevertheless() {
        for (int i = 0; i < 1000; i++) {
            stop("a.viewer", "");
        }
        stop("other.viewer", "");

        assertThat(audit.texts()).last().asString().contains("other.viewer");
    }
}
