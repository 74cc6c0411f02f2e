package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Refuses addresses for a while from which too many wrong tokens came. Safe for use by several threads. */
final class LoginGuard {
    private static final int MAX_FAILURES = 10;
    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_ADDRESSES = 10_000;

    private final Time time;

    /** The oldest first. */
    @GuardedBy("this") private final Map<String, Failures> failures = new LinkedHashMap<>();

    private static final class Failures {
        private long sinceNanos;
        private int count;
    }

    LoginGuard(Time time) {
        this.time = time;
    }

    /** Whether nothing of an address is looked at now. */
    synchronized boolean isBlocked(String address) {
        Failures found = failures.get(address);
        if (found == null) {
            return false;
        }
        if (time.nanos() - found.sinceNanos >= PERIOD_NANOS) {
            failures.remove(address);
            return false;
        }
        return found.count >= MAX_FAILURES;
    }

    synchronized void failed(String address) {
        Failures found = failures.computeIfAbsent(address, unknown -> {
            Failures first = new Failures();
            first.sinceNanos = time.nanos();
            return first;
        });
        found.count++;
        if (failures.size() > MAX_ADDRESSES) {
            failures.remove(failures.keySet().iterator().next());
        }
    }
}
