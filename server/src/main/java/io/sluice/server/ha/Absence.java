package io.sluice.server.ha;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a destination that should run on this server, and runs on no known server.
 *
 * @param hasFailed whether it has failed here, and no other server has run it since
 * @param lasting for how long no server has been known to run it
 * @param retryAt when it is retried here; null without a back-off after a failure
 */
public record Absence(
        boolean hasFailed, Duration lasting, @Nullable Instant retryAt) {}
