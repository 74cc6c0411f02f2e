package io.sluice.server.api;

import io.sluice.server.control.AuditLog;
import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginThrottle;
import io.sluice.server.port.RefusalLog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;

/** What all connections of the control API use together. All of it is thread-safe. */
record ApiContext(
        List<Route> routes,
        AccessList access,
        Map<String, String> certificates,
        LoginThrottle throttle,
        AuditLog audit,
        Admission admission,
        RefusalLog refusals,
        ExecutorService workers,
        AuditedCalls calls) {}
