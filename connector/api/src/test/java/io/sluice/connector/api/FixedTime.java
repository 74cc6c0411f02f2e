package io.sluice.connector.api;

import io.sluice.protocol.time.Time;

/** Time that does not pass. */
public record FixedTime(long nanos, long millis) implements Time {}
