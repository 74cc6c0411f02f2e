package io.sluice.deployer.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.sift.SiftingAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Opens the files of logs again that were removed or renamed while they are written. The system lets a process write into a file that has no name any more, so
 * without this nothing is logged until the next roll, and nothing reports it. Works with any {@code logback.xml}. For one thread.
 */
public final class RemovedLogFiles {
    private static final long PERIOD_MILLIS = 1000;

    private final LoggerContext context;
    private final Logger log;

    /** Those that the last check has missed: a log that is rolled has no file for a moment. */
    private Set<String> missing = Set.of();

    /** Whether the last attempt to open one has failed, which is logged once. */
    private boolean failing;

    RemovedLogFiles(LoggerContext context) {
        this.context = context;
        this.log = context.getLogger(RemovedLogFiles.class);
    }

    /** Checks the files every second, as long as the process runs. */
    public static void watch(LoggerContext context) {
        RemovedLogFiles files = new RemovedLogFiles(context);
        ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "log-files");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused =
                checks.scheduleWithFixedDelay(files::checkOrLog, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void checkOrLog() {
        try {
            check();
        } catch (Throwable e) { // the top of the task: one that got out would end the checks in silence
            log.debug("the files of logs were not checked", e);
        }
    }

    /** Opens those that are missing, as they were at the check before. */
    void check() {
        Map<String, FileAppender<ILoggingEvent>> found = missingFiles();
        List<String> opened = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        found.forEach((file, appender) -> {
            if (missing.contains(file)) {
                try {
                    appender.openFile(file);
                    opened.add(file);
                } catch (IOException e) {
                    failures.add(e.toString());
                }
            }
        });
        missing = Set.copyOf(found.keySet());
        if (!opened.isEmpty()) {
            log.warn(
                    "log files were removed while the server wrote them, so what was logged before this line is lost; they are made again: files={}",
                    opened);
        }
        if (!failures.isEmpty() && !failing) {
            log.warn("log files were removed and cannot be made again, so nothing is logged there: cause={}", failures);
        }
        failing = !failures.isEmpty();
    }

    private Map<String, FileAppender<ILoggingEvent>> missingFiles() {
        Map<String, FileAppender<ILoggingEvent>> all = new TreeMap<>();
        context.getLoggerList().forEach(logger -> addMissing(logger.iteratorForAppenders(), all));
        return all;
    }

    private static void addMissing(
            Iterator<Appender<ILoggingEvent>> appenders, Map<String, FileAppender<ILoggingEvent>> all) {
        while (appenders.hasNext()) {
            Appender<ILoggingEvent> appender = appenders.next();
            if (appender instanceof FileAppender<ILoggingEvent> file) {
                String name = file.getFile();
                if (file.isStarted() && name != null && !Files.exists(Path.of(name))) {
                    all.put(name, file);
                }
            } else if (appender instanceof SiftingAppender sifting) {
                List<Appender<ILoggingEvent>> components;
                synchronized (sifting) { // as it does when it makes one
                    components = new ArrayList<>(sifting.getAppenderTracker().allComponents());
                }
                addMissing(components.iterator(), all);
            } else if (appender instanceof AsyncAppender async) {
                addMissing(async.iteratorForAppenders(), all);
            }
        }
    }
}
