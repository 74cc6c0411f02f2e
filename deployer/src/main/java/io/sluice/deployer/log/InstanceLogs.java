package io.sluice.deployer.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.sift.MDCBasedDiscriminator;
import ch.qos.logback.classic.sift.SiftingAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.sift.AppenderTracker;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes the logs of instances that were removed from the server some seconds after that: as long as they are open, a file that an operator deletes is made
 * again. Logback closes them half an hour after their last line, and only when another one is logged. Works with any {@code logback.xml} that sorts by
 * destination. {@link #keepOpenFor} may be called by any thread, the rest is for one.
 */
public final class InstanceLogs {
    private static final String KEY = "destination";

    private final LoggerContext context;

    /** The instances that the server has; null as long as that is not known. */
    private volatile @Nullable Supplier<Set<String>> known;

    /** The logs that the last check has found to be of none of them: one that is being added may log before it is known. */
    private Set<String> unknown = Set.of();

    /** Closes nothing yet. */
    public InstanceLogs(LoggerContext context) {
        this.context = context;
    }

    /** Sets the instances whose logs stay open. */
    public void keepOpenFor(Supplier<Set<String>> instances) {
        known = instances;
    }

    /**
     * Closes the logs of instances that were not known at the check before, either; they are open for ten more seconds.
     *
     * @param nowMillis the time of the wall clock
     */
    void check(long nowMillis) {
        Supplier<Set<String>> instances = known;
        if (instances == null) {
            return;
        }
        Set<String> kept = instances.get();
        Set<String> others = new HashSet<>();
        context.getLoggerList().forEach(logger -> check(logger.iteratorForAppenders(), kept, others, nowMillis));
        unknown = others;
    }

    private void check(
            Iterator<Appender<ILoggingEvent>> appenders, Set<String> kept, Set<String> others, long nowMillis) {
        while (appenders.hasNext()) {
            Appender<ILoggingEvent> appender = appenders.next();
            if (appender instanceof SiftingAppender sifting
                    && sifting.getDiscriminator() instanceof MDCBasedDiscriminator sorting
                    && KEY.equals(sorting.getKey())) {
                synchronized (sifting) { // as it does when it logs
                    check(sifting.getAppenderTracker(), sorting.getDefaultValue(), kept, others, nowMillis);
                }
            } else if (appender instanceof AsyncAppender async) {
                check(async.iteratorForAppenders(), kept, others, nowMillis);
            }
        }
    }

    private void check(
            AppenderTracker<ILoggingEvent> open, String server, Set<String> kept, Set<String> others, long nowMillis) {
        for (String name : Set.copyOf(open.allKeys())) {
            if (!name.equals(server) && !kept.contains(name)) {
                others.add(name);
                if (unknown.contains(name)) {
                    open.endOfLife(name);
                }
            }
        }
        open.removeStaleComponents(nowMillis);
    }
}
