package io.sluice.server.config.alarm;

import java.time.Duration;
import java.util.List;

/**
 * Where alarms are posted, and when.
 *
 * @param webhooks where to; empty: nothing is posted
 * @param serverName what alarms call this server; blank: the name of the machine
 * @param timeout how long one request may take
 * @param lostAfter how long a source or a broker may be unreachable before an alarm is raised
 * @param interval the least time between two alarms that are raised for the same kind of problem of the same instance
 * @param gather for how long alarms are gathered, from the first one on, to be posted in one message
 * @param repeatInterval after how long a problem that lasts is posted again
 * @param repeats how often it is posted again at most; 0: never
 */
public record AlarmConfig(
        List<Webhook> webhooks,
        String serverName,
        Duration timeout,
        Duration lostAfter,
        Duration interval,
        Duration gather,
        Duration repeatInterval,
        int repeats) {
    public AlarmConfig {
        webhooks = List.copyOf(webhooks);
    }
}
