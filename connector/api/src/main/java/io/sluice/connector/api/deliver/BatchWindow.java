package io.sluice.connector.api.deliver;

import java.time.Duration;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many batches may be in flight: as many as the operator has set, else more if the broker is far away.
 *
 * <p>No more is delivered than what is in flight for each answer's time. A broker that is near needs little, and more would take memory
 * only: where the processors are the limit, what may be in flight is always used up. So what counts is how long an answer takes by
 * itself, without the time for which its messages wait for those before them, or for a processor. Under load no answer is like that, so
 * the sender measures one now and then, unless some were quick all the same: it takes nothing until all is answered, and then a single
 * batch.
 *
 * <p>One quick answer shows that the broker is near. That it is far takes several measurements in a row, and no quick answer between
 * them, since an answer may take long for many reasons. For the sender's thread alone.
 */
final class BatchWindow {
    private static final Logger LOG = LoggerFactory.getLogger(BatchWindow.class);

    /** The number of batches for a broker that is near. */
    static final int NEAR = 128;

    /** The number of batches for a broker that is far away. */
    static final int FAR = 160;

    /** A broker that is far away never answers in less. */
    static final Duration QUICK = Duration.ofMillis(10);

    /** An answer that takes so long by itself may come from far away. */
    static final Duration SLOW = Duration.ofMillis(15);

    /** So many slow answers, one after the other, do. */
    static final int SLOW_ANSWERS = 4;

    /** The time until the next measurement while slow answers are counted. */
    static final Duration COUNTING_PERIOD = Duration.ofSeconds(1);

    /** The time until the next measurement when the distance is known. */
    static final Duration PERIOD = Duration.ofSeconds(30);

    /** A measurement costs the time of a few answers, so there is none for this many times the time of the last one, while slow answers are counted. */
    static final int COUNTING_ANSWERS = 20;

    /** For how many times the time of the last answer there is no measurement when the distance is known. */
    static final int ANSWERS = 200;

    /** A batch may take long since its broker was down meanwhile. */
    static final Duration MAX_PERIOD = Duration.ofMinutes(5);

    /** A measurement ends if no batch was acked for this many times the last answer's time, and at least for {@link #MIN_PATIENCE}. */
    private static final int PATIENCE_IN_ANSWERS = 4;

    static final Duration MIN_PATIENCE = Duration.ofSeconds(1);
    private static final Duration MAX_PATIENCE = Duration.ofSeconds(10);

    private enum Measurement {
        NONE,
        /** Nothing is taken until all is answered. */
        BEGUN,
        /** One batch is taken, and nothing else until it is answered. */
        TAKEN
    }

    private final String instance;
    private final OptionalInt fixed;
    private Measurement measurement = Measurement.NONE;
    private boolean isFar;
    private int slowAnswers;

    /** When the next measurement may begin. */
    private long nextNanos;

    /** When the last batch was acked, or nothing was in flight. */
    private long movedNanos;

    private long lastAnswerNanos;

    /**
     * The limit before the first answer.
     *
     * @param fixed what the operator has set
     */
    BatchWindow(String instance, OptionalInt fixed, long now) {
        this.instance = instance;
        this.fixed = fixed;
        this.nextNanos = now + COUNTING_PERIOD.toNanos();
        this.movedNanos = now;
    }

    /** How many batches may be in flight. */
    int batches() {
        return fixed.orElse(isFar ? FAR : NEAR);
    }

    /**
     * Whether no batch may be taken now.
     *
     * @param inFlight how many batches are in flight
     */
    boolean isReached(int inFlight, long now) {
        if (inFlight >= batches()) {
            return true;
        }
        return isMeasuring(inFlight, now) && inFlight > 0;
    }

    /** Nothing is measured while nothing is acked: one message that its broker does not answer must not hold up all others. */
    private boolean isMeasuring(int inFlight, long now) {
        if (fixed.isPresent()) {
            return false;
        }
        if (inFlight == 0) {
            movedNanos = now;
        }
        boolean isStuck = now - movedNanos > patienceNanos();
        if (measurement == Measurement.NONE) {
            if (!isStuck && inFlight > batches() / 2 && now - nextNanos >= 0) {
                measurement = Measurement.BEGUN;
            }
        } else if (isStuck) {
            measurement = Measurement.NONE;
            nextNanos = now + pauseNanos(true, lastAnswerNanos);
        }
        return measurement != Measurement.NONE;
    }

    /** The time until the next measurement. */
    private static long pauseNanos(boolean isKnown, long answerNanos) {
        long inAnswers = Math.min(MAX_PERIOD.toNanos(), (isKnown ? ANSWERS : COUNTING_ANSWERS) * answerNanos);
        return Math.max((isKnown ? PERIOD : COUNTING_PERIOD).toNanos(), inAnswers);
    }

    private long patienceNanos() {
        return Math.max(
                MIN_PATIENCE.toNanos(), Math.min(MAX_PATIENCE.toNanos(), PATIENCE_IN_ANSWERS * lastAnswerNanos));
    }

    /** Notes that a batch is taken; returns whether others may be taken with it. */
    boolean take() {
        if (measurement == Measurement.NONE) {
            return true;
        }
        measurement = Measurement.TAKEN;
        return false;
    }

    /**
     * Notes that a batch is acked.
     *
     * @param wasSent whether it had messages
     * @param nanos how long after its hand-over they were answered
     */
    void answered(boolean wasSent, long nanos, long now) {
        if (fixed.isPresent()) {
            return;
        }
        movedNanos = now;
        boolean isMeasured = measurement == Measurement.TAKEN;
        if (isMeasured) {
            measurement = wasSent ? Measurement.NONE : Measurement.BEGUN;
        }
        if (!wasSent) {
            return;
        }
        lastAnswerNanos = nanos;
        if (nanos < QUICK.toNanos()) {
            slowAnswers = 0;
            set(false, nanos);
        } else if (isMeasured) {
            slowAnswers = nanos >= SLOW.toNanos() ? Math.min(slowAnswers + 1, SLOW_ANSWERS) : isFar ? slowAnswers : 0;
            set(isFar || slowAnswers == SLOW_ANSWERS, nanos);
        } else {
            return;
        }
        boolean isKnown = slowAnswers == 0 || isFar;
        nextNanos = now + pauseNanos(isKnown, nanos);
    }

    private void set(boolean nowFar, long nanos) {
        if (nowFar != isFar) {
            isFar = nowFar;
            LOG.info(
                    "the time of the broker's answers has changed how many batches may be in flight: instance={} batches={}"
                            + " answerMs={}",
                    instance,
                    batches(),
                    Duration.ofNanos(nanos).toMillis());
        }
    }

    /** Notes that what was handed over has failed, or a part of it. */
    void failed(long now) {
        if (measurement != Measurement.NONE) {
            measurement = Measurement.NONE;
            nextNanos = now + COUNTING_PERIOD.toNanos();
        }
    }
}
