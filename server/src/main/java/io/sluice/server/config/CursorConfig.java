package io.sluice.server.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where an instance keeps how far it was read.
 *
 * @param kind what keeps it
 * @param directory the instance's own directory below {@code canal.file.data.dir}
 * @param flushPeriod how long a moved cursor may stay unwritten
 */
public record CursorConfig(CursorKind kind, Path directory, Duration flushPeriod) {}
