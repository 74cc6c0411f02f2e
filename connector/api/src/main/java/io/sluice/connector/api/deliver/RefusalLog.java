package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.Message;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says which records were refused and what became of them, in ten lines a minute at most. For one thread. */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int MAX_LINES = 10;

    private final String instance;
    private final Time time;

    private long periodEndNanos;
    private int lines;
    private long unsaid;

    RefusalLog(String instance, Time time) {
        this.instance = instance;
        this.time = time;
        this.periodEndNanos = time.nanos() + PERIOD.toNanos();
    }

    /** Says what is done about a record that cannot be cut. */
    void judged(String what, RefusedRecord refused) {
        if (isQuiet()) {
            return;
        }
        LOG.warn(
                "broker refused a record for good, {}: instance={} table={} position={} topic={} partition={} bytes={} kind={}"
                        + " notLogged={} cause={}",
                what,
                instance,
                refused.tableNames(),
                refused.place(),
                refused.message().topic(),
                refused.message().partition(),
                refused.bytes(),
                refused.failure().kind(),
                unsaid,
                String.valueOf(refused.failure().cause()));
        unsaid = 0;
    }

    /** Says that a record waits until its topic takes messages. */
    void retried(RefusedRecord refused) {
        if (isQuiet()) {
            return;
        }
        LOG.warn(
                "broker takes no messages for a topic, retrying until the topic exists and the user may write to it"
                        + " (canal.mq.onTopicUnavailable): instance={} table={} position={} topic={} partition={}"
                        + " notLogged={} cause={}",
                instance,
                refused.tableNames(),
                refused.place(),
                refused.message().topic(),
                refused.message().partition(),
                unsaid,
                String.valueOf(refused.failure().cause()));
        unsaid = 0;
    }

    /** Says that a message was too large, and is sent in pieces. */
    void cut(Message message, int pieces) {
        if (isQuiet()) {
            return;
        }
        LOG.info(
                "a message is too large for the broker, sending its entries one by one: instance={} topic={} partition={} bytes={}"
                        + " messages={} notLogged={}",
                instance,
                message.topic(),
                message.partition(),
                message.value().length,
                pieces,
                unsaid);
        unsaid = 0;
    }

    private boolean isQuiet() {
        long now = time.nanos();
        if (now - periodEndNanos >= 0) {
            periodEndNanos = now + PERIOD.toNanos();
            lines = 0;
        }
        if (lines == MAX_LINES) {
            unsaid++;
            return true;
        }
        lines++;
        return false;
    }
}
