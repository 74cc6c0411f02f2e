package io.sluice.server.admin;

import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** What all connections of the management port use together. All of it is thread-safe. */
record AdminContext(
        Limits limits,
        boolean isEncrypted,
        LoginCheck login,
        LoginDelay loginDelay,
        Logins logins,
        Admission admission,
        RejectionLog rejections,
        Requests requests,
        Executor workers,
        SecureRandom random) {}
