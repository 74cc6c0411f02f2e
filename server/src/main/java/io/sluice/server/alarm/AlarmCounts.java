package io.sluice.server.alarm;

/**
 * How many alarms were posted since the server was started, each counted for each web hook.
 *
 * @param sent accepted by the web hook
 * @param failed given up, since the web hook rejected them, or could not be reached for too long
 * @param dropped not tried, since too many waited
 */
public record AlarmCounts(long sent, long failed, long dropped) {}
