package io.sluice.stream.source;

import java.time.Duration;

/**
 * How a source is asked whether it is alive, on a connection of its own.
 *
 * @param sql the statement; its result does not matter
 * @param interval how long to wait between two questions, and for each answer
 * @param threshold how many failures in a row are borne
 * @param switchesHost whether one more makes the next host the source; if not, it is only said
 */
public record ProbeOptions(String sql, Duration interval, int threshold, boolean switchesHost) {}
