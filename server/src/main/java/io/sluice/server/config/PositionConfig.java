package io.sluice.server.config;

import java.time.Duration;

/**
 * How positions are kept.
 *
 * @param showsGtids whether entries state the executed GTID set
 * @param keepsGtids whether cursors have it where the source has GTIDs on; the source is read by them then
 * @param fallback how far before the last known time another server is read from, where there are no GTIDs
 */
public record PositionConfig(boolean showsGtids, boolean keepsGtids, Duration fallback) {}
