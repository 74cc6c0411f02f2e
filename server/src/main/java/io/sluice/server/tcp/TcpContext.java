package io.sluice.server.tcp;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.Login;
import io.sluice.server.port.RefusalLog;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** What all connections of the port where clients pull use together. All of it is thread-safe. */
record TcpContext(
        TcpConfig config,
        Login login,
        LateAnswers lateAnswers,
        Admission admission,
        RefusalLog refusals,
        ClientCounts counts,
        SubscriptionLog subscriptions,
        Destinations destinations,
        Executor workers,
        SecureRandom random,
        Time time) {}
