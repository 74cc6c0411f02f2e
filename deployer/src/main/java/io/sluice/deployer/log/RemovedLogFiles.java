package io.sluice.deployer.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.sift.SiftingAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Opens the files of logs again that were removed or renamed while they are written, also if another file has the name since then, as of logrotate. The system
 * lets a process write into a file that has no name any more, so without this nothing is logged until the next roll, and nothing reports it. Works with any
 * {@code logback.xml}. For one thread.
 */
public final class RemovedLogFiles {
    private static final long PERIOD_MILLIS = 1000;

    private final LoggerContext context;
    private final Logger log;

    /** What is found where there is no file; no key of one. */
    private static final Object NOTHING = "";

    /** What the last check has found in place of files that are written: a log that is rolled has no file for a moment. */
    private Map<String, Object> missing = Map.of();

    /** What each open file was when it was seen first, by its name. */
    private Map<String, Opened> known = Map.of();

    /**
     * A file that is written.
     *
     * @param stream another one after each roll
     * @param key identifies the file, whatever its name
     */
    private record Opened(Object stream, Object key) {}

    /** Whether the last attempt to open one has failed, which is logged once. */
    private boolean failing;

    RemovedLogFiles(LoggerContext context) {
        this.context = context;
        this.log = context.getLogger(RemovedLogFiles.class);
    }

    /** Checks the files every second, as long as the process runs, and closes those of instances that were removed. */
    public static void watch(LoggerContext context, InstanceLogs instances, Time time) {
        RemovedLogFiles files = new RemovedLogFiles(context);
        ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "log-files");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused = checks.scheduleWithFixedDelay(
                () -> files.checkOrLog(instances, time), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void checkOrLog(InstanceLogs instances, Time time) {
        try {
            check();
            instances.check(time.millis());
        } catch (Throwable e) { // the top of the task: one that got out would end the checks in silence
            log.debug("the files of logs were not checked", e);
        }
    }

    /** Opens those that are missing, as they were at the check before. */
    void check() {
        Map<String, Object> found = new TreeMap<>();
        Map<String, Opened> seen = new HashMap<>();
        List<String> opened = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        appenders().forEach((file, appender) -> {
            Opened own = seen(file, appender);
            Object now = keyOf(file);
            if (own != null) {
                seen.put(file, own);
            }
            if (now.equals(own == null ? now : own.key()) && now != NOTHING) {
                return;
            }
            found.put(file, now);
            if (now.equals(missing.get(file))) {
                try {
                    appender.openFile(file);
                    seen.remove(file);
                    opened.add(file);
                } catch (IOException e) {
                    failures.add(e.toString());
                }
            }
        });
        missing = found;
        known = seen;
        if (!opened.isEmpty()) {
            log.warn(
                    "log files were removed or renamed while the server wrote them, so what was logged before this line is lost, or in the files that were renamed; they are made again: files={}",
                    opened);
        }
        if (!failures.isEmpty() && !failing) {
            log.warn("log files were removed and cannot be made again, so nothing is logged there: cause={}", failures);
        }
        failing = !failures.isEmpty();
    }

    /** Returns what an appender writes; null if that is not known, as while it is rolled. */
    private @Nullable Opened seen(String file, FileAppender<ILoggingEvent> appender) {
        Object stream = appender.getOutputStream();
        Opened before = known.get(file);
        if (stream == null || before != null && before.stream() == stream) {
            return stream == null ? null : before;
        }
        Object key = keyOf(file);
        return key == NOTHING || appender.getOutputStream() != stream ? null : new Opened(stream, key);
    }

    /** Returns what identifies the file of a name; the same for all where the system has no such keys, so that only their absence counts. */
    private static Object keyOf(String file) {
        try {
            Object key = Files.readAttributes(Path.of(file), BasicFileAttributes.class)
                    .fileKey();
            return key == null ? file : key;
        } catch (IOException e) {
            return NOTHING;
        }
    }

    private Map<String, FileAppender<ILoggingEvent>> appenders() {
        Map<String, FileAppender<ILoggingEvent>> all = new TreeMap<>();
        context.getLoggerList().forEach(logger -> addAll(logger.iteratorForAppenders(), all));
        return all;
    }

    private static void addAll(
            Iterator<Appender<ILoggingEvent>> appenders, Map<String, FileAppender<ILoggingEvent>> all) {
        while (appenders.hasNext()) {
            Appender<ILoggingEvent> appender = appenders.next();
            if (appender instanceof FileAppender<ILoggingEvent> file) {
                String name = file.getFile();
                if (file.isStarted() && name != null) {
                    all.put(name, file);
                }
            } else if (appender instanceof SiftingAppender sifting) {
                List<Appender<ILoggingEvent>> components;
                synchronized (sifting) { // as it does when it makes one
                    components = new ArrayList<>(sifting.getAppenderTracker().allComponents());
                }
                addAll(components.iterator(), all);
            } else if (appender instanceof AsyncAppender async) {
                addAll(async.iteratorForAppenders(), all);
            }
        }
    }
}
