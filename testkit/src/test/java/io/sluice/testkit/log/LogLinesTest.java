package io.sluice.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class LogLinesTest {
    private static final String NAME = LogLinesTest.class.getName();

    private final Logger log = LoggerFactory.getLogger(LogLinesTest.class);

    @Test
    void linesAreCollectedFromItsBeginUntilItsEnd() {
        log.warn("before");
        LogLines lines = LogLines.of(LogLinesTest.class);
        log.warn("one");
        LoggerFactory.getLogger(NAME + ".below").error("two");
        lines.close();
        log.warn("after");

        assertThat(lines.texts()).containsExactly("one", "two");
        assertThat(lines.texts(Level.WARN)).containsExactly("one");
        assertThat(lines.warnings()).containsExactly("one", "two");
    }

    @Test
    void theLevelIsThatOfBeforeAtTheEnd() {
        ch.qos.logback.classic.Logger logger = (ch.qos.logback.classic.Logger) log;
        assertThat(logger.isTraceEnabled()).isFalse();
        try (LogLines lines = LogLines.of(NAME, Level.TRACE)) {
            log.trace("fine");
            assertThat(lines.texts()).containsExactly("fine");
            assertThat(lines.warnings()).isEmpty();
        }
        assertThat(logger.getLevel()).isNull();
        assertThat(logger.isAdditive()).isTrue();
        assertThat(logger.isTraceEnabled()).isFalse();
    }

    @Test
    void oneThatSetsNoLevelRestoresNone() {
        ch.qos.logback.classic.Logger logger = (ch.qos.logback.classic.Logger) log;
        LogLines plain = LogLines.of(NAME);
        try (LogLines fine = LogLines.of(NAME, Level.TRACE)) {
            plain.close();
            log.trace("fine");
            assertThat(fine.texts()).containsExactly("fine");
            assertThatThrownBy(() -> LogLines.of(NAME, Level.INFO)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(logger.getLevel()).isNull();
        assertThat(logger.isAdditive()).isTrue();
    }

    @Test
    void aLineIsAsItWasWhenItWasLogged() {
        AtomicInteger number = new AtomicInteger(1);
        try (LogLines lines = LogLines.of(LogLinesTest.class)) {
            try (MDC.MDCCloseable context = MDC.putCloseable("destination", "shop")) {
                assertThat(context).isNotNull();
                log.warn("number={}", number);
            }
            number.set(2);

            assertThat(lines.texts()).containsExactly("number=1");
            assertThat(lines.events().get(0).getMDCPropertyMap()).containsEntry("destination", "shop");
            lines.clear();
            assertThat(lines.events()).isEmpty();
        }
    }
}
