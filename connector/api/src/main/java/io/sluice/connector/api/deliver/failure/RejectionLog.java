package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.producer.Message;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which messages were rejected and what is done about them, at most ten lines a minute. For one thread. */
public final class RejectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(RejectionLog.class);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int MAX_LINES = 10;

    private final String instance;
    private final Time time;

    private long periodEndNanos;
    private int lines;
    private long notLogged;

    /** Has written no line. */
    public RejectionLog(String instance, Time time) {
        this.instance = instance;
        this.time = time;
        this.periodEndNanos = time.nanos() + PERIOD.toNanos();
    }

    /** Logs what is done about a message that cannot be split. */
    public void judged(String what, RejectedMessage rejected) {
        if (isQuiet()) {
            return;
        }
        LOG.warn(
                "broker rejected a message for good, {}: instance={} table={} position={} topic={} partition={} bytes={} kind={}"
                        + " notLogged={} cause={}",
                what,
                instance,
                rejected.tableNames(),
                rejected.place(),
                rejected.message().topic(),
                rejected.message().partition(),
                rejected.bytes(),
                rejected.failure().kind(),
                notLogged,
                String.valueOf(rejected.failure().cause()));
        notLogged = 0;
    }

    /** Logs that a message waits until its topic takes messages. */
    public void retried(RejectedMessage rejected) {
        if (isQuiet()) {
            return;
        }
        LOG.warn(
                "broker takes no messages for a topic, retrying until the topic exists and the user may write to it"
                        + " (canal.mq.onTopicUnavailable): instance={} table={} position={} topic={} partition={}"
                        + " notLogged={} cause={}",
                instance,
                rejected.tableNames(),
                rejected.place(),
                rejected.message().topic(),
                rejected.message().partition(),
                notLogged,
                String.valueOf(rejected.failure().cause()));
        notLogged = 0;
    }

    /** Logs that a message was too large, and is sent in pieces. */
    public void split(Message message, int pieces) {
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
                notLogged);
        notLogged = 0;
    }

    private boolean isQuiet() {
        long now = time.nanos();
        if (now - periodEndNanos >= 0) {
            periodEndNanos = now + PERIOD.toNanos();
            lines = 0;
        }
        if (lines == MAX_LINES) {
            notLogged++;
            return true;
        }
        lines++;
        return false;
    }
}
