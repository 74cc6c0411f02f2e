package io.sluice.stream.source.watch;

import java.time.Duration;

/**
 * Options of the probe that checks whether a source is alive, on a connection of its own.
 *
 * @param sql the statement; its result does not matter
 * @param interval how long to wait between two questions, and for each answer
 * @param threshold how many failures in a row are borne
 * @param switchesHost whether one more failure switches to the next host; if not, it is only logged
 */
public record ProbeOptions(String sql, Duration interval, int threshold, boolean switchesHost) {}
