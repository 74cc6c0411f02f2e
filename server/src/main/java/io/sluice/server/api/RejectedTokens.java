package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.server.control.Actor;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;

/**
 * Records the tokens that were rejected. Those of an address that has to wait are only counted, so that they cannot push what matters out of
 * the audit log; their number comes before the next one that is recorded, and at the end. Thread-safe.
 */
final class RejectedTokens implements AutoCloseable {
    private static final String ACTION = "login";

    private final AuditLog audit;

    @GuardedBy("this") private long notListed;

    RejectedTokens(AuditLog audit) {
        this.audit = audit;
    }

    /** Records a rejected token of an address. */
    void add(String address) {
        addCount();
        audit.record(new AuditEntry(Actor.of("", address), ACTION, "", "", "a wrong token", false));
    }

    /** Counts a rejected token of an address that has to wait. */
    synchronized void count() {
        notListed++;
    }

    private void addCount() {
        long count = takeCount();
        if (count > 0) {
            audit.record(new AuditEntry(
                    Actor.of("", ""), ACTION, "", "", count + " more wrong tokens are not listed", false));
        }
    }

    private synchronized long takeCount() {
        long count = notListed;
        notListed = 0;
        return count;
    }

    /** Records how many were counted. */
    @Override
    public void close() {
        addCount();
    }
}
