package io.sluice.server.admin;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.Actor;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.port.NetworkLineRate;
import java.net.InetAddress;

/**
 * Records the logins. Of those that fail, few per second, so that they cannot push what matters out of the audit log. A network cannot hide
 * the failures of others. Thread-safe.
 */
final class Logins {
    private static final String ACTION = "login";
    private static final int FAILURES_PER_SECOND = 2;

    private final AuditLog audit;
    private final NetworkLineRate rate;

    /** @param time measures the seconds */
    Logins(AuditLog audit, Time time) {
        this.audit = audit;
        this.rate = new NetworkLineRate(time, FAILURES_PER_SECOND);
    }

    void succeeded(Session by) {
        audit.record(new AuditEntry(by.actor(), ACTION, "", "", "", true));
    }

    void failed(Session by, InetAddress address, String why) {
        long leftOut = rate.takeLeftOut();
        if (leftOut > 0) {
            audit.record(new AuditEntry(
                    Actor.of("", ""), ACTION, "", "", leftOut + " more failed logins are not listed", false));
        }
        if (rate.allows(address)) {
            audit.record(new AuditEntry(by.actor(), ACTION, "", "", why, false));
        }
    }
}
