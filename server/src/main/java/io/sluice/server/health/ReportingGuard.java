package io.sluice.server.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Runs parts of a periodic task that samples instances: a defect in one part neither ends the task nor hides the other parts, and it does
 * not fill the log. Thread-safe.
 */
public final class ReportingGuard {
    /** How long a failure of the same kind is not logged again. */
    static final Duration QUIET = Duration.ofHours(1);

    private static final int MAX_KINDS = 1000;

    private final Time time;
    private final BiConsumer<String, Throwable> log;

    /** When each kind of failure was logged last. */
    @GuardedBy("loggedNanos") private final Map<String, Long> loggedNanos = new HashMap<>();

    /**
     * Creates a guard.
     *
     * @param time measures the time between two lines about the same
     * @param log logs that a part has failed, with the stack trace; called once an hour at most for a part and a kind of failure
     */
    public ReportingGuard(Time time, BiConsumer<String, Throwable> log) {
        this.time = time;
        this.log = log;
    }

    /** Runs a part of the task, such as what is done for an instance; the name of the part is for the log. */
    public void run(String part, Runnable work) {
        boolean unused = get(
                part,
                () -> {
                    work.run();
                    return true;
                },
                false);
    }

    /** Runs a part of the task that has a result. */
    public <T> T get(String part, Supplier<T> work, T ifItFails) {
        try {
            return work.get();
        } catch (
                Throwable
                        e) { // also an Error, such as a stack overflow: what reports must not end what it reports about
            if (isNew(part + ' ' + e.getClass().getName())) {
                log.accept(part, e);
            }
            return ifItFails;
        }
    }

    private boolean isNew(String kind) {
        synchronized (loggedNanos) {
            long now = time.nanos();
            Long logged = loggedNanos.get(kind);
            if (logged == null && loggedNanos.size() >= MAX_KINDS) {
                loggedNanos.values().removeIf(then -> now - then >= QUIET.toNanos());
            }
            boolean isNew = logged == null ? loggedNanos.size() < MAX_KINDS : now - logged >= QUIET.toNanos();
            if (isNew) {
                loggedNanos.put(kind, now);
            }
            return isNew;
        }
    }
}
