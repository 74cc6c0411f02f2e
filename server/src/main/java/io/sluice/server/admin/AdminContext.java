package io.sluice.server.admin;

import io.sluice.server.port.Admission;
import io.sluice.server.port.Login;
import io.sluice.server.port.LoginThrottle;
import io.sluice.server.port.RefusalLog;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** What all connections of the management port use together. All of it is thread-safe. */
record AdminContext(
        Limits limits,
        boolean isEncrypted,
        Login login,
        LoginThrottle throttle,
        Logins logins,
        Admission admission,
        RefusalLog refusals,
        Requests requests,
        Executor workers,
        SecureRandom random) {}
