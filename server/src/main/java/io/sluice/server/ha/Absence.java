package io.sluice.server.ha;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a destination which this server wants does not run here, and no other server is known to run it.
 *
 * @param hasFailed whether it has failed here, and no other server has run it since
 * @param lasting for how long no server has been known to run it
 * @param retryAt when it is tried here again; null if it does not rest after a failure
 */
public record Absence(
        boolean hasFailed, Duration lasting, @Nullable Instant retryAt) {}
