package io.sluice.server.config;

import java.time.Duration;

/**
 * How a source that falls silent is noticed.
 *
 * @param silence how long nothing may come before its connection is given up; zero for ever
 * @param heartbeat after how long without an event the source is to say that it is there
 */
public record LivenessConfig(Duration silence, Duration heartbeat) {}
