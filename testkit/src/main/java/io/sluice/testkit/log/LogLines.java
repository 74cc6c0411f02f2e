package io.sluice.testkit.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Collects what a logger, and those below it, log from now on until it is closed: a field with {@code @AutoClose}, or the resource of a {@code
 * try}. Thread-safe.
 */
public final class LogLines implements AutoCloseable {
    private final Logger logger;

    /** Has the logger log as before. */
    private Runnable restore = () -> {};

    private final List<ILoggingEvent> events = Collections.synchronizedList(new ArrayList<>());

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing(); // its arguments and its context may change
            events.add(event);
        }
    };

    private LogLines(Logger logger) {
        this.logger = logger;
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /** Collects what a class logs. */
    public static LogLines of(Class<?> type) {
        return of(type.getName());
    }

    /** Collects what a logger logs; that of a package gets what its classes log. */
    public static LogLines of(String logger) {
        return new LogLines((Logger) LoggerFactory.getLogger(logger));
    }

    /** Collects what all log. */
    public static LogLines ofAll() {
        return of(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /**
     * Collects what a logger logs from a level on, which it may not do otherwise, and keeps it out of the output of the tests.
     *
     * @throws IllegalStateException if another one does so with the same logger: it would not know what to restore
     */
    public static LogLines of(String logger, Level level) {
        LogLines lines = of(logger);
        lines.setLevel(level);
        return lines;
    }

    private void setLevel(Level level) {
        if (!logger.isAdditive()) {
            close();
            throw new IllegalStateException("the level of this logger is set by others: " + logger.getName());
        }
        Level before = logger.getLevel();
        logger.setLevel(level);
        logger.setAdditive(false);
        restore = () -> {
            logger.setAdditive(true);
            logger.setLevel(before);
        };
    }

    /** All lines so far, without their exceptions. */
    public List<String> texts() {
        return texts(events().stream());
    }

    /** The lines so far of one level, without their exceptions. */
    public List<String> texts(Level level) {
        return texts(events().stream().filter(event -> event.getLevel() == level));
    }

    /** The lines so far of level {@code WARN} and higher, without their exceptions. */
    public List<String> warnings() {
        return texts(events().stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN)));
    }

    private static List<String> texts(Stream<ILoggingEvent> events) {
        return events.map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** All so far, for what is more than their texts. */
    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** Forgets what was logged so far. */
    public void clear() {
        events.clear();
    }

    /** Collects no more, and has the logger log as before; what was collected is kept. */
    @Override
    public void close() {
        logger.detachAppender(appender);
        restore.run();
        appender.stop();
    }
}
