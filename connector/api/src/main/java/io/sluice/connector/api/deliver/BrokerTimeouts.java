package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that the broker has not answered any message for a while, and abandons the producer's attempt after a timeout, or when the
 * destination is not owned any more: its candidate may be waiting for this sender to stop. For the sender's thread.
 */
final class BrokerTimeouts {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerTimeouts.class);

    /** The time between two checks. */
    private static final Duration PERIOD = Duration.ofMillis(500);

    private static final Duration FIRST_WARNING = Duration.ofSeconds(10);
    private static final Duration NEXT_WARNING = Duration.ofSeconds(60);

    private final String instance;
    private final Duration limit;
    private final InFlightBatches inFlight;
    private final MessageProducer producer;
    private final SenderProgress progress;

    private long nextCheckNanos;
    private long answered = -1;
    private boolean isSilent;
    private long sinceNanos;
    private Duration nextWarning = FIRST_WARNING;
    private Duration nextAbandonment;

    /** Makes a check; {@code limit} is the longest silence, zero if it may last for ever. */
    BrokerTimeouts(
            String instance,
            Duration limit,
            InFlightBatches inFlight,
            MessageProducer producer,
            Time time,
            SenderProgress progress) {
        this.instance = instance;
        this.limit = limit;
        this.inFlight = inFlight;
        this.producer = producer;
        this.progress = progress;
        this.nextAbandonment = limit;
        this.nextCheckNanos = time.nanos();
    }

    /** When the next check is due, by {@link Time#nanos}. */
    long nextCheckNanos() {
        return nextCheckNanos;
    }

    /**
     * Checks, if it is time to.
     *
     * @param now by {@link Time#nanos}
     */
    void check(long now) {
        if (now - nextCheckNanos < 0) {
            return;
        }
        nextCheckNanos = now + PERIOD.toNanos();
        if (inFlight.unansweredCount() > 0) {
            producer.checkOwnership();
        }
        long unanswered = inFlight.unansweredCount();
        long answers = inFlight.answeredCount();
        if (unanswered == 0 || answers != answered || !isSilent) {
            answered = answers;
            restartTimeouts(now, unanswered > 0);
            return;
        }
        progress.setSilentSince(sinceNanos);
        Duration silence = Duration.ofNanos(now - sinceNanos);
        if (silence.compareTo(nextWarning) >= 0) {
            nextWarning = silence.plus(NEXT_WARNING);
            LOG.warn(
                    "the broker has not answered: instance={} state={} silentMs={} messages={} batches={}",
                    instance,
                    progress.state(),
                    silence.toMillis(),
                    unanswered,
                    inFlight.size());
        }
        if (!limit.isZero() && silence.compareTo(nextAbandonment) >= 0) {
            nextAbandonment = silence.plus(limit);
            abandon(silence, unanswered);
        }
    }

    private void restartTimeouts(long now, boolean waits) {
        isSilent = waits;
        sinceNanos = now;
        nextWarning = FIRST_WARNING;
        nextAbandonment = limit;
        progress.clearSilence();
    }

    private void abandon(Duration silence, long unanswered) {
        producer.abandon();
        LOG.error(
                "the broker did not answer in time, abandoning the attempt and sending again: instance={} silentMs={}"
                        + " messages={}",
                instance,
                silence.toMillis(),
                unanswered);
    }
}
