package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.server.config.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AuditedCallsTest {
    private static final Route STOP =
            Route.post("/instances/{destination}/stop", ControlRole.OPERATOR, "stop", Set.of(), request -> {
                throw new IllegalStateException("it must not be called");
            });

    private final HandTime time = new HandTime();
    private final AuditedCalls calls = new AuditedCalls(new RecordingOperations(), new AuditLog(time), time);
    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);

    @BeforeEach
    void listen() {
        audit.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(audit);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(audit);
        logger.setLevel(null);
    }

    private List<String> lines() {
        return audit.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

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

        assertThat(lines()).hasSize(AuditedCalls.MAX_REFUSED);

        time.pass(Duration.ofMinutes(1));
        calls.recordNotListed();

        assertThat(lines()).hasSize(AuditedCalls.MAX_REFUSED + 1);
        assertThat(lines())
                .last()
                .asString()
                .contains("990 more calls for which the role is too small are not listed", "a.viewer", "\"refused\"");

        calls.recordNotListed();
        assertThat(lines()).as("they are told once").hasSize(AuditedCalls.MAX_REFUSED + 1);
    }

    @Test
    void theirNumberIsRecordedBeforeTheEndOfThePort() {
        for (int i = 0; i < 15; i++) {
            stop("a.viewer", "");
        }

        calls.close();

        assertThat(lines()).last().asString().contains("5 more calls for which the role is too small are not listed");
    }

    @Test
    void theCallsOfAnotherTokenAreRecordedNevertheless() {
        for (int i = 0; i < 1000; i++) {
            stop("a.viewer", "");
        }
        stop("other.viewer", "");

        assertThat(lines()).last().asString().contains("other.viewer");
    }
}
