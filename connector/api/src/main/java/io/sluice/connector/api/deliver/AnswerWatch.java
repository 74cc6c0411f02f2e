package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the broker answers for nothing of what it was given, says so, and after a bounded time gives up on that. For the
 * sender's thread.
 */
final class AnswerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerWatch.class);

    /** How often to look. */
    private static final Duration PERIOD = Duration.ofMillis(500);

    private static final Duration FIRST_WARNING = Duration.ofSeconds(10);
    private static final Duration NEXT_WARNING = Duration.ofSeconds(60);

    private final String instance;
    private final Duration limit;
    private final InFlightBatches inFlight;
    private final MessageProducer producer;
    private final SenderProgress progress;

    private long nextLookNanos;
    private long answered = -1;
    private boolean isSilent;
    private long sinceNanos;
    private Duration nextWarning = FIRST_WARNING;
    private Duration nextAbandonment;

    /** Watches; {@code limit} is the longest silence, zero if it may last for ever. */
    AnswerWatch(
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
        this.nextLookNanos = time.nanos();
    }

    /** When the next look is due, by {@link Time#nanos}. */
    long nextLookNanos() {
        return nextLookNanos;
    }

    /**
     * Looks, if it is time to.
     *
     * @param now by {@link Time#nanos}
     */
    void look(long now) {
        if (now - nextLookNanos < 0) {
            return;
        }
        nextLookNanos = now + PERIOD.toNanos();
        long unanswered = inFlight.unansweredCount();
        long answers = inFlight.answeredCount();
        if (unanswered == 0 || answers != answered || !isSilent) {
            answered = answers;
            begin(now, unanswered > 0);
            return;
        }
        progress.silentSince(sinceNanos);
        Duration silence = Duration.ofNanos(now - sinceNanos);
        if (silence.compareTo(nextWarning) >= 0) {
            nextWarning = silence.plus(NEXT_WARNING);
            LOG.warn(
                    "the broker has not answered: instance={} state={} silentMs={} records={} batches={}",
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

    private void begin(long now, boolean waits) {
        isSilent = waits;
        sinceNanos = now;
        nextWarning = FIRST_WARNING;
        nextAbandonment = limit;
        progress.notSilent();
    }

    private void abandon(Duration silence, long unanswered) {
        producer.abandon();
        LOG.error(
                "the broker did not answer in time, giving up what it was given and sending it again: instance={} silentMs={}"
                        + " records={}",
                instance,
                silence.toMillis(),
                unanswered);
    }
}
