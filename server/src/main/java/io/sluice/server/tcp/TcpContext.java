package io.sluice.server.tcp;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.RejectionLog;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** What all connections of the port where clients pull use together. All of it is thread-safe. */
record TcpContext(
        TcpConfig config,
        LoginCheck login,
        LateAnswers lateAnswers,
        Admission admission,
        RejectionLog rejections,
        ClientCounts counts,
        SubscriptionLog subscriptions,
        Destinations destinations,
        Executor workers,
        SecureRandom random,
        Time time) {}
