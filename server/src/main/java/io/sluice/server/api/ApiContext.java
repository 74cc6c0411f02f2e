package io.sluice.server.api;

import io.sluice.server.port.Admission;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.util.concurrent.ExecutorService;

/** What all connections of the control API use together. All of it is thread-safe. */
record ApiContext(
        ControlRoutes routes,
        Authentication authentication,
        Admission admission,
        CallerLimit connections,
        CallerLimit running,
        RejectionLog rejections,
        ExecutorService workers,
        AuditedCalls calls,
        UnsentAnswers unsent) {}
