package io.sluice.server.ha;

import java.time.Duration;

/**
 * An owner that has lost the destination, or was asked to leave it.
 *
 * @param epoch its number
 * @param heartbeat the name of the heartbeat that is written with each renewal of its lease
 * @param lease how long after each of them its lease may be held, or that of an owner before it
 */
public record FormerOwner(long epoch, String heartbeat, Duration lease) {}
