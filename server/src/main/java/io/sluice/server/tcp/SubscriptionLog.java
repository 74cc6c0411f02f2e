package io.sluice.server.tcp;

import io.sluice.protocol.time.Time;
import io.sluice.server.port.LineRate;
import io.sluice.server.port.PrintableInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Logs subscriptions in their instance's log, a limited number per second. Thread-safe. */
final class SubscriptionLog {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionLog.class);
    private static final int LINES_PER_SECOND = 10;
    private static final String LOG_KEY = "destination";

    private final LineRate rate;

    /**
     * Makes one for a port.
     *
     * @param time measures the seconds
     */
    SubscriptionLog(Time time) {
        this.rate = new LineRate(time, LINES_PER_SECOND);
    }

    /** Logs that a client has subscribed, or has done so again. */
    void subscribed(String destination, int client, String filter, String remote) {
        MDC.put(LOG_KEY, destination);
        try {
            long leftOut = rate.takeLeftOut();
            if (leftOut > 0) {
                LOG.info("more clients subscribed than are listed: not_listed={}", leftOut);
            }
            if (rate.allows()) {
                LOG.info(
                        "subscribe successfully: instance={} client={} filter={} remote={}",
                        destination,
                        client,
                        PrintableInput.text(filter),
                        remote);
            }
        } finally {
            MDC.remove(LOG_KEY);
        }
    }
}
