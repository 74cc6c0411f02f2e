package io.sluice.server.config;

import java.time.Duration;

/**
 * How the source is asked whether it is alive.
 *
 * @param enabled whether it is asked at all
 * @param sql the question
 * @param interval how often
 * @param retries how many failures in a row are forgiven
 * @param switchesHost whether one more makes the next server the source
 */
public record ProbeConfig(boolean enabled, String sql, Duration interval, int retries, boolean switchesHost) {}
