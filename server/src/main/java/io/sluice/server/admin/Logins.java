package io.sluice.server.admin;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.Actor;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.port.LineRate;

/** Records the logins. Of those that fail, few per second, so that they cannot push what matters out of the audit log. Thread-safe. */
final class Logins {
    private static final String ACTION = "login";
    private static final int FAILURES_PER_SECOND = 2;

    private final AuditLog audit;
    private final LineRate rate;

    /** @param time measures the seconds */
    Logins(AuditLog audit, Time time) {
        this.audit = audit;
        this.rate = new LineRate(time, FAILURES_PER_SECOND);
    }

    void succeeded(Session by) {
        audit.record(new AuditEntry(by.actor(), ACTION, "", "", "", true));
    }

    void failed(Session by, String why) {
        long leftOut = rate.takeLeftOut();
        if (leftOut > 0) {
            audit.record(new AuditEntry(
                    Actor.of("", ""), ACTION, "", "", leftOut + " more failed logins are not listed", false));
        }
        if (rate.allows()) {
            audit.record(new AuditEntry(by.actor(), ACTION, "", "", why, false));
        }
    }
}
