package io.sluice.stream.differential;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Collects the warnings by which a schema did not follow from DDL alone. */
final class SchemaWarnings implements AutoCloseable {
    private static final List<String> PARTS =
            List.of("the effect of a DDL is unknown", "row image", "has other columns than the DDL");

    private final List<String> warnings = new ArrayList<>();
    private final Logger logger = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("io.sluice");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            String text = event.getFormattedMessage();
            if (event.getLevel().isGreaterOrEqual(Level.WARN) && PARTS.stream().anyMatch(text::contains)) {
                add(text);
            }
        }
    };

    SchemaWarnings() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    private synchronized void add(String warning) {
        warnings.add(warning);
    }

    /** The warnings since the last call. */
    synchronized List<String> take() {
        List<String> taken = List.copyOf(warnings);
        warnings.clear();
        return taken;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
